#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: measure-check reads what another tool wrote and finds its known defects: EZTrace 2.0
# counts two events per location and gives each process a clock of its own.
set -u

command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(pwd)
tests=$(cd "$(dirname "$0")/../.." && pwd)
. "$tests/mpirun.sh"
. "$tests/eztrace.sh"

(cd "$work" && eztrace_ring "$tests/e2e/programs/mpi_ring.c" 2) >"$work/reason" || { echo "skipped: $(cat "$work/reason")"; exit 77; }

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
