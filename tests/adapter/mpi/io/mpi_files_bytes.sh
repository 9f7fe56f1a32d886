#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: what an archive says of files is what the program did, as Python's otf2 module reads it
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"

[ -x ./measure ] || skip "measure is not built"
/usr/bin/python3 -c 'import otf2' 2>/dev/null || skip "no Python module otf2"

cat >"$work/expected" <<'END'
alone.0: 2 handles, 1 processes, 4 bytes written, 4 read, highest offset 0
alone.1: 2 handles, 1 processes, 8 bytes written, 4 read, highest offset 4
alone.2: 2 handles, 1 processes, 12 bytes written, 4 read, highest offset 8
together.0: 4 handles, 3 processes, 720 bytes written, 612 read, highest offset 280, deleted
open: 0
END

# Whatever implements files in the library, and whatever calls it makes for that.
try()
{
	rm -rf "$work/trace"
	run_mpi 3 ./measure -q --mpi-groups=all -o "$work/trace" tests/adapter/mpi/io/mpi_files.mpi ||
		fail "$1: ends with $?"
	/usr/bin/python3 "$here/io/mpi_files_bytes.py" "$work/trace/traces.otf2" >"$work/found" 2>&1
	diff "$work/expected" "$work/found" || fail "$1: the archive says something else"
	./measure-check "$work/trace" >"$work/found" || fail "$1: $(cat "$work/found")"
	awk '/files opened/ { opened = $3 } /operations on files/ { bytes = $5 " " $6 }
		END { exit !(opened == 18 && bytes == "744 624") }' "$work/found" ||
		fail "$1: measure-check counts something else"
	otf2-print -G "$work/trace/traces.otf2" |
		grep -E '"MPI_(Status_set_elements|Type_size)(_x)?"' &&
		fail "$1: there are calls that the program does not make"
	"$here/../../soundness.sh" "$work/trace" || fail "$1: not sound"
}

try default
romio=$(ompi_info 2>/dev/null | sed -n 's/.*MCA io: \(romio[0-9]*\) .*/\1/p')
if [ -n "$romio" ]; then
	export OMPI_MCA_io="$romio"
	try "$romio"
fi
exit 0
