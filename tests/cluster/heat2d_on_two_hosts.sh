#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a hybrid program on two hosts, whose clocks are 1000 s apart, leaves one archive
# with the right nodes and offsets within the stated bound; after measure-sync no message is received
# before it is sent.
. "$(dirname "$0")/lib.sh"
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

need otf2-print
run "$here/hosts" "$here/mpirun" -n 4 -x OMP_NUM_THREADS -x OMP_WAIT_POLICY \
	"$PWD/measure" --clock monotonic_raw -o "$work/archive" "$PWD/doc/examples/heat2d" 64 50
grep -q 'right$' "$work/out" || fail "wrong result"

# one run directory, nothing left over in it
[ -z "$(find "$work" -maxdepth 1 -name 'archive.*')" ] || fail "the hosts made directories of their own"
[ ! -e "$work/archive/.parts" ] || fail "parts are left"
sound archive
correct archive

describe archive
awk -v RANKS=4 -v HOSTS=2 -v STEP=1000000000000 -f "$here/hosts.awk" "$work/definitions" "$work/offsets" ||
	fail "wrong offsets"

# Both ranks of a host are corrected the same way: they read one clock.
./measure-sync --json --domain=node "$work/archive" -o "$work/node" >"$work/report" || fail "measure-sync ends with $?"
grep -q '"clocks": 2,' "$work/report" || fail "processes of a host do not share its clock"
