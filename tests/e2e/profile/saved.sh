#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a profile saved by measure-profile --save prints byte by byte what its trace does, is sound and small, equals its trace for measure-compare, and where it is damaged there is one clear line
. "$(dirname "$0")/../lib.sh"
cc=${CC:-cc}
tests=$t_tests
cd "$work" || exit 1
export OMP_WAIT_POLICY=passive OMP_DYNAMIC=false KMP_WARNINGS=false
. "$tests/mpirun.sh"
profile=$t_build/measure-profile
nr_archives=0

# shown FILE ARCHIVE OPTION...: what is printed of it under a name that all have, and the status
shown()
{
	ln -sfn "$2" one_name
	timeout 100 "$profile" "${@:3}" one_name >"$1" 2>"$1.words"
	echo "status $?" >>"$1"
	sed -i 's:one_name/[a-z_]*\.otf2:one_name:' "$1"
	[ ! -s "$1.words" ] || t_fail "$2, ${*:3}: $(cat "$1.words")"
}

# alike TRACE SAVED OPTION...
alike()
{
	shown of_trace "$1" "${@:3}"
	shown of_saved "$2" "${@:3}"
	cmp -s of_trace of_saved
}

# small TRACE SAVED: nothing but its rows, and the definitions of the trace
small()
{
	rows=$(otf2-print "$2"/traces.otf2 2>otf2.words | grep -c '^METRIC')
	files=$(find "$1" -name '*.def' | wc -l)
	[ "$rows" -gt 0 ] || t_fail "$1: no rows: $(cat otf2.words)"
	most=$((100 * rows + 100 * files + 10000 + $(wc -c <"$1"/"$(basename "$1"/*.otf2 .otf2)".def)))
	bytes=$(cat "$2"/traces.otf2 "$2"/traces.def "$2"/traces/* | wc -c)
	[ "$bytes" -le $most ] || t_fail "$1: the saved profile has $bytes bytes, more than $most for $rows rows"
}

# saved NAME [DIRECTORY]
saved()
{
	trace=${2:-$1} copy=$1.saved
	t_wait 20 test ! -e "$trace/.parts"
	"$profile" --save "$copy" "$trace" >words 2>&1
	status=$?
	[ $status -le 1 ] && [ ! -s words ] || { t_fail "$1: --save: status $status: $(cat words)"; return; }
	for options in '--format json' '--tree --top 0' '--by phase' --score '--by region --top 0' '--by process' \
		'--by file' '--format csv --by path' '--format folded' '--by location --format html-fragment'; do
		alike "$trace" "$copy" $options || t_fail "$1: $options: $(diff of_trace of_saved | head -n 5)"
	done
	"$t_build/measure-check" "$copy" >words 2>&1 || t_fail "$1: measure-check: $(cat words)"
	grep -q ' 0 errors' words || t_fail "$1: measure-check: $(cat words)"
	otf2-print "$copy"/traces.otf2 >text 2>words || t_fail "$1: otf2-print: $(cat words)"
	small "$trace" "$copy"
	echo "$1: $(cat "$trace"/*/*.evt | wc -c) bytes of events, $bytes in all of the profile, $rows rows"
	nr_archives=$((nr_archives + 1))
}

# record NAME [OPTION]... -- COMMAND...
record()
{
	t_record "$@"
	saved "$1"
}

command -v otf2-print >words || t_skip 'no otf2-print'
$cc -std=gnu11 -O1 -g -pthread -finstrument-functions -o calls.x "$t_here/calls.c" || t_skip 'no compiler'
record calls -- ./calls.x
record killed -- ./calls.x killed
record counters -m rusage:ru_minflt,rusage:ru_nvcsw -- ./calls.x
record allocations -a +memory -- ./calls.x
record sampled --sample 997 -- ./calls.x busy
$cc -std=gnu11 -O1 -I "$tests/adapter/pthread" -I "$tests" -pthread -o locks.x "$tests/adapter/pthread/locks.c" && record locks --pthread-groups=all -- ./locks.x
$cc -std=gnu11 -O1 -o files.x "$tests/e2e/io/bytes_by_file.c" && record files -a +posixio -- ./files.x "$work"
$cc -std=gnu11 -O1 -g -I "$t_source/lib/api" -o annotated "$tests/e2e/user/annotated.c" -lpthread -ldl -lm && record switched -- ./annotated switched
$cc -std=gnu11 -O1 -g -I "$t_source/lib/api" -o iterations.x "$t_here/iterations.c" -ldl && record iterations -- ./iterations.x
if $cc -O1 -g -fopenmp -finstrument-functions -o tasks.x "$t_here/tasks.c" 2>words; then
	record tasks -- ./tasks.x
fi
if mpicc -std=gnu11 -O1 -g -fopenmp -o heat2d "$t_source/doc/examples/heat2d.c" -lm 2>words && mpirun -n 1 true 2>words; then
	OMP_NUM_THREADS=2 mpirun -n 2 "$measure" -o hybrid ./heat2d >words 2>&1
	saved hybrid
	mpirun -n 3 "$profile" --format json hybrid.saved >by_job 2>words || t_fail "in a job: $(cat words)"
	"$profile" --format json hybrid.saved | cmp - by_job || t_fail 'in a job it is read otherwise'
	mpirun -n 3 "$profile" --save by_job.saved hybrid >words 2>&1 || t_fail "--save in a job: $(cat words)"
	alike hybrid by_job.saved --format json || t_fail "saved in a job: $(diff of_trace of_saved | head -n 5)"
fi
. "$t_tests/mpirun.sh"
. "$t_tests/eztrace.sh"
eztrace_ring "$t_programs/mpi_ring.c" 3 && saved eztrace ring_trace
# Clock offsets, which are in the times of the profile.
generate=$t_build/tests/sync/generate
if [ -x "$generate" ]; then
	"$generate" --program halo,collectives,windows --ranks 3 --iterations 20 --clock offset=500,drift=20 --truth truth made
	saved made
	"$t_build/measure-sync" made -o corrected >words 2>&1 || t_fail "measure-sync: $(cat words)"
	saved corrected
fi
# Names that are hard to print, values that JSON cannot express, and call paths 20,000 calls deep.
for python in /usr/bin/python3 python3; do
	"$python" -c 'import otf2' 2>words && break
	python=
done
if [ -n "$python" ]; then
	mkdir odd
	"$python" "$t_here/odd_archives.py" odd >words 2>&1 || t_fail "Python: $(tail -n 1 words)"
	saved names odd/names
	saved numbers odd/numbers
	"$profile" --save phases.saved odd/phases || t_fail "phases: status $?"
	alike odd/phases phases.saved --by phase --format csv || t_fail "phases: $(diff of_trace of_saved | head -n 5)"
fi
echo "$nr_archives archives"
[ $nr_archives -ge 12 ] || t_fail "only $nr_archives archives"

# --- it tells differences ---------------------------------------------------------------------
! alike calls locks.saved --format json || t_fail 'the profile of another trace is taken for the same'
"$t_build/measure-compare" --single --format json calls calls.saved >words 2>&1 || t_fail "measure-compare: $(cat words)"
! grep -qE '"verdict": "(slower|faster)"' words || t_fail "measure-compare finds differences: $(cat words)"
grep -q '"verdict"' words || t_fail "measure-compare compares nothing: $(cat words)"
"$t_build/measure-compare" --top 0 --single calls calls.saved | awk '$1 == "change" { body = 1; next } body && /^$/ { exit } body' >words
[ -s words ] || t_fail 'measure-compare prints no table'
! grep -vE '^ +\+0 s .* 1\.000 ' words || t_fail "measure-compare finds differences: $(cat words)"

# --- mistakes ---------------------------------------------------------------------------------
# refused LINE OPTION...: status 2, and this line
refused()
{
	"$profile" "${@:2}" >table 2>words
	t_equal "${*:2}: status" 2 $?
	t_equal "${*:2}" "measure-profile: $1" "$(cat words)"
	t_equal "${*:2}: stdout" '' "$(cat table)"
}
refused '--save: calls: exists already; choose a new directory' --save calls locks
refused 'missing/directory: cannot make the directory: No such file or directory' --save missing/directory locks
refused 'calls.saved/traces.otf2: holds a profile already; copy its directory' --save again calls.saved
[ ! -e again ] || t_fail 'an empty directory is left'
refused '--save and --score are mutually exclusive: see measure-profile --help' --save again --score calls
refused '--save and --by are mutually exclusive: see measure-profile --help' --save again --by path calls
for option in --from --until; do
	refused 'calls.saved/traces.otf2: a profile, it has no events for a time window; use the trace, or leave out --from and --until' $option 50% calls.saved
done

# --- damage -----------------------------------------------------------------------------------
"$profile" --format json calls.saved >intact
mv calls.saved whole

# damaged WHAT: the same as before, or status 2 and one line
damaged()
{
	timeout 20 "$profile" --format json calls.saved >json 2>words
	status=$?
	if [ $status = 0 ] && [ "${1#*.def}" = "$1" ]; then
		cmp -s json intact || t_fail "$1: another profile"
		return
	fi
	nr_refused=$((nr_refused + (status == 2)))
	[ $status = 0 ] || t_equal "$1: status" 2 $status
	[ $status = 0 ] || t_equal "$1: lines" 1 "$(t_lines words)"
	[ $status = 0 ] || grep -q '^measure-profile: .*calls\.saved' words || t_fail "$1: $(cat words)"
	! grep -qi 'crash\|signal' words || t_fail "$1: $(cat words)"
}
nr_refused=0 nr_damaged=0
again()
{
	rm -rf calls.saved
	cp -r whole calls.saved
}
# flip FILE OFFSET: the byte becomes its complement
flip()
{
	byte=$(od -An -tu1 -j "$2" -N 1 "$1")
	printf "\\$(printf %03o $((byte ^ 255)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
again
for file in calls.saved/traces/*.evt; do
	size=$(wc -c <"$file")
	for part in 0 1 2 3 4; do
		again
		truncate -s $((size * part / 5)) "$file"
		damaged "$file cut at $part/5"
		nr_damaged=$((nr_damaged + 1))
	done
	again
	rm "$file"
	damaged "no $file"
	nr_damaged=$((nr_damaged + 1))
done
t_equal 'archives with less of an event file that are refused' $nr_damaged $nr_refused
for file in calls.saved/traces/*.evt; do
	size=$(wc -c <"$file")
	for ((at = 7; at < size; at += size / 40 + 1)); do
		again
		flip "$file" $at
		damaged "byte $at of $file"
	done
done
size=$(wc -c <calls.saved/traces.def)
for ((at = size / 2; at < size; at += size / 40 + 1)); do
	again
	flip calls.saved/traces.def $at
	damaged "byte $at of traces.def"
done
[ $nr_refused -gt $nr_damaged ] || t_fail 'no flipped byte is noticed'
echo "$nr_refused damaged archives refused"
t_end
