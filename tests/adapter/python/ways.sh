#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: programs in files, modules, on the command line and on standard input, scripts, and an interpreter inside
# a C program are recorded; --python-groups, filters; functions of C have their names; mistakes are one line.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/t_python.sh"
cd "$work" || exit
set -f # options may have patterns

# recorded NAME PATTERN COUNT COMMAND...: how often a region is entered
recorded()
{
	name=$1 pattern=$2 expected=$3
	shift 3
	mkdir -p "$work/run"
	"$measure" -q ${options-} -o "$work/run/$name" "$@" >"$work/out" 2>&1 || t_fail "$name: ends with $?: $(cat "$work/out")"
	otf2-print "$work/run/$name/traces.otf2" >"$work/events"
	t_equal "$name: $pattern" "$expected" "$(grep -c "^ENTER .*Region: \"$pattern\"" "$work/events")"
	[ -z "${is_sound-}" ] || t_sound "$work/run/$name"
	rm -rf "$work/run"
}

cat >twice.py <<'END'
def f(items):
    return len(items)
f([1]); f([2]).bit_length()
END
for python in $pythons; do
	recorded file '__main__\.f' 2 "$python" twice.py
	recorded module '__main__\.f' 2 "$python" -m twice
	recorded command '__main__\.f' 2 "$python" -c "$(cat twice.py)"
	recorded input '__main__\.f' 2 "$python" <twice.py
	recorded input '__main__\.f' 2 "$python" - <twice.py
	# The interpreter before and after the program; a script may be run again inside it, and end anyhow.
	recorded starts Py_Initialize 1 "$python" -m twice
	recorded ends Py_Finalize 1 "$python" twice.py
	recorded ends Py_Finalize 1 "$python" -m twice
	recorded ends Py_Finalize 1 "$python" -c "$(cat twice.py)"
	recorded ends Py_Finalize 1 "$python" -c 'import sys; sys.exit()'
	recorded ends Py_Finalize 1 "$python" -c 'import runpy; runpy.run_path("twice.py", run_name="__main__")'
	recorded ends Py_Finalize 0 "$python" -c 'import os; os._exit(0)'
	options='--exclude Py_*' recorded ends 'Py_.*' 0 "$python" twice.py
	options=--python-groups=c recorded ends 'Py_.*' 0 "$python" twice.py
	"$measure" -q -o "$work/hooks" "$python" twice.py
	! grep 'instrument-functions' "$work/hooks/summary.txt" || t_fail "$python: the cost of hooks, of which there are none"
	rm -rf "$work/hooks"
	for first in "$python" "/usr/bin/env $(basename "$python")"; do
		{ echo "#!$first"; cat twice.py; } >script
		chmod +x script
		PATH=${python%/*}:$PATH recorded script '__main__\.f' 2 ./script
	done
	options=--python-groups=all recorded all 'builtins\.int\.bit_length' 1 "$python" twice.py
	recorded auto 'builtins\..*' 0 "$python" twice.py
	options=--python-groups=c recorded c '__main__\..*' 0 "$python" twice.py
	options='--exclude __main__.f' recorded filtered '__main__\.f' 0 "$python" twice.py
	options='--exclude file=twice.py' recorded filtered_file '__main__\..*' 0 "$python" twice.py
	options='--exclude file=<frozen*' recorded filtered_frozen '_\?\(importlib\|frozen_importlib\|zipimport\).*' 0 "$python" -c 'import json'
	options='--exclude * --include __main__.f --python-groups=all' recorded only '.*' 2 "$python" twice.py
	options='--exclude every=2' recorded every '__main__\.f' 1 "$python" twice.py
	options='--profile' recorded profile '__main__\.f' 0 "$python" twice.py
	recorded sleep 'time\.sleep' 3 "$python" -c 'import time; [time.sleep(0) for i in range(3)]'
	# A class of the program that extends one of C: the method has the name of the class that defines it.
	recorded extended '_io\.StringIO\.write' 2 "$python" -c 'import io
class Log(io.StringIO): pass
Log().write("1"); io.StringIO().write("2")'
	"$python" -c 'import numpy' 2>/dev/null || continue
	recorded numpy 'numpy\.ndarray\.sum' 4 "$python" -c 'import numpy; a = numpy.ones(3); [a.sum() for i in range(4)]'
done

# Without headers of Python: a library is enough.
library=$(find /usr/lib -maxdepth 2 -name "libpython3.*.so.1.0" 2>/dev/null | head -n 1)
cc=$(sed -n 's/^CC = //p' "$t_build/Makefile")
if [ -n "$library" ] && $cc -pthread -o embedded "$here/embedded.c" -Wl,--no-as-needed "$library" 2>/dev/null; then
	is_sound=yes recorded embedded '__main__\.f' 26 ./embedded
	recorded embedded 'Py_.*' 0 ./embedded
	$cc -shared -fPIC -pthread -o plugin.so "$here/embedded.c" -Wl,--no-as-needed "$library"
	printf '%s\n' '#include <dlfcn.h>' 'int main(void) { void *plugin = dlopen("./plugin.so", RTLD_NOW); return ((int (*)(void))dlsym(plugin, "main"))(); }' >host.c
	$cc -o host host.c
	options=-a+python recorded plugin '__main__\.f' 26 ./host
else
	echo 'left out: the embedded interpreter: no libpython'
fi

# Nothing to record, or nothing that can be.
python=$(echo "$pythons" | head -n 1)
"$measure" -q -o none -a +python true || t_fail "true: ends with $?"
"$measure" -q -o missing "$python" missing.py >out 2>&1
t_equal 'a file that is missing' 2 $?
t_equal 'a file that is missing: lines' 1 "$(t_lines out)"
"$measure" --python-groups=class "$python" twice.py >out 2>&1
t_equal 'a wrong group' 2 $?
t_equal 'a wrong group' "measure: --python-groups: 'class' is not one of all, auto, functions, c, builtins" "$(cat out)"
t_end
