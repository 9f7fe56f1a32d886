#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: eight hosts, whose clocks are 1000 s apart each: offsets, measured over three rounds, are
# within the stated bounds at the ends and in between; the archive can be corrected.
. "$(dirname "$0")/lib.sh"

need otf2-print
run "$here/hosts" -n 8 "$here/mpirun" -n 8 --map-by node ./measure --clock monotonic_raw \
	--sync-interval 0.5 -o "$work/archive" tests/cluster/meet 2
describe archive
awk -v RANKS=8 -v HOSTS=8 -v STEP=1000000000000 -f "$here/hosts.awk" "$work/definitions" "$work/offsets" ||
	fail "wrong offsets"
correct archive
