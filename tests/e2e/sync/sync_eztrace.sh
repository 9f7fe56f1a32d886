#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-sync makes a clean archive of what EZTrace writes: ids defined twice, no event counts, 14 ms between clocks
. "$(dirname "$0")/../lib.sh"
sync=$t_build/measure-sync
for python in python3 /usr/bin/python3; do
	"$python" -c 'import otf2' 2>"$work/words" && break
	python=
done
cd "$work" || exit 1

# events ARCHIVE: the records of each location in their order, with names instead of ids, without times
events()
{
	otf2-print "$1" 2>words | awk '/^[A-Z][A-Z0-9_]+ +[0-9]+ +[0-9]+ / {
		gsub(/ <[0-9]+>/, "")
		location = $2
		$2 = $3 = ""
		print location, $0
	}' | sort -s -n -k 1,1
}

readable_by_python()
{
	[ -z "$python" ] || "$python" "$t_tests/soundness.py" "$1" >words 2>&1
}

# repairs DIRECTORY ARGUMENT...: the result is one that all readers take, and has the same events
repairs()
{
	input=$1
	shift
	rm -rf out
	"$sync" "$@" "$input" -o out >results 2>words || t_fail "$input: status $?: $(cat results words)"
	t_equal "$input: stderr" '' "$(cat words)"
	# What is wrong with the events themselves stays so.
	"$MEASURE_CHECK" out >check
	! grep -E 'ERROR +(definition|anchor|location|comm|time|clock)\.' check >words ||
		t_fail "$input: $(cat words)"
	readable_by_python out/*.otf2 || t_fail "$input: Python: $(cat words)"
	command -v otf2-print >which || return
	otf2-print --silent -Werror out/*.otf2 >print 2>words || t_fail "$input: otf2-print: $(cat words)"
	t_equal "$input: otf2-print" '' "$(cat words)"
	events "$input"/*.otf2 >before
	events out/*.otf2 | diff before - >difference || t_fail "$input: events: $(head -n 5 difference)"
}

# What EZTrace 2.0 writes, made up.
for kind in eztrace repeated; do
	"$t_build/tests/e2e/programs/foreign_archive" $kind $kind || t_fail "odd $kind"
	[ -z "$python" ] || ! readable_by_python $kind/*.otf2 || t_fail "$kind: nothing to repair"
	repairs $kind
	grep -q 'definitions with duplicate ids' results || t_fail "$kind: $(cat results)"
	"$MEASURE_CHECK" -q out || t_fail "$kind: not sound: $("$MEASURE_CHECK" out)"
	repairs $kind --emit=events
	"$MEASURE_CHECK" -q out || t_fail "$kind, rewritten: not sound: $("$MEASURE_CHECK" out)"
done
grep -q '27 duplicate definitions removed' results || t_fail "repeated: $(cat results)"

# What it does write.
if [ $t_failures = 0 ]; then
	. "$t_tests/mpirun.sh"
	. "$t_tests/eztrace.sh"
	eztrace_ring "$t_programs/mpi_ring.c" 3 >reason || t_skip "made-up archives only: $(cat reason)"
	repairs ring_trace
	grep -q '  all-to-all  *15  .* 0$' results || t_fail "recorded: $(cat results)"
fi
t_end
