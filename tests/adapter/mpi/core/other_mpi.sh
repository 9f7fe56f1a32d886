#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: one installation records programs of two MPI libraries: built for MPICH beside Open MPI, the adapter
# has a row for each of its functions, records what MPI 4 has brought, and leaves error handlers as they are
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
top=$(cd "$here/../../.." && pwd)
. "$here/mpirun.sh"
mpicc=$(sed -n 's/^OTHER_MPICC = //p' Makefile)
[ -e .libs/libmeasure-mpi-other.so ] || skip "the adapter is built for one MPI library only"
mpirun=$(printf '%s\n' "$mpicc" | sed 's,cc\([^/]*\)$,run\1,')
case $("$mpirun" --version 2>&1) in *HYDRA*) ;; *) skip "the other MPI library is not MPICH" ;; esac
grep -q 'HAVE_PMPI_Session_init 1' adapters/mpi/other_mpi.h || skip "MPICH is older than MPI 4"

MPICC=$mpicc "$top/tests/lint/mpi-calls" >"$work/words" || fail "$(cat "$work/words")"

# Each program gets the adapter of its library.
soname=$(sed -n 's/^#define MEASURE_OTHER_MPI_SONAME "\(.*\)"/\1/p' config.h)
"$mpicc" -w -I"$here" "$here/coll/blocking_coll.c" -o "$work/program" || fail "does not compile"
./measure --dry-run "$work/program" >"$work/words" || fail "a dry run ends with $?"
grep -q "libmeasure-mpi-other.so: the program is linked to $soname" "$work/words" || fail "$(cat "$work/words")"
./measure --dry-run tests/adapter/mpi/coll/blocking_coll.mpi >"$work/words" || fail "a dry run ends with $?"
grep -q 'libmeasure-mpi.so: the program is linked to' "$work/words" || fail "$(cat "$work/words")"

# So does each process of its launcher that opens the library later, as an interpreter does.
printf '%s\n' '#include <dlfcn.h>' 'int main(int argc, char **argv) {' \
	'	void *opened = dlopen(argv[1], RTLD_NOW);' \
	'	int (*function)(int, char **) = opened ? (int (*)(int, char **))dlsym(opened, "main") : 0;' \
	'	return function ? function(argc, argv) : 1; }' >"$work/opens.c"
"${CC:-cc}" "$work/opens.c" -o "$work/opens" -ldl || fail "does not compile"
"$mpicc" -w -shared -fPIC -I"$here" "$here/coll/blocking_coll.c" -o "$work/opened.so" || fail "does not compile"
"$mpirun" -n 3 ./measure --dry-run "$work/opens" >"$work/words" || fail "a dry run ends with $?"
[ "$(grep -c 'libmeasure-mpi-other.so: a launcher started' "$work/words")" = 3 ] || fail "$(cat "$work/words")"
"$mpirun" -n 3 ./measure -o "$work/of-opened" "$work/opens" "$work/opened.so" >"$work/words" 2>&1 ||
	fail "opened: $(cat "$work/words")"
otf2-print --silent -Werror "$work/of-opened/traces.otf2" >"$work/words" 2>&1 || fail "opened: $(cat "$work/words")"
otf2-print "$work/of-opened/traces.otf2" | grep -q 'MPI_COLLECTIVE_END.*ALLREDUCE' || fail "opened: no MPI is recorded"

source=$here/p2p/partitioned_p2p.c
. "$here/records.sh"
adapter=$PWD/.libs/libmeasure-mpi-other.so
mpirun_options="-outfile-pattern $work/printed-by-%r"
for program in p2p/partitioned_p2p calls/inherited_error_handler calls/large_counts coll/persistent_coll comm/sessions; do
	name=$(basename "$program")
	source=$here/$program.c
	expected=$here/$program.expected
	ranks=$(tell Ranks 1)
	order=$(tell Order certain)
	"$mpicc" -w -I"$here" "$source" -o "$work/$name" || fail "does not compile"
	check_program "$work/$name"
done
