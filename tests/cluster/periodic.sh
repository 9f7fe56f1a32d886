#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: on three hosts, whose ranks' clocks wander, offsets that are measured now and then are
# nearer to the truth than those of the ends alone, and each is right to within its bound.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The drift of rank K changes by up to K * 20 ppm every second; with this seed it stays below 100.
clock=walk=20ppm,seed=24,clock=realtime
seconds=${CLUSTER_SECONDS:-10}

fail()
{
	echo "$*"
	exit 1
}

# Measured every $1 seconds, 0: only at the ends.
record()
{
	"$here/hosts" -n 3 "$here/mpirun" -n 3 --map-by node ./measure --clock "simulated:$clock" \
		--sync-interval "$1" -o "$work/every-$1" tests/cluster/meet "$seconds" \
		>"$work/out" 2>"$work/words"
	status=$?
	[ $status != 77 ] || { cat "$work/out"; exit 77; }
	[ $status = 0 ] && ! grep -v 'setpgid' "$work/words" | grep -q . || { cat "$work/words"; fail "ends with $status"; }
	otf2-print -G "$work/every-$1/traces.otf2" >"$work/definitions"
	otf2-print -C "$work/every-$1/traces.otf2" >"$work/offsets"
	awk -f "$here/truth.awk" "$work/definitions" "$work/offsets" |
		tests/cluster/truth "$clock" 1e9 >"$work/score-$1" || fail "no score"
	echo "every $1 s:"
	cat "$work/score-$1"
}

[ -x ./measure ] || { echo "measure is not built"; exit 77; }
command -v otf2-print >/dev/null || { echo "no otf2-print"; exit 77; }
record 0
record 0.5
# Of the ends one may be too poor to keep; then wall clocks are asked for the other, which do not
# know that this one wanders.
grep -q 'all:.* 0 missed$' "$work/score-0.5" || fail "offsets beyond their bounds"
# Where processes seldom run at the same time, round trips take as long as their turns, and bounds
# are greater than what there is to see.
awk '
	/^all:/ { rms[FILENAME] = $3; bound[FILENAME] = $9; nr[FILENAME] = $11 }
	END {
		if (nr[ARGV[2]] < 8 || bound[ARGV[2]] > rms[ARGV[1]])
			exit 77
		exit !(rms[ARGV[2]] < rms[ARGV[1]] / 2)
	}' "$work/score-0" "$work/score-0.5"
status=$?
[ $status != 77 ] || echo "this machine is too busy to measure well enough"
[ $status = 0 ] || [ $status = 77 ] || fail "no better than the ends alone"
exit $status
