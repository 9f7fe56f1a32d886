#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: on three hosts, whose ranks' clocks wander and are set once, offsets that are measured now
# and then follow them, as those of the ends alone cannot; each is right to within its bound.
. "$(dirname "$0")/lib.sh"
# The drift of rank K changes by up to K * 40 ppm every second; with this seed it stays below 150. That
# is what clocks may do. To be set by so much is for busy machines, where round trips are as long as
# the turns of processes: there is more to see than that. Early, as offsets are measured less and less
# often where it takes long: each time after at most twice as long.
clock=walk=40ppm,seed=143,step=100ms@3s,clock=realtime

# Measured every $1 seconds, 0: only at the ends.
record()
{
	run "$here/hosts" -n 3 "$here/mpirun" -n 3 --map-by node ./measure --clock "simulated:$clock" \
		--sync-interval "$1" -o "$work/every-$1" tests/cluster/meet 8
	echo "every $1 s:"
	score "every-$1" "$clock"
}

need otf2-print
record 0
record 0.5
# Of the ends one may be too poor to keep; then wall clocks are asked for the other, which do not
# know what this one does.
grep -q 'all:.* 0 missed$' "$work/every-0.5.score" || fail "offsets beyond their bounds"
awk '
	/^all:/ { median[FILENAME] = $3; bound[FILENAME] = $12; nr[FILENAME] = $14 }
	END {
		ends = ARGV[1]
		now_and_then = ARGV[2]
		if (median[ends] < 10000)
			print "MPI_Init took longer than until the clocks are set"
		else if (median[now_and_then] > median[ends] / 10)
			exit 1
		# 5 us: what the drift may change from one offset to the next.
		exit nr[now_and_then] >= 16 && median[now_and_then] > bound[now_and_then] + 5
	}' "$work/every-0.score" "$work/every-0.5.score" || fail "clocks are not followed"
