#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: however a Python program ends, also by kill -9, all calls are in a sound archive.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/t_python.sh"
ulimit -c 0

for python in $pythons; do
	for way in exit _exit raise abort TERM KILL; do
		t_compared "$way" "$python" "$here/ends.py" $way
		t_whole $way
		t_equal "$python, $way: calls" 21 "$(awk '$1 == "deep" { print $2 }' "$work/visits")"
	done
done
t_end
