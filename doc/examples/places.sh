#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: two processes, each bound to a processor where there are two, and what their archive says of where they
# are, as doc/examples/places.py reads it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

command -v mpirun >/dev/null || { echo "mpirun is not installed"; exit 77; }
[ -x ./measure-topology ] || { echo "built without hwloc"; exit 77; }
python=
for candidate in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import otf2' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || { echo "no Python that has the otf2 module"; exit 77; }

bind=core
mpirun --bind-to core -n 2 true 2>/dev/null || bind=none # a machine of one core
mpirun --oversubscribe --bind-to $bind -n 2 ./measure --topology=always -o "$work/archive" doc/examples/heat2d 64 50
"$here/../../tests/soundness.sh" "$work/archive"
"$python" "$here/places.py" "$work/archive/traces.otf2" | tee "$work/places"

# Each process once in the tree, each thread with its processor; where they are bound, in different places.
[ "$(grep -c '^ *\* MPI Rank' "$work/places")" = 2 ]
[ "$(grep -c '^MPI Rank.*began on processor [0-9]' "$work/places")" = 4 ]
[ $bind = none ] || [ "$(grep -B 1 '^ *\* MPI Rank' "$work/places" | grep -v ' \* ' | sort | uniq | grep -c ' processors ')" = 2 ]
