#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a hybrid program on two hosts, whose clocks are 1000 s apart, leaves one archive
# with the right nodes, offsets within the stated bound, and no message received before it is sent.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

fail()
{
	echo "$*"
	exit 1
}

[ -x ./measure ] || { echo "measure is not built"; exit 77; }
"$here/hosts" "$here/mpirun" -n 4 -x OMP_NUM_THREADS -x OMP_WAIT_POLICY \
	"$PWD/measure" --clock monotonic_raw -o "$work/archive" "$PWD/doc/examples/heat2d" 64 50 \
	>"$work/out" 2>"$work/words"
status=$?
cat "$work/out" "$work/words"
# Open MPI's own launcher warns now and then that it lost a race for setpgid.
[ $status != 0 ] || ! grep -v 'setpgid' "$work/words" | grep -q . || fail "words on stderr"
[ $status = 0 ] || exit $status
grep -q 'right$' "$work/out" || fail "wrong result"

# one run directory, nothing left over in it
[ -z "$(find "$work" -maxdepth 1 -name 'archive.*')" ] || fail "the hosts made directories of their own"
[ ! -e "$work/archive/.parts" ] || fail "parts are left"
"$here/../soundness.sh" "$work/archive" || exit 1
./measure-check "$work/archive" || fail "measure-check does not accept"

otf2-print -G "$work/archive/traces.otf2" >"$work/definitions"
otf2-print -C "$work/archive/traces.otf2" >"$work/offsets"
awk -v STEP=1000000000000 -f "$here/hosts.awk" "$work/definitions" "$work/offsets"
