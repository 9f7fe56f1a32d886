#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-sync as a command: what it corrects, what it leaves alone, what it refuses
. "$(dirname "$0")/../lib.sh"
sync=$t_build/measure-sync
fabricate=$t_build/tests/unit/trace/fabricate
cd "$work" || exit 1

# sum DIRECTORY: of all that is in it
sum()
{
	(cd "$1" && find . -type f | sort | xargs sha256sum | sha256sum)
}

# corrects NAME ARGUMENT...: status 0, a sound archive in NAME
corrects()
{
	name=$1
	shift
	"$sync" -o "$name" "$@" >out 2>err || t_fail "measure-sync $*: status $?: $(cat out err)"
	t_equal "$*: stderr" '' "$(cat err)"
	"$MEASURE_CHECK" -q "$name" || t_fail "$*: not sound: $("$MEASURE_CHECK" "$name")"
}

# refuses PATTERN ARGUMENT...: status 2, one line, nothing written
refuses()
{
	pattern=$1
	shift
	ls -A >before
	"$sync" "$@" >out 2>err
	t_equal "$*: status" 2 $?
	t_equal "$*: stdout" '' "$(cat out)"
	t_equal "$*: lines on stderr" 1 "$(t_lines err)"
	grep -q -E "^measure-sync: .*$pattern" err || t_fail "$*: stderr: '$(cat err)'"
	ls -A | diff before - >difference || t_fail "$*: left over: $(cat difference)"
}

touch before out err difference
for name in sound clock.condition; do
	"$fabricate" "$name" "$name" || t_fail "fabricate $name"
done
before=$(sum clock.condition)

# A message that arrives before it is sent, either way of writing the result.
"$MEASURE_CHECK" -q clock.condition && t_fail 'nothing to correct'
corrects offsets clock.condition
corrects events --emit=events --report=events.json clock.condition/traces.otf2
corrects one --threads=1 --emit=events clock.condition
corrects jumps --backward=none clock.condition
corrects locations --domain=location --presync=none clock.condition
corrects full --statistics=full --report=full.json clock.condition
grep -q 'verified: no event precedes its cause' out || t_fail "$(cat out)"
grep -q '"read_back": {"good": true,' full.json || t_fail "$(cat full.json)"
t_equal 'lines of more than 80 columns' '' "$(grep -v '^/' out | grep -E '.{81}')"
corrects alone --gamma=1 --lmin=process=1ns,node=2us,network=0.1ms clock.condition
t_equal input "$before" "$(sum clock.condition)"
grep -q '"result": {"reversed": 0, "violated": 0,' events.json || t_fail "$(cat events.json)"
for location in offsets/traces/*.evt; do
	[ "$location" -ef "clock.condition/${location#*/}" ] ||
		cmp -s "$location" "clock.condition/${location#*/}" || t_fail "$location: not shared"
done
for location in events/traces/*.evt; do
	t_equal "links of $location" 1 "$(stat -c %h "$location")"
	cmp "$location" "one/${location#*/}" || t_fail 'the number of threads matters'
done
if command -v otf2-print >/dev/null; then
	otf2-print offsets/traces.otf2 >offsets.txt
	otf2-print events/traces.otf2 | diff offsets.txt - >difference ||
		t_fail "offsets and events differ: $(head -n 5 difference)"
	otf2-print -G clock.condition/traces.otf2 | grep -v CLOCK_PROPERTIES >definitions.txt
	otf2-print -G offsets/traces.otf2 | grep -v CLOCK_PROPERTIES | diff definitions.txt - >difference ||
		t_fail "definitions differ: $(head -n 5 difference)"
fi

# What is right stays as it is, also the result of a correction.
for name in sound offsets; do
	corrects again.$name --json --lmin=node=0,network=0 $name
	grep -q '"moved": 0,' out || t_fail "$name: moved: $(cat out)"
done

# In place, with what else is there.
cp -r clock.condition place
echo text >place/notes
mkdir place/more && echo text >place/more/notes
"$sync" -q --in-place place >out 2>err || t_fail "--in-place: status $?: $(cat err)"
t_equal 'in place: output' '' "$(cat out err)"
"$MEASURE_CHECK" -q place || t_fail 'in place: not sound'
t_equal 'in place: other files' 'text text' "$(echo $(cat place/notes place/more/notes))"
t_equal 'in place: left over' place "$(echo place*)"

# Whenever it is killed, the input is whole, and the output is whole or not there.
before=$(sum clock.condition)
for delay in 0.001 0.003 0.006 0.01 0.02 0.04; do
	cp -r clock.condition killed
	timeout -s KILL $delay "$sync" -q --in-place killed
	timeout -s KILL $delay "$sync" -q clock.condition -o out.killed
	"$MEASURE_CHECK" -q killed
	[ $? -le 1 ] || t_fail "killed after $delay s: $("$MEASURE_CHECK" killed)"
	[ ! -e out.killed ] || "$MEASURE_CHECK" -q out.killed || t_fail "killed after $delay s: half"
	rm -rf killed* out.killed*
done
t_equal 'input after kills' "$before" "$(sum clock.condition)"

# An incomplete archive.
cp -r clock.condition missing
rm "$(ls missing/traces/*.evt | tail -n 1)"
"$sync" missing -o missing.sync >out 2>err || t_fail "a file missing: status $?: $(cat err)"
grep -q 'cannot be read to their end' out || t_fail "a file missing: $(cat out)"

refuses 'no archive given'
refuses 'no output given' sound
refuses 'one archive at a time' sound sound -o x
refuses 'are mutually exclusive' sound --in-place -o x
refuses 'exists' sound -o offsets
refuses 'No such file' nowhere -o x
refuses 'No such file' sound -o nowhere/x
refuses "not one of offsets, events" sound -o x --emit=both
refuses "is not a list like process=0" sound -o x --lmin=node=50
refuses "is not a list like process=0" sound -o x --lmin=moon=50ns
refuses "not one of short, full" sound -o x --statistics=none
refuses "is not a range like 1.5:20" sound -o x --statistics=full --window=5:1
refuses "is not a range like 1.5:20" sound -o x --statistics=full --window=5
refuses "requires --statistics=full" sound -o x --window=1:2
refuses "is not a number like 0.99999" sound -o x --gamma=1.5
refuses "is not a number from 1" sound -o x --threads=0
# The first timestamp behind the chunk header: the next one is earlier then.
cp -r sound backward
at=$(LC_ALL=C grep -obUaP '\144\000\000\000\000\000\000\000' backward/traces/0.evt | tail -n 1 | cut -d: -f1)
printf '\164' | dd of=backward/traces/0.evt bs=1 seek="$at" conv=notrunc 2>err
refuses 'earlier than the previous event' backward -o x
refuses 'no .otf2 file' "$work/place/more" -o x
cp -r sound damaged
head -c 100 sound/traces.def >damaged/traces.def
refuses 'damaged' damaged -o x
echo nonsense >damaged/traces.otf2
refuses 'traces.otf2: not a readable OTF2 archive' damaged -o x
t_end
