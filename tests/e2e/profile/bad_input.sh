#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-profile on archives without events, with one, cut or damaged ones, and records that it does not know: a table with what can be read, or one clear line
. "$(dirname "$0")/../lib.sh"
fabricate=$t_build/tests/unit/trace/fabricate
[ -x "$fabricate" ] || t_skip 'tests/unit/trace/fabricate is not built'
for python in python3 /usr/bin/python3; do
	command -v $python >"$work/words" && break
	python=
done
cd "$work" || exit 1

fresh()
{
	rm -rf a
	"$fabricate" "${1:-sound}" a || t_fail "fabricate $1"
}

# printed WHAT STATUS OPTION...: JSON, which is kept to be looked at by Python. Numbers that are no times are in it where
# something has become negative, or was never set.
printed()
{
	json=json.$((nr_printed += 1))
	timeout 20 "$t_build/measure-profile" --format json "${@:3}" a >$json 2>words
	t_equal "$1: status" "$2" $?
	t_equal "$1: stderr" '' "$(cat words)"
	! grep -oE '[0-9]{17,}' $json >large || t_fail "$1: $(head -n 1 large)"
}
nr_printed=0

# profiled WHAT STATUS [WORDS]: of a; WORDS are in the table. All formats end alike; nothing is said on stderr.
profiled()
{
	"$t_build/measure-profile" a >table 2>words
	t_equal "$1: status" "$2" $?
	t_equal "$1: stderr" '' "$(cat words)"
	grep -qF -- "${3:-}" table || t_fail "$1: no word of '$3': $(cat table)"
	for format in csv folded html-fragment; do
		"$t_build/measure-profile" -t 2 --format $format a >$format 2>words
		t_equal "$1, $format: status" "$2" $?
		t_equal "$1, $format: stderr" '' "$(cat words)"
	done
	printed "$1" "$2" -t 2
	printed "$1, window" "$2" --from 20% --until 60%
	"$t_build/measure-profile" --tree a >table 2>words || [ $? = "$2" ] || t_fail "$1: --tree"
}

# refused WHAT WORDS: status 2, and one line
refused()
{
	"$t_build/measure-profile" a >table 2>words
	t_equal "$1: status" 2 $?
	t_equal "$1: stdout" '' "$(cat table)"
	t_equal "$1: lines" 1 "$(t_lines words)"
	grep -qF -- "$2" words || t_fail "$1: no word of '$2': $(cat words)"
}

# --- not all is there -------------------------------------------------------------------------
fresh
profiled sound 0 '2 processes, 3 locations, 56 events'
rm a/traces/*.evt
profiled 'no event files' 1 '3 event files could not be read to the end'
fresh
rm -r a/traces
profiled 'definitions alone' 1 '3 event files could not be read to the end'
fresh
for file in a/traces/*.evt; do : >"$file"; done
profiled 'empty event files' 1 'nothing to show'
for bytes in 17 18 19 40 100 150 251; do
	fresh
	truncate -s $bytes a/traces/1.evt
	profiled "cut after $bytes bytes" 1 '1 event file could not be read to the end'
done
fresh
rm a/traces/*.def
profiled 'no local definitions' 0 '56 events'

fresh
rm a/traces.def
refused 'no definitions' 'traces.def'
fresh
truncate -s 300 a/traces.def
refused 'cut definitions' 'traces.def'
fresh
: >a/traces.otf2
refused 'empty anchor' 'not a readable OTF2 archive'
echo 'no archive' >a/traces.otf2
refused 'text' 'not a readable OTF2 archive'
rm a/traces.otf2
refused 'no anchor' 'no .otf2 file'
rm -r a
refused 'nothing' 'No such file or directory'

# --- no events, one event ---------------------------------------------------------------------
if printf 'int main(void) { return 0; }\n' >nothing.c && ${CC:-cc} -o nothing nothing.c 2>words; then
	"$measure" -a none -o a ./nothing >words 2>&1
	profiled 'a program without regions' 0 '1 process, '
fi

# --- each kind of damage of events that measure-check knows -----------------------------------
nr_kinds=0
for id in $(grep -ho '"[a-z]*\.[a-z._]*"' "$t_source"/lib/*/*/*.def "$t_source"/lib/*/*.def | tr -d '"' | sort -u); do
	rm -rf a
	"$fabricate" "$id" a 2>words || continue
	printed "$id" 0 --from 20% --until 90%
	printed "$id" 0
	nr_kinds=$((nr_kinds + 1))
done
[ $nr_kinds -gt 50 ] || t_fail "only $nr_kinds kinds of damage"

# --- records that nobody knows yet ------------------------------------------------------------
# A record that has a length becomes one of a kind that OTF2 has not got: MpiSend, behind the Enter of main.
fresh
at=$(LC_ALL=C grep -obUaP '\016[\005-\020]\001' a/traces/0.evt | head -n 1 | cut -d: -f1)
[ -n "$at" ] || t_fail 'no MpiSend found'
printf '\310' | dd of=a/traces/0.evt bs=1 seek="$at" conv=notrunc 2>words
profiled 'unknown record' 0 '56 events'
grep -q '"record": "Unknown", "count": 1,' $json || t_fail "unknown record: $(grep '"record"' $json)"

# --- any byte ---------------------------------------------------------------------------------
for at in $(seq 18 9 345); do
	fresh
	printf '\377' | dd of=a/traces/0.evt bs=1 seek="$at" conv=notrunc 2>words
	json=json.$((nr_printed += 1))
	timeout 20 "$t_build/measure-profile" --format json a >$json 2>words
	status=$?
	[ $status -le 1 ] || t_fail "byte $at: status $status: $(cat words)"
done

# --- all of it is JSON ------------------------------------------------------------------------
[ -z "$python" ] || $python -c 'import json, sys
for path in sys.argv[1:]:
    with open(path) as file:
        json.load(file)' json.* 2>words || t_fail "JSON: $(tail -n 1 words)"
t_end
