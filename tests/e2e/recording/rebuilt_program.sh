#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: functions of a file that was compiled anew while the program ran get no names of the new one, with and without build ids
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
cc=${CC:-cc}

# names DIR: the functions in its archive
names()
{
	otf2-print -G "$1/traces.otf2" | sed -n 's/^REGION .*Name: "\([^"]*\)".*/\1/p'
}

# has DIR NAME NUMBER: so many functions whose names match
has()
{
	t_equal "$1: functions $2" "$3" "$(names "$1" | grep -cx "$2")"
}

# changed DIR NUMBER: files that the summary says have changed
changed()
{
	t_equal "$1: changed files" "$2" \
		"$(sed -n 's/.*missing or changed program files, whose functions have no names: //p' "$1/summary.txt")"
}

for id in sha1 none; do
	build() { $cc -O0 -g -finstrument-functions -Wl,--build-id=$id "$@"; }

	build "$t_here/rebuilt_program.c" -o rebuilt || exit 1
	"$measure" -q -o "same-$id" ./rebuilt program || t_fail "$id: same: status $?"
	has "same-$id" solve 1

	build -DOTHER "$t_here/rebuilt_program.c" -o other || exit 1
	"$measure" -q -o "program-$id" ./rebuilt program rebuilt other || t_fail "$id: program: status $?"
	has "program-$id" 'solve\|added' 0
	has "program-$id" 'rebuilt+0x.*' 1
	changed "program-$id" 1

	build "$t_here/rebuilt_program.c" -o rebuilt || exit 1
	for nr in 1 2 3; do
		printf 'void kernel_%d(void) { }\nvoid entry(void) { kernel_%d(); }\n' $nr $nr >plugin.c
		for pad in $(seq $nr); do
			echo "void pad_$pad(void) { }" >>plugin.c
		done
		build -shared -fPIC plugin.c -o plugin.$nr || exit 1
	done
	"$measure" -q -o "plugin-$id" ./rebuilt plugin ./plugin.so plugin.1 plugin.2 plugin.3 || t_fail "$id: plugin: status $?"
	has "plugin-$id" 'kernel_[12]' 0
	has "plugin-$id" kernel_3 1
	has "plugin-$id" solve 1
	changed "plugin-$id" 2
done
t_end
