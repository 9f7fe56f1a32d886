#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-convert writes Paje that pj_dump and ViTE read, with as many states, links and values as the archive has calls, messages and values, in the order of time, also of odd archives and of parts of one
. "$(dirname "$0")/../lib.sh"
convert=$t_build/measure-convert
cd "$work" || exit 1
for tool in python3 otf2-print pj_dump; do
	command -v $tool >/dev/null || t_skip "no $tool"
done

# written STATUS ARCHIVE [OPTION]...: as out.paje; its counts into counts
written()
{
	rm -f out.paje
	"$convert" "$2" --to paje "${@:3}" -o out.paje >words 2>&1
	t_equal "${*:2}: status" "$1" $?
	python3 "$t_here/paje.py" out.paje >counts 2>words || t_fail "${*:2}: $(tail -n 2 words)"
}

# counted WHAT: from counts
counted()
{
	awk -v what="$1" '$1 == what { sum += $NF } END { print sum + 0 }' counts
}

# recorded KIND...: records in otf2-print's list
recorded()
{
	awk -v kinds=" $* " 'index(kinds, " " $1 " ") { n++ } END { print n + 0 }' printed
}

# by_name: calls by region, as in counts
by_name()
{
	awk '$1 == "ENTER" || $1 == "CALLING_CONTEXT_ENTER" {
		sub(/.*Region: "/, "")
		sub(/" <[0-9]+>.*/, "")
		n[$0]++
	} END { for (name in n) print "state", name, n[name] }' printed | sort
}

# dumped KIND: entities of pj_dump
dumped()
{
	grep -c "^$1, " dump
}

# read_by_others WHAT: pj_dump and ViTE have no complaint, and find what we do
read_by_others()
{
	pj_dump -l 9 out.paje >dump 2>words || t_fail "$1: pj_dump: $(tail -n 2 words)"
	t_equal "$1: pj_dump: words" 0 "$(t_lines words)"
	t_equal "$1: pj_dump: states, links, events" "$(counted state) $(counted links) $(counted events)" \
		"$(dumped State) $(dumped Link) $(dumped Event)"
	command -v vite >/dev/null || return 0
	QT_QPA_PLATFORM=offscreen timeout 120 vite -f out.paje -e out.svg >words 2>&1 </dev/null
	grep -q '^0 errors and 0 warnings' words || t_fail "$1: ViTE: $(cat words)"
}

# compared ARCHIVE: calls, messages and values are those of the archive
compared()
{
	otf2-print "$1"/*.otf2 >printed 2>/dev/null
	written 0 "$1"
	grep '^state ' counts | sort >ours
	by_name >theirs
	cmp -s ours theirs || t_fail "$1: states: $(diff ours theirs | head -n 5)"
	t_equal "$1: messages" "$(recorded MPI_RECV MPI_IRECV)" "$(counted links)"
	read_by_others "$1"
	cp counts stacked
	written 0 "$1" --flat
	read_by_others "$1 --flat"
}

generate=$t_build/tests/sync/generate
odd=$t_build/tests/e2e/convert/odd_archive
foreign=$t_build/tests/e2e/programs/foreign_archive
for program in "$generate" "$odd" "$foreign"; do
	[ -x "$program" ] || t_fail "$program is not built"
done

"$generate" --program ring,halo,collectives --ranks 6 --threads 2 --nodes 2 --iterations 20 ring || t_fail 'generate ring'
compared ring
grep -q '^state mpi-p2p ' counts || t_fail "--flat: no messages: $(cat counts)"
t_equal 'hosts, processes, threads' '2 6 12' "$(grep -c ', host, ' dump) $(grep -c '^Container.*, process, ' dump) $(grep -c '^Container.*, thread, ' dump)"

# The same again, byte by byte, and on standard output.
"$convert" ring --to paje -o again.paje && "$convert" ring --to paje -t 1 -o - >piped.paje || t_fail 'ring: again'
cmp -s again.paje piped.paje || t_fail 'ring: differs the second time'

# Tasks, windows, files and threads: calls that a task interrupts are more than one state.
"$generate" --program mixed --ranks 3 --threads 3 --iterations 30 mixed || t_fail 'generate mixed'
otf2-print mixed/traces.otf2 >printed 2>/dev/null
written 0 mixed
t_equal 'mixed: messages' "$(recorded MPI_RECV MPI_IRECV)" "$(counted links)"
[ "$(counted state)" -ge "$(recorded ENTER)" ] || t_fail "mixed: states: $(counted state), calls: $(recorded ENTER)"
read_by_others mixed

# A part: nothing is outside of it, and what is there is whole.
written 0 ring --from 25% --until 50% --locations 'rank:0-2'
read_by_others part
t_equal 'part: processes' 3 "$(grep -c '^Container.*, process, ' dump)"
[ "$(counted links)" -gt 0 ] || t_fail 'part: no messages'

# Archives of another tool, in several states.
for kind in eztrace apart homeless ticks repeated; do
	"$foreign" $kind foreign.$kind || t_fail "foreign_archive $kind"
	written 0 foreign.$kind
	read_by_others $kind
	[ "$(counted state)" -gt 0 ] || t_fail "$kind: no states"
done
t_equal 'messages of EZTrace' 20 "$(counted links)"
written 0 foreign.apart
[ "$(counted events)" -gt 0 ] || t_fail 'apart: no markers'

# Names that break lines and quotes, no event, one event, times beyond the integers of doubles.
for kind in empty one names late; do
	"$odd" odd.$kind $kind || t_fail "odd_archive $kind"
	written 0 odd.$kind
	read_by_others "$kind"
done
t_equal 'late' 'state region 2' "$(grep '^state' counts)"
grep -q ' 384307168\.202283325 ' out.paje || t_fail "late: the last time is not exact: $(tail -n 1 out.paje)"
written 0 odd.names
t_equal 'names: states, values, markers' '9 3 2' "$(counted state) $(counted variables) $(counted events)"
written 0 odd.one
t_equal 'one' 1 "$(counted state)"

# A rank is missing: the others are there, and the status says so.
cp -r ring lost
rm lost/traces/4.evt
written 1 lost
read_by_others lost

# What cannot be written.
"$convert" ring --to paje -o no/such/file.paje >words 2>&1
t_equal 'no directory' '2 1' "$? $(t_lines words)"
! ls ./*.part >/dev/null 2>&1 || t_fail "files are left over: $(ls ./*.part)"
t_end
