#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the commands of the manual's recipes for analysis run
. "$(dirname "$0")/../lib.sh"
. "$t_here/run_blocks.sh"
t_begin_recipes
t_run_blocks "$t_source/doc/manual/analyzing.md" "$work/recipes"
t_end_of_blocks
