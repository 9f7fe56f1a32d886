#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: profile functions of the program (sys.setprofile, cProfile, threading.setprofile) see what they see
# without measure; below Python 3.12 nothing is recorded meanwhile, and everything after that.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/t_python.sh"

for python in $pythons; do
	t_compared profilers "$python" "$here/profilers.py"
	t_whole profilers
	grep -v -E '^(cProfile|seen) ' "$work/traced" | LC_ALL=C sort >"$work/expected"
	grep -v -E '^(<module>|hidden|in_thread|.*<genexpr>) ' "$work/visits" | diff "$work/expected" - || t_fail "$python: other counts"
	hidden=$(awk '$1 == "hidden" { print $2 }' "$work/visits")
	if t_python_is_at_least "$python" 12; then
		t_equal "$python: recorded beside a profile function" 29 "$hidden"
	else
		t_equal "$python: recorded while the program has a profile function" '' "$hidden"
	fi
done
t_end
