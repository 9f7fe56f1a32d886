#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: --sample records where a program that was not compiled for it spends its time, thread by thread; and leaves its signals, timers, stacks, threads and images alone
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# Sanitizers put signals off, and take the stack for theirs.
t_left_out_under_asan sampling 'handlers do not run at once' && t_skip 'AddressSanitizer'

${CC:-cc} -O1 -g -pthread -o sampled "$t_here/call_stacks.c" || t_skip 'no compiler'

# samples DIR: "LOCATION FUNCTION" of each sample, the innermost one
samples()
{
	otf2-print "$1/traces.otf2" | sed -n 's/^CALLING_CONTEXT_SAMPLE  *\([0-9]*\) .*Calling Context: "\([^"@]*\).*/\1 \2/p'
}

# said NAME: of the program by itself, and under measure, in the archive NAME
said()
{
	plain=$(./sampled "$@" 2>&1; echo "status $?")
	t_equal "$1" "$plain" "$("$measure" -q --sample 997 -o "$1" ./sampled "$@" 2>&1; echo "status $?")"
	t_sound "$work/$1"
	[ "$1" = images ] || [ "$(samples "$1" | wc -l)" -gt 0 ] || t_fail "$1: no samples"
}

# Seven parts of ten are in one function. A kernel may look at processor time no more than 100 times a second.
"$measure" --sample 997 -o split ./sampled split 4 || t_fail "split: exit status $?"
t_sound "$work/split"
samples split >list
set -- $(awk '$2 == "heavy" { heavy++ } $2 == "light" { light++ } END { print NR, heavy + 0, light + 0 }' list)
echo "split: $1 samples, $2 heavy, $3 light"
[ "$1" -ge 200 ] || t_fail "split: $1 samples in 4 s"
[ $((100 * $2)) -gt $((60 * $1)) ] && [ $((100 * $2)) -lt $((80 * $1)) ] || t_fail "split: $2 of $1 samples in heavy()"
[ $((100 * $3)) -gt $((20 * $1)) ] && [ $((100 * $3)) -lt $((40 * $1)) ] || t_fail "split: $3 of $1 samples in light()"
otf2-print -G split/traces.otf2 >words
grep -q 'CALLING_CONTEXT .*"heavy".*call_stacks.c:[0-9]*.*Parent: "burn@call_stacks.c:' words || t_fail "split: $(grep CONTEXT words)"
grep -q 'CALLING_CONTEXT .*"main".*Parent: UNDEFINED' words || t_fail "split: $(grep CONTEXT words)"
grep -q 'INTERRUPT_GENERATOR .*processor time of the thread.*Mode: TIME.*Exponent: -9, Period: 1003009' words ||
	t_fail "split: $(grep GENERATOR words)"
grep -q '% *heavy  call_stacks.c:' split/summary.txt && grep -q 'finstrument-functions  for call_stacks.c' split/summary.txt &&
	grep -q "include 'heavy'" split/summary.txt || t_fail "split: $(cat split/summary.txt)"

# What the advice says gives these functions, and no others; the sampled and the recorded one are the same region.
${CC:-cc} -O1 -g -pthread -finstrument-functions -o compiled "$t_here/call_stacks.c" || t_fail 'no compiler'
"$measure" --sample 997 --exclude paradigm=compiler --include heavy -o both ./compiled split 1 || t_fail "both: exit status $?"
t_sound "$work/both"
t_equal 'both: regions called heavy' 1 "$(otf2-print -G both/traces.otf2 | grep -c '^REGION .*Name: "heavy"')"
t_equal 'both: functions entered' heavy "$(otf2-print both/traces.otf2 | sed -n 's/^ENTER .*Region: "\([^"]*\)".*/\1/p' | sort -u)"
[ "$(samples both | grep -c heavy)" -gt 0 ] || t_fail 'both: no samples in heavy()'

# Each thread by its own time; with the adapter of threads and without.
for adapters in auto none; do
	"$measure" -a $adapters --sample 997 -o threads.$adapters ./sampled threads || t_fail "threads: exit status $?"
	t_sound "$work/threads.$adapters"
	set -- $(samples threads.$adapters | awk '$1 > 0 { nr[$1]++ } END { for (i in nr) print nr[i] }' | sort -n)
	t_equal "threads, $adapters: how many" 3 $#
	[ $# = 3 ] && [ "$2" -gt "$1" ] && [ "$3" -gt "$2" ] || t_fail "threads, $adapters: samples $*"
done

# By any time, also what waits.
"$measure" --sample wall:200 -o wall ./sampled threads || t_fail "wall: exit status $?"
t_sound "$work/wall"
[ "$(samples wall | grep -c '^0 ')" -gt 50 ] || t_fail "wall: $(samples wall | grep -c '^0 ') samples of a thread that waits"

# What programs do.
said deep
said leaps
said signals
said waits
said sleeps
said stack
said ends
said children
said images 30

# Another program's process has samples of its own.
"$measure" -q --children=follow --sample 997 -o followed ./sampled images 5 >words || t_fail "followed: exit status $?"
t_wait 30 test ! -e followed/.parts
t_sound "$work/followed"

# A program that is killed leaves its samples.
"$measure" -q --sample 997 -o killed ./sampled killed 1
t_equal 'killed: exit status' 137 $?
t_wait 30 test -e killed/traces.otf2
"$MEASURE_CHECK" killed >words || t_fail "killed: $(cat words)"
[ "$(samples killed | wc -l)" -gt 50 ] || t_fail "killed: $(samples killed | wc -l) samples"

# Corrected clocks.
"$t_build/measure-sync" -q split -o split.sync || t_fail "sync: exit status $?"
t_sound "$work/split.sync"
samples split.sync >synced
cmp -s list synced || t_fail 'sync: the samples are not the same'

# Words that are wrong.
for word in fast 0 20000 wall: cpu:x; do
	"$measure" --sample="$word" -o wrong ./sampled split 0.01 2>words
	grep -q "'$word' is neither off nor a number of samples per second" words || t_fail "$word: $(cat words)"
done
"$measure" --dry-run ./sampled | grep -q 'off: sample: no --sample' || t_fail 'dry run: not off'
"$measure" --dry-run --sample 100 ./sampled | grep -q 'libmeasure-sample.so: for --sample' || t_fail 'dry run: not on'
t_end
