#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-compare finds the function that became five times as long, nothing where nothing changed, and says in one line what cannot be compared; JSON and JUnit XML are well-formed
. "$(dirname "$0")/../lib.sh"
compare=$t_build/measure-compare
cd "$work" || exit 1
gcc -O1 -g -finstrument-functions -o spin "$t_here/spin.c" || t_fail 'the program does not compile'
for run in 1 2 3 4 5; do
	"$measure" -o old$run ./spin 100 || t_fail "old$run: ended with $?"
	"$measure" -o new$run ./spin 500 || t_fail "new$run: ended with $?"
done
old=old1,old2,old3,old4,old5
new=new1,new2,new3,new4,new5

# compared STATUS ARGUMENT...: into out
compared()
{
	"$compare" "${@:2}" >out 2>err
	t_equal "$*: status" "$1" $?
	t_equal "$*: stderr" '' "$(cat err)"
}

# A tenth of the time takes five times as long: the function, and with it the run. Nothing more is asked, because the machine
# may have other work, which can make the rest slower, too.
compared 1 $old $new
grep -q ' [3-8]\.[0-9]* .* slower  main/tenth$' out || t_fail "tenth: $(cat out)"
t_equal 'wider than a terminal' '' "$(grep -E '.{81}' out)"

# That is less than a limit of 2000 %; the other way round it is faster; and a run is as fast as itself.
compared 0 --fail-above 2000% $old $new
"$compare" $new $old >out
grep -q ' faster  main/tenth$' out || t_fail "back: $(cat out)"
compared 0 $old $old

# Formats.
compared 1 --format folded $old $new
grep -q '^main;tenth [0-9]* [0-9]*$' out || t_fail "folded: $(cat out)"
if command -v python3 >/dev/null; then
	compared 1 --format json $old $new
	python3 -c '
import json
found = json.load(open("out"))
row = next(path for path in found["paths"] if path["name"].endswith("tenth"))
assert row["verdict"] == "slower" and 3 < row["value"] < 9, row
assert found["regressions"] >= 1' || t_fail "JSON: $(head -c 300 out)"
	compared 1 --format junit $old $new
	python3 -c '
import xml.etree.ElementTree as tree
cases = {case.get("name"): case for case in tree.parse("out").iter("testcase")}
assert cases["main/tenth"].find("failure") is not None' || t_fail "JUnit: $(cat out)"
fi

# One run on a side tells nothing, but if it is asked to.
compared 0 old1 new1
head -n 1 out | grep -q '^unclear' || t_fail "one: $(head -n 1 out)"
compared 1 --single old1 new1

# What cannot be compared: one line, nothing on stdout.
mkdir empty
for arguments in '' 'old1' 'old1 nowhere' 'old1 empty' 'old1, new1' 'old1 new1 new2' '--fail-above many old1 new1' '--format text2 old1 new1' \
	'--map tenth old1 new1' '--paired old1,old2 new1'; do
	"$compare" $arguments >out 2>err
	t_equal "'$arguments': status" 2 $?
	t_equal "'$arguments': lines" '0 1' "$(t_lines out) $(grep -c '^measure-compare: ' err)"
done
t_end
