#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: runs a Fortran program, through each of the three bindings, as run.sh runs those in C:
# all bindings have to give the same records.
set -u
source=$1
name=fortran/$(basename "$source")
here=$(cd "$(dirname "$0")" && pwd)
expected=${source%.*}.expected
. "$here/mpirun.sh"
. "$here/records.sh"

# The compiler of the library that the adapter is built for: its C compiler's name says it.
mpifort=$(sed -n 's/^MPICC = //p' Makefile | sed 's,cc\([^/]*\)$,fort\1,')
command -v "$mpifort" >/dev/null || skip "no mpifort"
printf '      end\n' >"$work/empty.f"
"$mpifort" "$work/empty.f" -o "$work/empty" >"$work/messages" 2>&1 || skip "no Fortran compiler"

case $(tell Library any) in
any) ;;
*) "$mpirun" --version 2>&1 | grep -q -i -E 'open.?mpi|openrte' || skip "only with Open MPI: $source says why" ;;
esac
case $source in
*.f) bindings=MPIF form= ;;
*) bindings='MPIF MPI F08' form='-cpp -ffree-line-length-none' ;;
esac
for binding in $bindings; do
	name="fortran/$(basename "$source") by $binding"
	# shellcheck disable=SC2086 # options on purpose
	"$mpifort" $form -std=legacy -w -DUSE_$binding "$source" -o "$work/$binding" ||
		fail "cannot be compiled"
	check_program "$work/$binding"
done
exit 0
