#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a program that overwrites the memory it shares with its keeper harms nobody but itself: there is
# an archive, and it says so. SCRIBBLES (6) programs, from seed SCRIBBLE_FIRST (1) on.
. "$(dirname "$0")/../lib.sh"

program=$t_build/tests/e2e/survival/overwritten_segment

# At most so long, for everything: what takes longer hangs.
patience=60

# run NAME ARGUMENT: runs it, looks at it while it stands still, lets it end, and looks at the archive
run()
{
	mkfifo "$work/$1.in"
	timeout "$patience" "$measure" --buffer 4M --chunk 256K --patience 1 -o "$work/$1" "$program" "$2" \
		<"$work/$1.in" >"$work/$1.out" 2>"$work/$1.err" &
	wrapper=$!
	exec 9>"$work/$1.in"
	if t_wait 25 is_there "$1"; then
		timeout "$patience" "$t_build/measure-repair" --live -o "$work/$1.live" "$work/$1" \
			>"$work/$1.text" 2>&1
		status=$?
		[ $status -le 2 ] || t_fail "$1: --live ended with $status: $(tail -3 "$work/$1.text")"
	fi
	exec 9>&-
	wait "$wrapper"
	status=$?
	[ $status != 124 ] || t_fail "$1: hangs"
	has_archive "$1" || t_fail "$1: no archive: $(ls -A "$work/$1" "$work/$1/.parts") $(cat "$work/$1.err")"
	! grep -q 'keeper.*died' "$work/$1.err" || t_fail "$1: $(cat "$work/$1.err")"
	"$t_build/measure-check" "$work/$1" >"$work/$1.check" 2>&1
	status=$?
	[ $status -le 1 ] || t_fail "$1: measure-check ended with $status: $(tail -3 "$work/$1.check")"
}

# Has it come so far, or ended before?
is_there()
{
	grep -q scribbled "$work/$1.out" || ! kill -0 "$wrapper" 2>/dev/null
}

has_archive()
{
	[ -f "$work/$1/traces.otf2" ] && [ ! -e "$work/$1/.parts" ]
}

is_damaged()
{
	grep -q 'damaged parts' "$work/$1/summary.txt"
}

run sure sure
is_damaged sure || t_fail "sure: nothing is said: $(cat "$work/sure/summary.txt")"
grep -q 'overwritten by the program' "$work/sure/summary.txt" || t_fail 'sure: nothing is counted'

# Its keeper dies, and nobody but the guard can tell the next one what that knew.
orphans()
{
	mkfifo "$work/words.in"
	"$measure" --buffer 4M --chunk 256K -o "$work/words" "$program" words <"$work/words.in" >"$work/words.out" \
		2>"$work/words.err" &
	wrapper=$!
	exec 9>"$work/words.in"
	t_wait 25 is_there words || t_fail 'words: it does not come so far'
	guard=$(t_guard $wrapper)
	keeper=$(t_keeper $wrapper)
	kill -9 $wrapper
	wait $wrapper 2>/dev/null
	kill -9 "$keeper"
	t_wait 25 is_replaced || t_fail 'words: no other keeper'
	sleep 0.2 # time enough to end too early
	[ -e "$work/words/.parts" ] || t_fail 'words: over while the program goes on'
	exec 9>&-
	t_wait 25 has_archive words || t_fail "words: no archive: $(ls -A "$work/words" "$work/words/.parts")"
	otf2-print "$work/words/traces.otf2" >"$work/words.text"
	t_equal 'words: calls' 20000 "$(grep -c '^ENTER.*leaf' "$work/words.text")"
	exited=$(otf2-print -G "$work/words/traces.otf2" | grep -o 'exit status .*\|unknown\|another program')
	case $exited in
	*'exit status 0"'*) ;;
	*unknown*) ! t_kernel_tells || t_fail 'words: nobody knows how it ended' ;;
	*) t_fail "words: $exited" ;;
	esac
	grep -q ' 1 time the keeper' "$work/words/summary.txt" || t_fail "words: $(cat "$work/words/summary.txt")"
}

# The keeper is another one by now.
is_replaced()
{
	another=$(pgrep -P "$guard" -x measure-keeper) && [ "$another" != "$keeper" ]
}

orphans

first=${SCRIBBLE_FIRST:-1}
nr_damaged=0
for ((seed = first; seed < first + ${SCRIBBLES:-6}; seed++)); do
	run "$seed" "$seed"
	! is_damaged "$seed" || nr_damaged=$((nr_damaged + 1))
	[ $t_failures = 0 ] || break
	rm -rf "$work/$seed" "$work/$seed".*
done
echo "${SCRIBBLES:-6} programs, of $nr_damaged it is said"
[ $nr_damaged -gt 0 ] || t_fail 'of nobody is anything said'
t_end
