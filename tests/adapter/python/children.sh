#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: children by fork, multiprocessing (fork and spawn), concurrent.futures and subprocess run as ever; with
# --children=follow their functions are recorded, inside of those that have started them.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/t_python.sh"

for python in $pythons; do
	t_compared ignored "$python" "$here/children.py"
	t_whole ignored
	t_equal "$python: calls in children that are ignored" '' "$(awk '$1 == "square" { print $2 }' "$work/visits")"
	options=--children=follow
	t_compared followed "$python" "$here/children.py"
	options=
	t_whole followed
	t_equal "$python: calls in children" 25 "$(awk '$1 == "square" { print $2 }' "$work/visits")"
	t_equal "$python: calls in a program that was started" 4 "$(awk '$1 == "inner" { print $2 }' "$work/visits")"
	# The child that os.fork() has made is in main and forked as well.
	t_equal "$python: forked children" '1 2 6' "$(awk '$1 ~ /^(child|forked|main)$/ { print $2 }' "$work/visits" | xargs)"
done
t_end
