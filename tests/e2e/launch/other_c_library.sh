#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: programs that are linked with musl run as without measure, which says in one line why they are not recorded
. "$(dirname "$0")/../lib.sh"
command -v musl-gcc >/dev/null || t_skip 'no musl-gcc'
cd "$work" || exit 1
starts=$t_build/tests/e2e/programs/starts

printf '#include <stdio.h>\n#include <stdlib.h>\n%s\n' \
	'int main(void) { puts(getenv("LD_PRELOAD") ? "preloaded" : "alone"); return 3; }' >program.c
# The compiler of this build may have flags that musl-gcc's does not know.
musl-gcc -o dynamic program.c 2>/dev/null && ./dynamic >plain || [ $? = 3 ] || t_skip 'musl-gcc does not work here'
musl-gcc -static -o static program.c || t_fail 'musl-gcc makes no static program'
printf '#!%s\n' "$work/dynamic" >script
chmod +x script

# alone NAME REASON COMMAND...: as without measure, and one line
alone()
{
	name=$1 reason=$2
	shift 2
	"$measure" "$@" >out 2>err
	t_equal "$name: status" 3 $?
	t_equal "$name: output" alone "$(cat out)"
	t_equal "$name: stderr" "measure: ${*: -1}: $reason: not recording" "$(cat err)"
	t_equal "$name: left over" '' "$(find . -name 'measure-*')"
	"$measure" --strict "$@" >out 2>err
	t_equal "$name, strict: status" 2 $?
	t_equal "$name, strict: output" '' "$(cat out)"
}

other='uses another C library than this Measure: build it with glibc'
static='is linked statically: link it dynamically'
alone dynamic "$other" ./dynamic
alone script "$other" ./script
alone static "$static" ./static

# Those that a recorded program starts, and those in whose place a script puts them.
for option in --children=ignore --children=follow; do
	"$measure" -q $option -o "run$option" sh -c './dynamic; ./static; ./script; exit 5' >out 2>err
	t_equal "$option: status" 5 $?
	t_equal "$option: output" 'alone alone alone' "$(paste -sd' ' out)"
	t_equal "$option: stderr" '' "$(cat err)"
	t_sound "$work/run$option"
done
t_equal 'summary' "unrecorded  3 programs that were started, but cannot be recorded:
            $work/dynamic: $other (1 time)
            $work/script: $other (1 time)
            $work/static: $static (1 time)" "$(grep -A3 '^unrecorded' run--children=follow/summary.txt)"
"$measure" -q --exec -o replaced sh -c 'exec ./dynamic' >out 2>err
t_equal 'replaced: status' 3 $?
t_equal 'replaced: output' alone "$(cat out)"
t_equal 'replaced: stderr' '' "$(cat err)"
grep -q "^ *$work/dynamic: $other" replaced/summary.txt || t_fail "replaced: $(cat replaced/summary.txt)"

# A process of it cannot be attached to.
printf '#include <unistd.h>\nint main(void) { return sleep(60) != 0; }\n' >sleeper.c
musl-gcc -o sleeper sleeper.c || t_fail 'no program that sleeps'
./sleeper &
pid=$!
t_wait 20 eval '[ "$(readlink /proc/$pid/exe)" = "$work/sleeper" ]'
"$measure" --attach $pid -o attached >out 2>err
t_equal 'attach: status' 2 $?
t_equal 'attach: lines on stderr' 1 "$(t_lines err)"
kill $pid
t_end
