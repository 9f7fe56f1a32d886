#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the commands of the manual's tutorial run, and print what it says; a broken command and another output are noticed
. "$(dirname "$0")/../lib.sh"
t_need_mpirun
. "$t_here/run_blocks.sh"
command -v mpicc >/dev/null || t_skip 'no mpicc'
[ -x measure-report ] || t_skip 'without zlib there is no measure-report'
mkdir "$work/tutorial"
cp "$t_source/doc/examples/mandelbrot.c" "$work/tutorial"
t_run_blocks "$t_source/doc/manual/tutorial.md" "$work/tutorial"

# MEASURE_UPDATE=1: its pictures are those of this run.
for picture in before after; do
	[ -s "$work/tutorial/$picture.png" ] || t_fail "no picture $picture.png"
	[ -z "${MEASURE_UPDATE-}" ] || cp "$work/tutorial/$picture.png" "$t_source/doc/manual/mandelbrot-$picture.png"
done

# noticed WHAT MESSAGE: the commands of the document `broken` fail with this message.
noticed()
{
	before="t_failures=$t_failures t_nr_commands=$t_nr_commands"
	t_run_blocks "$work/broken" "$work/tutorial" >"$work/said"
	eval "$before"
	grep -q -F -e "$2" "$work/said" || t_fail "$1 is not noticed: $(cat "$work/said")"
}

printf '%s\n' '```sh' 'true' 'measure-profile no_such_run' '```' >"$work/broken"
noticed 'a command that fails' 'broken:3: measure-profile no_such_run: exit status 2'
printf '%s\n' '```sh' 'true   # exit status 1: never' '```' >"$work/broken"
noticed 'another exit status' 'exit status 0, not 1'
printf '%s\n' '```console' '$ echo 5 ms, 2 calls' '7 us, 10 calls' '$ echo a' 'b' '```' >"$work/broken"
noticed 'another output' 'not printed: b'
! grep -q 'not printed: 7' "$work/said" || t_fail 'numbers are compared'
printf '%s\n' '```' 'mpirun -n 2 measure-profile run1' '```' >"$work/broken"
noticed 'a block without a mark' 'the block is not marked'
t_end_of_blocks
