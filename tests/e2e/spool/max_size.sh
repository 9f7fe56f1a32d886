#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: --max-size bounds what a job writes, and the program goes on; without it, a disk that fills fast is worth one line
. "$(dirname "$0")/../lib.sh"
. "$t_tests/mpirun.sh"
cd "$work" || exit 1

${CC:-cc} -O1 -g -finstrument-functions -o paced "$t_here/max_size.c" || t_skip 'no compiler'

export MEASURE_QUIET=no

# run COMMAND...: into out and words, but for the last words, which are another test's
run()
{
	"$@" >out 2>all
	status=$?
	grep -v -E '^measure: (recorded|most time:|next:|[0-9,]+ (functions?|events) )' all >words
	return $status
}

# check DIR MEBIBYTES: it was stopped, is sound, not larger than that, and not much smaller
check()
{
	"$MEASURE_CHECK" --quiet "$1" || t_fail "$1: not sound"
	size=$(du -sk "$1" | cut -f1)
	[ "$size" -le $(($2 * 1024)) ] || t_fail "$1: $size KiB"
	[ "$size" -ge $(($2 * 1024 / 2)) ] || t_fail "$1: $size KiB only"
	grep -q 'recording stopped when --max-size was reached' "$1/summary.txt" || t_fail "$1: $(cat "$1/summary.txt")"
	t_equal "$1: words" 1 "$(grep -c 'max-size reached: recording stopped' words)"
	t_equal "$1: lines" 1 "$(wc -l <words)"
}

# Some 240 MB of events.
run "$measure" --max-size=20M -o bounded ./paced 10000000 1
t_equal 'exit status' 0 $?
t_equal 'output' 10000000 "$(cat out)"
check bounded 20
t_sound "$work/bounded"
"$measure" -q --max-size=20M -o quiet ./paced 10000000 1 >out 2>words
t_equal 'words of -q' '' "$(cat words)"

# What is not reached does nothing.
run "$measure" --max-size=20M -o within ./paced 100000 1
t_equal 'words where there is room' '' "$(cat words)"
t_equal 'calls where there is room' 100001 "$(otf2-print within/traces.otf2 | grep -c '^ENTER')"
! grep -q max-size within/summary.txt || t_fail "within: $(cat within/summary.txt)"

# One bound for the job: the program has no MPI, but each rank is a process of the job.
if command -v mpirun >/dev/null && mpirun -n 1 true >/dev/null 2>&1; then
	run mpirun -n 4 "$measure" --max-size=80M -o ranks ./paced 500000 10
	t_equal 'output of ranks' '5000000 5000000 5000000 5000000 ' "$(tr '\n' ' ' <out)"
	check ranks 80
fi

# The same everywhere: nothing is run.
"$measure" --strict --max-size=1M -o wrong ./paced 1 1 >out 2>words
t_equal 'too small: exit status' 2 $?
grep -q 'is neither 0 (no limit) nor at least 4M' words || t_fail "too small: $(cat words)"

# More than 17 MB in each second: 10 GB in ten minutes.
run "$measure" -o fast ./paced 200000 70
t_equal 'words where the disk fills fast' 1 "$(wc -l <words)"
grep -q '^measure: .*/fast: events take [0-9]* MB per second.*--overhead=20.*--max-size=SIZE' words ||
	t_fail "fast: $(cat words)"
# By default there are not so many.
run env MEASURE_OVERHEAD=20 "$measure" -o default ./paced 200000 70
t_equal 'words by default' '' "$(cat words)"
[ "$(du -sk default | cut -f1)" -lt 10240 ] || t_fail "default: $(du -sk default | cut -f1) KiB"
t_end
