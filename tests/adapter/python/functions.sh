#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: each function of a Python program is recorded as often as the program counts it: methods, closures,
# generators, coroutines, exceptions through a thousand frames, recursion to the limit, 20 threads; by its full name.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/t_python.sh"

for python in $pythons; do
	t_compared functions "$python" "$here/functions.py"
	t_whole functions
	# Before 3.11 code does not know the class that it is in.
	t_python_is_at_least "$python" 11 || sed -i 's/^Circle\./Shape./; s/^[A-Z][a-z]*\.\(.*\) /\1 /; s/^make.<locals>\.//' "$work/traced"
	awk '{ count[$1] += $2 } END { for (name in count) print name, count[name] }' "$work/traced" |
		LC_ALL=C sort >"$work/expected"
	sed 's/^made$//' "$work/visits" >"$work/found"
	otf2-print "$work/functions/traces.otf2" | grep -c '^ENTER .*"made\.other"' | sed 's/^/made /' >>"$work/found"
	LC_ALL=C sort "$work/found" | diff "$work/expected" - || t_fail "$python: other counts"
	otf2-print -G "$work/functions/traces.otf2" >"$work/definitions"
	line=$(grep -n 'def basics' "$here/functions.py" | cut -d : -f 1)
	grep -q "^REGION .*Aka. \"__main__.basics\".* FUNCTION, Paradigm: COMPILER.*/functions.py\" .*Begin: $line," "$work/definitions" ||
		t_fail "$python: $(grep '__main__.basics' "$work/definitions")"
	t_equal "$python: regions of a function that is made 100 times" 1 "$(grep -c '^REGION .*"made.other"' "$work/definitions")"
done
t_end
