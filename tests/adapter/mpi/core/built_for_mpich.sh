#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: built for MPICH, the adapter has a row for each of its functions, records what MPI 4
# has brought, and leaves error handlers as they are
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
top=$(cd "$here/../../.." && pwd)
. "$here/mpirun.sh"
command -v mpicc.mpich >/dev/null && command -v mpirun.mpich >/dev/null || skip "no MPICH"
! grep -q '^MPICC = .*mpich' Makefile || skip "the adapter is built for MPICH anyway"
[ ! -e "$top/config.status" ] || skip "built in the source directory"

mkdir "$work/build"
(cd "$work/build" && "$top/configure" -q MPICC=mpicc.mpich) >"$work/words" 2>&1 ||
	fail "configure: $(tail -n 5 "$work/words")"
grep -q 'HAVE_PMPI_Session_init 1' "$work/build/config.h" || skip "MPICH is older than MPI 4"

# All libraries of this build but the adapter.
mkdir "$work/lib"
ln -s "$PWD"/.libs/lib*.so* "$work/lib"
rm "$work/lib/libmeasure-mpi.so"
mpicc.mpich -DHAVE_CONFIG_H -I"$work/build" -I"$top" -I"$top/lib/api" -std=gnu11 -fvisibility=hidden \
	-fPIC -shared -Wall -Werror -O1 "$top"/adapters/mpi/*/*.c \
	-Wl,--version-script="$top/adapters/mpi/mpi.map" -L.libs -Wl,-rpath,"$PWD/.libs" -lmeasure \
	-o "$work/lib/libmeasure-mpi.so" >"$work/words" 2>&1 || fail "$(head -n 20 "$work/words")"
(cd "$work/build" && "$top/tests/lint/mpi-calls") >"$work/words" || fail "$(cat "$work/words")"

source=$here/p2p/partitioned_p2p.c
. "$here/records.sh"
export MEASURE_LIBDIR=$work/lib
adapter=$work/lib/libmeasure-mpi.so
mpirun=mpirun.mpich
mpirun_options="-outfile-pattern $work/printed-by-%r"
for program in p2p/partitioned_p2p calls/inherited_error_handler calls/large_counts coll/persistent_coll comm/sessions; do
	name=$(basename "$program")
	source=$here/$program.c
	expected=$here/$program.expected
	ranks=$(tell Ranks 1)
	order=$(tell Order certain)
	mpicc.mpich -w -I"$here" "$source" -o "$work/$name" || fail "does not compile"
	check_program "$work/$name"
done
