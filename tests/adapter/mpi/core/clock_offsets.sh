#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: on simulated clocks, each rank's wrong by another offset and drift, the offsets
# measured at both ends are right to within the bounds that the archive states, and nothing
# happens before what it had to wait for by more than these bounds allow.
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"
[ -x ./measure ] || skip "measure is not built"
[ -x ./measure-check ] || skip "measure-check is not built"
command -v otf2-print >/dev/null || skip "no otf2-print"

run_mpi 4 ./measure -q --clock simulated:offset=1ms,drift=50ppm -o "$work/trace" \
	tests/adapter/mpi/comm/communicators.mpi >"$work/output" || fail "ends with $?"
./measure-check "$work/trace" >"$work/messages" 2>&1
[ $? -le 1 ] || fail "measure-check: $(cat "$work/messages")"
! grep ERROR "$work/messages" | grep -v clock.condition || fail "unsound"

otf2-print -G "$work/trace/traces.otf2" >"$work/definitions"
otf2-print -C "$work/trace/traces.otf2" >"$work/offsets"
awk -v NR_SAMPLES=2 -f "$here/truth.awk" "$work/definitions" "$work/offsets" "$work/messages" ||
	fail "offsets beyond their bounds"
