#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: the example of OpenSHMEM gives the right answer by itself and under measure, and the archive has the puts, bytes and atomics that it says
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v oshcc >/dev/null || { echo 'skipped: no oshcc'; exit 77; }
. "$here/../../tests/mpirun.sh"
. "$here/../../tests/oshmem.sh"
oshcc -O2 -g -o "$work/ring" "$here/ring_of_pes.c" 2>/dev/null || { echo 'skipped: oshcc does not work'; exit 77; }
timeout 60 oshrun -n 3 "$work/ring" >"$work/plain" 2>/dev/null || { echo 'skipped: OpenSHMEM does not work here'; exit 77; }
cat "$work/plain"
[ "$(cat "$work/plain")" = 'puts 120, bytes 480000, atomics 60, largest 420' ] || [ "$(sed 's/largest.*//' "$work/plain")" = 'puts 120, bytes 480000, atomics 60, ' ]
[ -x ./measure ] || exit 0
timeout 60 oshrun -n 3 ./measure -q -o "$work/archive" "$work/ring" >"$work/traced"
cmp "$work/plain" "$work/traced"
"$here/../../tests/soundness.sh" "$work/archive"
command -v otf2-print >/dev/null || exit 0

otf2-print "$work/archive/traces.otf2" | awk '
	/^RMA_PUT / { puts++; match($0, /Bytes: [0-9]+/); bytes += substr($0, RSTART + 7, RLENGTH - 7) }
	/^RMA_ATOMIC / { atomics++ }
	/^RMA_OP_COMPLETE_(NON_)?BLOCKING / { ends++ }
	END { printf "puts %d, bytes %d, atomics %d, ends %d\n", puts, bytes, atomics, ends }' | tee "$work/found"
[ "$(sed 's/, ends.*//' "$work/found")" = "$(sed 's/, largest.*//' "$work/plain")" ]
grep -q ', ends 180$' "$work/found"
