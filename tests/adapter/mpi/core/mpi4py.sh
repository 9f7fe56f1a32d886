#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a Python program on mpi4py is recorded whole under mpirun, without a word from its user,
# and, where --adapters says so, without mpirun.
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"
[ -x ./measure ] || skip "measure is not built"

# One that has mpi4py for the library that the adapter is built for.
soname=$(sed -n 's/^#define MEASURE_MPI_SONAME "\(.*\)"/\1/p' config.h)
for python in python3 /usr/bin/python3 none; do
	object=$("$python" -c 'import mpi4py.MPI; print(mpi4py.MPI.__file__)' 2>/dev/null) || continue
	! readelf -d "$object" | grep -q "NEEDED.*\[$soname\]" || break
done
[ "$python" != none ] || skip "no Python with mpi4py for $soname"
python=$("$python" -c 'import sys; print(sys.executable)')

run_mpi 3 "$python" "$here/core/mpi4py_program.py" >"$work/plain" || fail "ends with $?"
run_mpi 3 ./measure -q -o "$work/trace" "$python" "$here/core/mpi4py_program.py" >"$work/traced" ||
	fail "under measure: ends with $?"
cmp "$work/plain" "$work/traced" || fail "other output under measure"
sh "$here/../../soundness.sh" "$work/trace" || exit 1
otf2-print "$work/trace/traces.otf2" >"$work/printed"

# Once on each of three ranks.
while read -r record; do
	[ "$(grep -c "^$record" "$work/printed")" = 3 ] || fail "not three times: $record"
done <<'END'
ENTER .*"MPI_Init_thread"
ENTER .*"MPI_Finalize"
ENTER .*"MPI_Probe"
ENTER .*"MPI_Send_init"
ENTER .*"MPI_Cart_create"
ENTER .*"MPI_Irecv"
ENTER .*"__main__.<module>"
ENTER .*"mpi4py.MPI.Comm.Probe"
ENTER .*"mpi4py.MPI.Comm.Set_name"
MPI_COLLECTIVE_END .*ALLREDUCE.*Sent: 16000
END

./measure -q --adapters=+mpi -o "$work/single" "$python" -c \
	'from mpi4py import MPI; MPI.COMM_WORLD.Barrier(); print(3)' >"$work/traced" ||
	fail "without mpirun: ends with $?"
[ "$(cat "$work/traced")" = 3 ] || fail "without mpirun: other output"
otf2-print "$work/single/traces.otf2" | grep -q '^MPI_COLLECTIVE_END .*BARRIER' ||
	fail "without mpirun: no collective"
exit 0
