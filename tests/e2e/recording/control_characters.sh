#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: names with escape sequences, line breaks and no UTF-8, of regions, programs, arguments and processes, never come to a terminal or a text file as they are, and stay what they are in the archive
. "$(dirname "$0")/../lib.sh"
cc=${CC:-cc}
command -v "${cc%% *}" >/dev/null || t_skip 'no compiler'
# by bytes, whatever the caller's language is
export LC_ALL=C
program=$work/$'named\033[32m\a'
$cc -std=gnu11 -O2 -I "$t_source/lib/api" -o "$program" "$t_here/control_characters.c" -ldl || t_fail 'does not compile'

# harmless WHAT FILE: text alone, by lines
harmless()
{
	[ -s "$2" ] || t_fail "$1: nothing was said"
	! grep -q '[^[:print:]]' "$2" || t_fail "$1: $(grep -m 3 '[^[:print:]]' "$2" | cat -v)"
}

# --- summary.txt ---
"$measure" -o "$work/run" "$program" $'one\ntwo\033]0;title\a' >"$work/out" 2>"$work/words"
t_equal 'status' 0 $?
t_equal 'words' '' "$(cat -v "$work/words")"
harmless 'summary.txt' "$work/run/summary.txt"
for name in '  \x1b[31mred' '  line 1\nsecond line\tof it' '  \xff\xfe\x80\xc2\x9b2J' \
	'one\ntwo\x1b]0;title\x07' 'named\x1b[32m\x07'; do
	grep -qF -- "$name" "$work/run/summary.txt" || t_fail "summary.txt does not have $name"
done
# told as one of the most events, of the most time, and as not ended
t_equal 'lines with red' 3 "$(grep -cF '\x1b[31mred' "$work/run/summary.txt")"
if command -v otf2-print >/dev/null; then
	otf2-print -G "$work/run/traces.otf2" | grep -aqF $'\033[31mred' || t_fail 'the archive has another name'
fi

# --- measure-check and measure-sync, of an archive whose process has such a name ---
"$t_build/tests/unit/trace/fabricate" message.unmatched "$work/archive" || t_fail 'fabricate'
sed -i $'s/a name/\033[31m\a/' "$work/archive/traces.def"
"$t_build/measure-check" -v "$work/archive" >"$work/check" 2>&1
t_equal 'measure-check: status' 1 $?
harmless 'measure-check' "$work/check"
grep -qF '\x1b[31m\x07, Master thread, 0.0' "$work/check" || t_fail 'measure-check does not name the process'
"$t_build/measure-check" --json "$work/archive" | grep -qF '\u001b[31m\u0007' ||
	t_fail 'measure-check --json: another name'
"$t_build/measure-sync" --statistics full -o "$work/synced" "$work/archive" >"$work/sync" 2>&1
harmless 'measure-sync' "$work/sync"

# --- measure-repair --live ---
mkfifo "$work/input"
"$measure" -o "$work/live" "$program" stay <"$work/input" >"$work/out" 2>&1 &
waiter=$!
exec 8>"$work/input"
look()
{
	"$t_build/measure-repair" --live "$work/live" >"$work/told" 2>&1 && grep -q 31mred "$work/told"
}
t_wait 60 look
harmless 'measure-repair --live' "$work/told"
grep -qF '\x1b[31mred' "$work/told" || t_fail 'measure-repair --live does not name the region'
exec 8>&-
wait "$waiter"

# --- messages ---
"$measure" -o "$work/none" "$work"/$'no\033[31m\nprogram' >"$work/out" 2>"$work/words"
t_equal 'no program: status' 127 $?
harmless 'no program' "$work/words"
t_equal 'no program: lines' 1 "$(wc -l <"$work/words")"
t_end
