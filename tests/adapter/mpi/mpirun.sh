# SPDX-License-Identifier: BSD-3-Clause
# For the MPI tests to source: $name is the test's name, $source its program's source, $here this
# folder.
. "$here/../../mpirun.sh"
unset MEASURE_MPI_GROUPS

skip()
{
	echo "$name: skipped: $*"
	exit 77
}

fail()
{
	echo "$name: $*"
	exit 1
}

# A field of the source's first comment, or a default.
tell()
{
	sed -n "s/^\( \*\|!\) $1: //p; /\*\//q" "$source" | grep . || echo "$2"
}

run_mpi()
{
	run_mpi_ranks=$1
	shift
	# shellcheck disable=SC2086 # options on purpose
	timeout 180 "$mpirun" $mpirun_options -n "$run_mpi_ranks" "$@"
	run_mpi_status=$?
	# What the ranks print on one stream is mixed up by letters with some launchers.
	cat "$work"/printed-by-* 2>/dev/null
	rm -f "$work"/printed-by-*
	return $run_mpi_status
}

# The launcher of Open MPI 5.0.7 crashes where one job has several programs (PMIx of Debian 13).
choose_programs()
{
	"$mpirun" -n 1 true : -n 1 true >/dev/null 2>&1 || export T_ONE_PROGRAM=yes
}

work=$(mktemp -d)
export T_SCRATCH="$work"
trap 'rm -rf "$work"' EXIT

# The launcher of the library that the adapter is built for.
mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
command -v "$mpirun" >/dev/null || skip "no mpirun"
case $("$mpirun" --version 2>&1) in
*'(Open MPI) '[1-4].* | *OpenRTE*) mpi_library=open mpirun_options='-q --bind-to none' ;;
*Open*MPI*) mpi_library=open mpirun_options='--bind-to none' ;; # since 5, -q is unknown
*) mpi_library=mpich mpirun_options="-outfile-pattern $work/printed-by-%r" ;;
esac
[ -e .libs/libmeasure-mpi.so ] || skip "the MPI adapter is not built"
