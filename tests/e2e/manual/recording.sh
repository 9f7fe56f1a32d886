#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the commands of the manual's recipes for recording run
. "$(dirname "$0")/../lib.sh"
. "$t_here/run_blocks.sh"
[ "$(uname -m)" = x86_64 ] || t_skip 'measure --attach is for x86-64'
! t_left_out_under_asan all 'measure --attach and -a +memory' || exit 77
[ -e .libs/libmeasure-python.so ] || t_skip 'the python adapter is not built'
mkdir "$work/bin"
python3 -c 'import mpi4py' 2>/dev/null || {
	/usr/bin/python3 -c 'import mpi4py' 2>/dev/null || t_skip 'no mpi4py'
	ln -s /usr/bin/python3 "$work/bin/python3"
	PATH=$work/bin:$PATH
}
t_begin_recipes
t_run_blocks "$t_source/doc/manual/recording.md" "$work/recipes"
t_end_of_blocks
