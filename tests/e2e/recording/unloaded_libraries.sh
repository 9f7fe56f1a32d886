#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: functions of libraries that are unloaded have their own names, also where another one is loaded in their place
. "$(dirname "$0")/../lib.sh"

compile()
{
	# shellcheck disable=SC2086 # a compiler may have arguments
	${CC:-gcc} -O0 -g -finstrument-functions "$@"
}
for name in first second; do
	compile -shared -fPIC -DPLUGIN=$name -o "$work/$name.so" "$t_programs/plugin.c" || t_skip 'no compiler'
done
compile -o "$work/plugins" "$t_programs/plugin_loader.c" -ldl || t_skip 'no compiler'
cd "$work" || exit 1

./plugins >plain
"$measure" -o run ./plugins >measured
t_equal 'exit status' 0 $?
cat measured
t_equal 'output' "$(cat plain)" "$(cat measured)"
cd "$t_build" && t_sound "$work/run"
for name in first second; do
	nr=$(otf2-print "$work/run/traces.otf2" | grep -c "^ENTER .*\"$name\"")
	t_equal "calls of $name" 10 "$nr"
done
nr=$(otf2-print -G "$work/run/traces.otf2" | grep -c '^REGION .*plugin.c')
t_equal 'regions of plugins' 2 "$nr"
t_end
