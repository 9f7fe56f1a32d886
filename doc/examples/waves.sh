#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the example in Python prints the same with and without measure on two ranks, and each of its functions is
# in the archive as often as it says.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
command -v "$mpirun" >/dev/null || { echo "no launcher of MPI programs"; exit 77; }
[ -x ./measure ] || { echo "no ./measure"; exit 77; }
soname=$(sed -n 's/^#define MEASURE_MPI_SONAME "\(.*\)"/\1/p' config.h)
for python in python3 /usr/bin/python3 none; do
	object=$("$python" -c 'import mpi4py.MPI; print(mpi4py.MPI.__file__)' 2>/dev/null) || continue
	! readelf -d "$object" | grep -q "NEEDED.*\[$soname\]" || break
done
[ "$python" != none ] || { echo "no Python with mpi4py for $soname"; exit 77; }
python=$("$python" -c 'import sys; print(sys.executable)')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/../../tests/mpirun.sh"

"$mpirun" -n 2 "$python" "$here/waves.py" 200 100 >"$work/plain"
MEASURE_OVERHEAD=off "$mpirun" -n 2 ./measure -q -o "$work/archive" "$python" "$here/waves.py" 200 100 >"$work/traced"
cmp "$work/plain" "$work/traced"
cat "$work/plain"
"$here/../../tests/soundness.sh" "$work/archive"

otf2-print "$work/archive/traces.otf2" >"$work/events"
grep -v '^energy' "$work/plain" | while read -r name count; do
	found=$(grep -c "^ENTER .*\"__main__\\.$name\"" "$work/events")
	[ "$found" = "$count" ] || { echo "$name: $found calls are in the archive"; exit 1; }
done
# Two messages for each exchange, but none at the ends of the string; by a function of C that is called MPI_Sendrecv.
exchanges=$(awk '$1 == "String.exchange" { print $2 }' "$work/plain")
[ "$(grep -c '^ENTER .*"mpi4py.MPI.Comm.Sendrecv"' "$work/events")" = $((2 * exchanges)) ]
[ "$(grep -c '^MPI_SEND ' "$work/events")" -ge "$exchanges" ]
