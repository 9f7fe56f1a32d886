#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: measure-check as a command: exit status and output for sound, violating and missing
# archives, several at once, as text and as JSON.
set -u

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fabricate=tests/unit/trace/fabricate

fail()
{
	echo "failed: $*"
	cat "$work/out" "$work/words"
	exit 1
}

# run STATUS ARGUMENT...: runs measure-check, output in $work/out, stderr in $work/words
run()
{
	expected=$1
	shift
	./measure-check "$@" >"$work/out" 2>"$work/words"
	status=$?
	[ "$status" = "$expected" ] || fail "measure-check $*: exit status $status, not $expected"
}

says() { grep -qF -- "$1" "$work/out" || fail "no '$1' in the output"; }
one_line() { [ "$(wc -l <"$work/words")" = 1 ] || fail "not one line on stderr"; }
silent() { [ ! -s "$work/$1" ] || fail "output on $1"; }

for name in sound message.unmatched clock.condition clock.realtime; do
	"$fabricate" "$name" "$work/$name" || fail "fabricate $name"
done

run 0 "$work/sound"
silent words
says "sound (" && says "2 processes, 3 locations" && says "nonblocking message"
grep -Eq '^  messages sent +2 +16 +0$' "$work/out" || fail "not what was sent"
run 0 "$work/sound/traces.otf2"
run 0 -q "$work/sound"
silent out
run 0 -v "$work/sound"
says "ok      message.unmatched"

run 0 "$work/clock.realtime"
says "warning clock.realtime"

run 1 "$work/message.unmatched"
silent words
says "ERROR   message.unmatched: 1 x"
says "a name, Master thread, 0.0"
says "send to rank 1, tag 7, 8 bytes, communicator 0 (a name): no receive"
run 1 "$work/clock.condition"
says "0.000000005 s before a name, Master thread"

# Nobody reads: ended as other commands are, and no word of the archive.
{
	sleep 0.2
	./measure-check "$work/sound" "$work/sound" 2>"$work/words"
	echo $? >"$work/out"
} | true
grep -qx 141 "$work/out" || grep -q 'cannot write the results' "$work/words" || fail "a closed pipe"
! grep -q damaged "$work/words" || fail "a closed pipe is none of the archive's"

# The worst of several counts.
run 1 "$work/sound" "$work/message.unmatched"
run 2 "$work/message.unmatched" "$work/nowhere"
one_line
grep -q "^measure-check: $work/nowhere: " "$work/words" || fail "the message does not name the file"

run 2
one_line
run 2 --nonsense "$work/sound"
silent out
run 2 "$work"
one_line
mkdir "$work/unfinished" "$work/unfinished/.parts"
run 2 "$work/unfinished"
grep -q measure-repair "$work/words" || fail "no word about measure-repair"

run 0 --help
says "Usage: measure-check"
run 0 --version
says "measure-check"

run 2 --json "$work/sound" "$work/message.unmatched" "$work/nowhere"
one_line
if command -v python3 >/dev/null; then
	python3 - "$work/out" <<'EOF' || fail "the JSON is wrong"
import json, sys
a, b, c = json.load(open(sys.argv[1]))
assert [x["status"] for x in (a, b, c)] == ["sound", "violations", "unreadable"]
assert a["events"] == 56 and a["errors"] == 0
found = {x["id"]: x for x in b["checks"] if x["count"]}
assert list(found) == ["message.unmatched"], found
case = found["message.unmatched"]["cases"][0]
assert case["location"] == 0 and case["name"] == "a name, Master thread"
traffic = {x["id"]: (x["count"], x["bytes_out"], x["bytes_in"]) for x in a["traffic"]}
assert traffic["messages_received"] == (2, 0, 16) and traffic["collective_calls"] == (2, 16, 16)
assert traffic["rma_put"] == (0, 0, 0)
relation = {x["name"]: x for x in a["relations"]}
assert relation["message"]["edges"] == 1 and relation["message"]["row"] == 1
EOF
fi
echo passed
