#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: measure-check reads what another tool wrote and finds its known defects: EZTrace 2.0
# counts two events per location and gives each process a clock of its own.
set -u

for tool in eztrace mpicc mpirun python3; do
	command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(pwd)
tests=$(dirname "$0")/../..
. "$tests/mpirun.sh"

mpicc -o "$work/ring" "$tests/e2e/programs/mpi_ring.c" || { echo "skipped: mpicc does not work"; exit 77; }
(cd "$work" && mpirun -n 2 eztrace -t openmpi ./ring) >"$work/words" 2>&1
ls "$work"/ring_trace/*.otf2 >/dev/null 2>&1 || { echo "skipped: eztrace leaves no archive"; exit 77; }

"$here/measure-check" --json "$work/ring_trace" >"$work/out" 2>"$work/words"
status=$?
[ "$status" = 1 ] && [ ! -s "$work/words" ] || { cat "$work/words"; echo "exit status $status"; exit 1; }
python3 - "$work/out" <<'EOF' || exit 1
import json, sys
archive, = json.load(open(sys.argv[1]))
relation = {x["name"]: x for x in archive["relations"]}
found = {x["id"]: x["count"] for x in archive["checks"]}
assert relation["message"]["edges"] == 5, relation["message"]
assert relation["all-to-all"]["edges"] == 10, relation["all-to-all"]
assert found["location.count"] == 2 and found["definition.duplicate"] > 0, found
EOF
echo passed
