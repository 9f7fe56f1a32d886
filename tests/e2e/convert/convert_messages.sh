#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-convert: each message of an archive is in Perfetto's, Chrome's and Graphviz' formats and no other, as otf2-print tells them; too many are left out, with a word; waits are those of measure-analyze; corrected clocks
. "$(dirname "$0")/../lib.sh"
generate=$t_build/tests/sync/generate
for python in /usr/bin/python3 python3; do
	"$python" -c 'import google.protobuf' 2>"$work/words" && break
	python=
done
[ -n "$python" ] || t_skip 'no google.protobuf module of Python'
command -v protoc >/dev/null || t_skip 'no protoc'
command -v dot >/dev/null || t_skip 'no dot of Graphviz'
[ -x "$generate" ] || t_skip 'tests/sync/generate is not built'
cd "$work" || exit 1
protoc -I "$t_here" --python_out=. perfetto.proto 2>words || t_skip "protoc: $(cat words)"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$work

# convert ARCHIVE FORMAT OPTION...: to ARCHIVE.FORMAT
convert()
{
	"$t_build/measure-convert" "$1" --to "$2" -o "$1.$2" "${@:3}" 2>words || t_fail "$*: status $?: $(cat words)"
}

# check WORD ARGUMENT...: of converted.py
check()
{
	"$python" "$t_here/converted.py" "$@" >said 2>&1 || t_fail "$*: $(tail -n 2 said)"
}

# labels FILE WORD: the sum of what stands in labels before the word
labels()
{
	sed -n "s/.*label=\"\([0-9]*\) $2.*/\1/p" "$1" | awk '{ sum += $1 } END { print sum + 0 }'
}

while read -r name arguments; do
	"$generate" --program mixed,order,any $arguments "$name" || t_fail "$name: generate"
	otf2-print -G "$name/traces.otf2" >"$name.printed"
	otf2-print "$name/traces.otf2" >>"$name.printed"
	for format in perfetto chrome speedscope; do
		flows=
		[ $format = speedscope ] || flows=--flows=1000000
		convert "$name" $format --sync none $flows
		t_equal "$name, $format: stderr" '' "$(cat words)"
	done
	check same "$name.perfetto" "$name.chrome" "$name.speedscope"
	check flows "$name.perfetto" "$name.printed"
	echo "$name: $(cat said)"
	nr_messages=$(sed -n 's/ messages$//p' said)
	[ "$nr_messages" -gt 0 ] || t_fail "$name: no messages"
	# what a task interrupts and does makes more of them
	grep -q '^THREAD_TASK' "$name.printed" ||
		t_equal "$name: begins" "$(grep -cE '^ENTER ' "$name.printed")" "$(grep -c '"ph":"B"' "$name.chrome")"
	convert "$name" dot --sync none --graph communication --prune 0%
	dot -Tsvg "$name.dot" >"$name.svg" 2>words || t_fail "$name: dot: $(cat words)"
	t_equal "$name: dot says" '' "$(cat words)"
	t_equal "$name: messages of the graph" "$nr_messages" "$(labels "$name.dot" messages)"
	convert "$name" dot --sync none --prune 0%
	dot -Tsvg "$name.dot" >"$name.svg" 2>words || t_fail "$name: dot: $(cat words)"
	t_equal "$name: edges of the call graph" "$(grep -c -- '->' "$name.dot")" "$(grep -c '<title>r[0-9]*&#45;&gt;r[0-9]*' "$name.svg")"
done <<-'LIST'
	true --ranks 4 --iterations 60 --renumber 1
	threads --ranks 3 --threads 2 --iterations 40
LIST

# No more arrows than asked for; the longest waits stay.
convert true chrome --sync none --flows=7
grep -q '^measure-convert: chrome: 7 of [0-9]* messages are drawn' words || t_fail "7 flows: $(cat words)"
t_equal '7 flows' '7 7' "$(grep -c '"ph":"s"' true.chrome) $(grep -c '"ph":"f"' true.chrome)"
convert true chrome --sync none --flows=none
t_equal 'no flows' '0 ' "$(grep -c '"ph":"[sf]"' true.chrome) $(cat words)"

# Waiting time on the tracks of waits is that of measure-analyze.
cat >waits.py <<'END'
import json, sys
sys.path.insert(0, sys.argv[1])
from converted import read_perfetto
trace = read_perfetto(sys.argv[2])
shown = sum(end[0] - begin[0] for waits in trace.waits.values() for begin, end in zip(waits[::2], waits[1::2]))
with open(sys.argv[3], encoding="utf-8") as file:
    analysis = json.load(file)
print(shown, analysis["waiting_ns"] if "waiting_ns" in analysis else sorted(analysis))
END
"$t_build/measure-analyze" --sync none --format json true >true.json 2>words
"$python" waits.py "$t_here" true.perfetto true.json >said 2>&1
read -r shown waiting <said
[ "$shown" -gt 0 ] && [ "$shown" = "$waiting" ] || t_fail "waiting time: $(cat said)"

# Clocks that disagree: messages go back in time, unless they are corrected.
"$generate" --program mixed --ranks 4 --iterations 60 --clock offset=200,drift=20 wrong
cat >backward.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from converted import read_chrome
print(sum(flow.receive_ns < flow.send_ns for flow in read_chrome(sys.argv[2]).flows))
END
convert wrong chrome --sync none
[ "$("$python" backward.py "$t_here" wrong.chrome)" -gt 0 ] || t_fail 'wrong clocks: no message goes back in time'
convert wrong chrome
t_equal 'corrected clocks: messages that go back in time' 0 "$("$python" backward.py "$t_here" wrong.chrome)"
t_end
