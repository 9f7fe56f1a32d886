#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: where one direction of the network takes longer than the other, by milliseconds and by
# chance, offsets are as wrong as that makes them and as their bounds say they may be; what
# measure-sync makes of it is sound.
. "$(dirname "$0")/lib.sh"
# Of three hosts the second answers late, and its clock looks wrong by half of that: by so much that
# also on a busy machine nothing else makes up for it.
delays='2=20000~4000'
with=${1:-d}
clock=offset=1ms,drift=20ppm,clock=realtime

need otf2-print
run "$here/hosts" -n 3 -"$with" "$delays" "$here/mpirun" -n 3 --map-by node ./measure \
	--clock "simulated:$clock" --sync-interval 1 -o "$work/archive" tests/cluster/meet 3
score archive "$clock"
# Clocks that run evenly are between two offsets no worse than at these.
awk '
	/^rank/ { nr_kept += $10 <= $13 && $17 == 0 }
	/^rank 1:/ { is_slow = $4 > 2000 }
	END { exit !(nr_kept == 2 && is_slow) }' "$work/archive.score" || fail "not as the network is"
correct archive
