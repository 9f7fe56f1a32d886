#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: what the archive says of communicators: their last names, whether their making and
# freeing are in the trace, and Cartesian topologies with the coordinates of all ranks; and the same
# of windows.
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"
[ -x ./measure ] || skip "measure is not built"

# record PROGRAM OPTION...: $work/definitions
record()
{
	program=$1
	shift
	rm -rf "$work/trace"
	run_mpi "$(sed -n 's/^ \* Ranks: //p' "$here/$program.c")" ./measure -q -o "$work/trace" \
		"$@" "tests/adapter/mpi/$program.mpi" >"$work/output" ||
		fail "$program: ends with $?"
	otf2-print -G "$work/trace/traces.otf2" >"$work/definitions" || fail "$program: unreadable"
	./measure-check "$work/trace" >"$work/words" 2>&1 ||
		fail "$program: measure-check: $(cat "$work/words")"
}

# has NUMBER PATTERN: so many definitions fit
has()
{
	found=$(grep -c -E "$2" "$work/definitions")
	[ "$found" = "$1" ] || fail "$program: $found instead of $1 of $2"
}

record comm/communicator_names
has 1 '^COMM  .*Name: "everybody" <[0-9]+>, .* Parent: UNDEFINED'
has 1 '^COMM  .*Name: "myself" ' # of all ranks
has 1 '^COMM  .*Name: "last name" '
has 1 '^COMM  .*Name: "lower half" '
has 0 'first name|MPI_COMM_'
has 2 '^COMM  .*Flags: NONE'
has 9 '^COMM  .*CREATE_DESTROY_EVENTS'

record comm/communicator_names --mpi-groups=-comm
has 1 '^COMM  .*Name: "last name" '
has 0 'CREATE_DESTROY_EVENTS'

record topology/cartesian_topologies
has 1 '^CART_TOPOLOGY .*Name: "grid" <.*Communicator: "grid" <.*2 Dimensions'
has 8 '^CART_TOPOLOGY .*Name: "MPI_Cart_create"'
has 2 '^CART_DIMENSION .*Name: "dimension 0" .*Size: 3, Periodicity: TRUE'
has 2 '^CART_DIMENSION .*Name: "dimension 1" .*Size: 2, Periodicity: FALSE'
for rank in 0 1 2 3 4 5; do
	has 1 "^CART_COORDINATE .*\"grid\" <.*Rank: $rank .*\\($((rank / 2)), $((rank % 2))\\)"
done
has 16 '^CART_COORDINATE .*MPI_Cart_create.*Coordinate:'

record rma/rma_fence
has 1 '^RMA_WIN .*Name: "halo" <.*Communicator: "MPI_COMM_WORLD" <'
has 1 '^RMA_WIN .*Name: "edges" <'
has 4 '^RMA_WIN .*CREATE_DESTROY_EVENTS'
has 0 'first name'
has 1 '^PARADIGM_PROPERTY .*RMA_WIN_NAME_TEMPLATE, .*"Win \$\{id\}"'

record rma/rma_fence --mpi-groups=-rma
has 1 '^RMA_WIN .*Name: "halo" <'
has 4 '^RMA_WIN .*Flags: NONE'
exit 0
