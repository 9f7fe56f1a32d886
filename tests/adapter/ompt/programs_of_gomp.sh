#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the test programs of the gomp adapter, built for LLVM's library, give the teams and
# explicit barriers that they give with GCC's.
#
# Left out are those where the libraries differ: GCC makes explicit barriers of some implicit ones
# (reductions, sections), and LLVM 14 fails an assertion of its own where a loop with a dynamic
# schedule follows one that was cancelled (cancellation).
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang=$(sed -n 's/^CLANG = //p' Makefile)

[ -e .libs/libmeasure-ompt.so ] || { echo "the ompt adapter is not built"; exit 77; }
for name in explicit_barriers parallel_loops many_regions several_masters nested_regions parallel_regions team_sizes; do
	"$clang" -g -O1 -fopenmp -pthread -o "$work/$name.llvm" "$here/../gomp/$name.c" ||
		{ echo "$name: cannot be built"; exit 1; }
	sh "$here/run.sh" "$work/$name.llvm" || exit 1
done
