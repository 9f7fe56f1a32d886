#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure ends with a few lines on stderr: what was recorded where, what lacks, where the time went, what next
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
export MEASURE_QUIET=no MEASURE_OVERHEAD=off

cat >work.c <<'C'
#include <stdlib.h>
static volatile int sink;
__attribute__((noinline)) static void tiny(int n) { sink += n; }
int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 0;

	for (int i = 0; i < nr; i++)
		tiny(i);
	return 3;
}
C
${CC:-cc} -O1 -g -finstrument-functions -o work work.c || t_skip 'no compiler'

# words NAME STATUS OPTION... PROGRAM...: what measure says at the end is in $words; the program's output is its own
words()
{
	local name=$1 status=$2
	shift 2
	"$measure" "$@" >out 2>err
	t_equal "$name: status" "$status" $?
	t_equal "$name: stdout" '' "$(cat out)"
	words=$(cat err)
}

bare='measure: only program start and end were recorded: compile the program with -g -finstrument-functions, or run: measure --sample ...'
words bare 0 -o bare true
t_equal bare "measure: recorded 2 events of 1 process ($(cat bare/traces/*.evt | wc -c) bytes) in bare/traces.otf2
$bare" "$words"
grep -q '^  Only program start and end were recorded' bare/summary.txt || t_fail 'bare: no advice in the summary'

# A script's programs are its children.
printf '#!/bin/sh\n./work\n./work\nexit 5\n' >script && chmod +x script
words script 5 -o script.run ./script
t_equal script "measure: only program start and end were recorded: to record the programs that it started, run: measure --children=follow ..." \
	"$(tail -n 1 err)"
words followed 5 --children=follow -o followed ./script
t_equal followed 'measure: next: measure-profile followed' "$(tail -n 1 err)"

# Whichever keeper is the last one: that of the shell, or that of the program it starts.
for turn in 1 2 3 4 5 6 7 8 9 10 11 12; do
	words "exec $turn" 3 --exec -o "exec.$turn" sh -c ./work
	t_equal "exec $turn: what next" "measure: next: measure-profile exec.$turn" "$(tail -n 1 err)"
done

# Who wants nothing is not advised to compile; nor is who takes samples.
words none 0 -a none -o none true
t_equal none "measure: recorded 2 events of 1 process ($(cat none/traces/*.evt | wc -c) bytes) in none/traces.otf2
measure: next: cat none/summary.txt" "$words"
! grep -q 'Only program start and end' none/summary.txt || t_fail 'none: advice in the summary'
words samples 0 --sample 997 -o samples true
[[ $words != *'only program start'* ]] || t_fail "samples: $words"

# The directory by the name that --output gave it, or absolute where that is no name from here.
words few 3 -o few ./work
t_equal 'few: what next' 'measure: next: measure-profile few' "$(tail -n 1 err)"
words deep 3 -o ./deep/%p-er ./work 100000
t_equal 'deep: what next' 'measure: next: measure-profile deep/work-er; for 99 % fewer events: measure --filter=deep/work-er/suggested.filter ...' \
	"$(tail -n 1 err)"
grep -q '^  measure --filter=deep/work-er/suggested.filter$' deep/work-er/summary.txt || t_fail "deep: $(grep filter deep/work-er/summary.txt)"
command=$(sed -n 's/.*: measure \(--filter=[^ ]*\) .*/\1/p' err)
words promise 3 "$command" -o promise ./work 100000
t_equal 'promise: events' 4 "$(sed -n 's/.*recorded \([0-9]*\) events.*/\1/p' err)"
words absolute 3 -o "$work/absolute" ./work
t_equal 'absolute: what next' "measure: next: measure-profile $work/absolute" "$(tail -n 1 err)"
mkdir below && (cd below && "$measure" -o ../upwards ../work 2>../err)
t_equal 'upwards: what next' "measure: next: measure-profile $work/upwards" "$(tail -n 1 err)"
mkdir again && words again 3 -o few ./work
[[ $words == *"in few/traces.otf2"* && -d few.1 ]] || t_fail "again: $words"

# What lacks is one line.
words throttled 3 --overhead=0.1 -o throttled ./work 3000000
t_equal throttled 'measure: 1 function disabled (--overhead=0.1): see throttled/summary.txt' "$(sed -n 2p err)"
words dropped 3 --overhead=off --full=drop --spool=end -b 512K -o dropped ./work 1000000
grep -q -E '^measure: [0-9,]+ events lost: see dropped/summary.txt$' err || t_fail "dropped: $words"
t_equal 'dropped: lines' 4 "$(t_lines err)"

# Silence.
for how in '-q -o quiet' '--quiet -o quiet' '-o quiet'; do
	[ "$how" = '-o quiet' ] && export MEASURE_QUIET=yes
	words "quiet $how" 3 $how ./work
	t_equal "quiet $how" '' "$words"
done
export MEASURE_QUIET=no MEASURE_OVERHEAD=off
"$measure" -o closed ./work 2>&-
t_equal 'stderr is closed: status' 3 $?

# A measure in another one that records with --exec has nothing to record.
"$measure" -o outer --exec "$measure" -o inner ./work >out 2>err
t_equal 'inner: status' 3 $?
grep -q '^measure: ./work: recorded by the measure that started this one$' err || t_fail "inner: $(cat err)"
! grep -q 'nothing was recorded' err || t_fail "inner: $(cat err)"
t_wait 20 test ! -e outer/.parts

# One process of a job says it.
. "$t_tests/mpirun.sh"
if mpicc -g -finstrument-functions -o ring "$t_programs/mpi_ring.c" 2>/dev/null && mpirun -n 1 true 2>/dev/null; then
	mpirun -n 3 "$measure" -o job ./ring >/dev/null 2>err
	t_equal 'job: recorded' 1 "$(grep -c '^measure: recorded [0-9,]* events of 3 processes ([0-9. ]*.iB) in job/traces.otf2' err)"
	t_equal 'job: lines' 3 "$(grep -c '^measure:' err)"
	"$measure" -o whole mpirun -n 3 ./ring >/dev/null 2>err
	grep -q '^measure: recorded [0-9,]* events of 3 processes ([0-9. ]*.iB) in whole/traces.otf2' err || t_fail "whole: $(cat err)"
fi
t_end
