#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: where nobody has measured clock offsets measure-sync finds them from messages, which makes
# times better than without; it does not where nothing is wrong or where offsets are there.
. "$(dirname "$0")/lib.sh"

generate()
{
	rm -rf "$work/in" "$work/truth"
	tests/sync/generate --truth "$work/truth" "$@" "$work/in" || fail generate
}

# correct NAME ARGUMENT...: nothing may be left
correct()
{
	name=$1
	shift
	rm -rf "${work:?}/$name"
	./measure-sync --json "$@" "$work/in" -o "$work/$name" >"$work/said" || fail "$*: status $?"
	./measure-check -q "$work/$name" || fail "$*: not sound"
}

# used KIND: what the last correction did first
used()
{
	grep -q "\"presynchronisation\": {\"kind\": \"$1\"" "$work/said" || fail "not $1"
}

# rms NAME: error of its times in ns
rms()
{
	"$here/oracle/oracle.py" accuracy "$work/$1" "$work/truth" | sed -n 's/^ *stamps *rms \([0-9]*\).*/\1/p'
}

# Processes 14 ms apart.
generate --program halo,collectives --ranks 5 --iterations 40 --clock offset=14000
correct none --presync=none
used none
correct messages
used messages
[ "$(rms messages)" -lt "$(($(rms none) / 2))" ] || fail "rms $(rms none) without, $(rms messages) with messages"
correct other --threads=3 --emit=events --presync=messages
if command -v otf2-print >/dev/null; then
	otf2-print "$work/messages/traces.otf2" >"$work/one"
	otf2-print "$work/other/traces.otf2" | cmp -s "$work/one" - || fail 'not the same times'
fi

# Rates that differ; threads.
generate --program mixed --ranks 4 --threads 2 --iterations 40 --work 1000000 --clock offset=500,drift=50 --seed 3
correct none --presync=none
correct messages
used messages
[ "$(rms messages)" -lt "$(rms none)" ] || fail "rms $(rms none) without, $(rms messages) with messages"

# One way only; nothing wrong; offsets that are there; again.
generate --program unmatched --ranks 3 --clock offset=14000
./measure-sync -q --presync=messages "$work/in" -o "$work/unmatched" || fail 'unmatched messages'
generate --program halo --ranks 4
correct sound
used piecewise
generate --program halo --ranks 4 --clock offset=100 --samples ends --rtt 40000
correct measured
used piecewise
echo passed
