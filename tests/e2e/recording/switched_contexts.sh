#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: all calls are recorded where a signal handler goes on with another context, and their exits where signals have a stack in a variable
. "$(dirname "$0")/../lib.sh"
contexts=$t_build/tests/e2e/recording/switched_contexts

# calls DIRECTORY FUNCTION: how often its summary says that it was called
calls()
{
	sed -n '/^Regions with the most/,$p' "$1/summary.txt" |
		awk -v name="$2" '$NF == name { gsub(/,/, "", $1); nr = $1 / 2 } END { print nr + 0 }'
}

# counted WAY NAME [OPTION...]: each function as often as the program says
counted()
{
	way=$1 name=$2
	shift 2
	timeout 60 "$measure" -q "$@" -o "$work/$name" "$contexts" "$way" >"$work/$name.out" 2>"$work/$name.err"
	t_equal "$name: status" 0 $?
	while read -r function nr; do
		t_equal "$name: $function" "$nr" "$(calls "$work/$name" "$function")"
	done <"$work/$name.out"
	"$MEASURE_CHECK" "$work/$name" >"$work/$name.check" || t_fail "$name: $(cat "$work/$name.check")"
}

# lost DIRECTORY TEXT: whether the summary says so of anything
lost()
{
	sed -n '/^Losses/,/^$/p' "$1/summary.txt" | grep -q "$2"
}

# As the handler comes at any time, also between any two instructions of a hook.
for turn in 1 2 3 4 5; do
	counted timer "timer-$turn"
	lost "$work/timer-$turn" 'not recorded\|overwritten' && t_fail "timer-$turn: $(cat "$work/timer-$turn/summary.txt")"
done
counted timer sampled --sample=997
counted timer counters -m rusage:ru_minflt

counted array array
t_equal 'array: losses' '  none' "$(sed -n '/^Losses/{n;p}' "$work/array/summary.txt")"
t_end
