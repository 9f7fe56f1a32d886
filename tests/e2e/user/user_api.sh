#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: programs that use measure.h run alike with and without measure, however they are linked, and what they get wrong is repaired and told
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
header=$t_source/lib/api
warnings='-Wall -Wextra -Wshadow -Werror'
cc=${CC:-cc}
command -v "${cc%% *}" >/dev/null || t_skip 'no compiler'

# compile OUTPUT SOURCE [FLAG]...
compile()
{
	$cc -std=gnu11 -O2 -g $warnings -I "$header" -o "$1" "$2" "${@:3}" -lpthread -ldl -lm
}

# run NAME MODE [OPTION]...: under measure; the same output as without
run()
{
	./annotated "$2" >"$1.plain"
	"$measure" -o "$1" "${@:3}" ./annotated "$2" >"$1.out" 2>"$1.err"
	t_equal "$1: status" 0 $?
	cmp -s "$1.plain" "$1.out" || t_fail "$1: another output than without measure"
	t_equal "$1: words" '' "$(cat "$1.err")"
	t_sound "$work/$1"
	otf2-print "$1/traces.otf2" >"$1.events"
}

# count NAME PATTERN: how many events match
count()
{
	grep -c -E "$2" "$1.events"
}

compile annotated "$t_here/annotated.c" || t_fail 'does not compile'

# --- however it is compiled and linked ---------------------------------------------------------
compile plain.so "$t_here/annotated.c" -DMEASURE_DISABLED || t_fail 'disabled: does not compile'
t_equal 'disabled: symbols' 0 "$(nm plain.so | grep -c measure_user)"
for variant in '-fPIE -pie' '-fno-pie -no-pie' '-O0' '-O3 -flto' '-fno-pie -no-pie -finstrument-functions'; do
	# shellcheck disable=SC2086
	compile variant "$t_here/annotated.c" $variant 2>variant.err || { echo "left out: $variant"; continue; }
	t_equal "$variant: alone" 'plain done' "$(./variant plain)"
	rm -rf variant.trace
	"$measure" -o variant.trace ./variant plain >variant.out || t_fail "$variant: status"
	otf2-print variant.trace/traces.otf2 >variant.events
	for region in 'at start' whole outer 'by name'; do
		t_equal "$variant: $region" 2 "$(count variant "^(ENTER|LEAVE) .*\"$region\"")"
	done
	t_equal "$variant: functions of the header" 0 "$(count variant 'measure_site|measure_scope')"
done
if compile static "$t_here/annotated.c" -static 2>/dev/null; then
	t_equal 'static: alone' 'plain done' "$(./static plain)"
	t_equal 'static: under measure' 'plain done' "$("$measure" -o static.trace ./static plain 2>/dev/null)"
else
	echo 'left out: static programs'
fi
if command -v clang >/dev/null; then
	clang -O2 $warnings -I "$header" -o variant "$t_here/annotated.c" -lpthread -ldl || t_fail 'clang: does not compile'
	rm -rf variant.trace
	"$measure" -o variant.trace ./variant plain >variant.out || t_fail 'clang: status'
	otf2-print variant.trace/traces.otf2 >variant.events
	t_equal 'clang: regions' 8 "$(count variant '^(ENTER|LEAVE) ')"
fi

# --- in C++ ------------------------------------------------------------------------------------
for cxx in "${CXX:-g++}" clang++; do
	command -v "$cxx" >/dev/null || { echo "left out: $cxx"; continue; }
	for standard in c++98 c++20; do
		[ $standard = c++20 ] || { "$cxx" -std=$standard -fsyntax-only -pedantic $warnings -x c++ "$header/measure.h" -Wno-pragma-once-outside-header ||
			t_fail "$cxx: $standard"; continue; }
		"$cxx" -std=$standard -O2 -pedantic $warnings -I "$header" -o cxx "$t_here/annotated.cc" || t_fail "$cxx: does not compile"
	done
	rm -rf cxx.trace
	t_equal "$cxx: alone" '4 aa' "$(./cxx)"
	t_equal "$cxx: under measure" '4 aa' "$("$measure" -o cxx.trace ./cxx)"
	t_sound "$work/cxx.trace"
	otf2-print cxx.trace/traces.otf2 >cxx.events
	t_equal "$cxx: caught" 2 "$(count cxx '^ENTER .*"caught"')"
	t_equal "$cxx: by name" 8 "$(count cxx '^(ENTER|LEAVE) .*"number [0-3]"')"
	t_equal "$cxx: two of a template" 2 "$(otf2-print -G cxx.trace/traces.otf2 | grep -c '^REGION .*Name: "twice"')"
	t_equal "$cxx: repaired" '' "$(grep -E 'inserted|dropped|user regions' cxx.trace/summary.txt)"
done

# --- by a plug-in, twice ------------------------------------------------------------------------
cat >plugin.c <<'EOF'
#include <measure.h>
void plugin_run(void);
void plugin_run(void)
{
	MEASURE_FUNCTION;
	MEASURE_PARAMETER_STRING("who", "a plug-in");
}
EOF
compile plugin.so plugin.c -shared -fPIC || t_fail 'plug-in: does not compile'
run plugin plugin
t_equal 'plug-in: regions' 2 "$(count plugin '^ENTER .*"plugin_run"')"

# --- not balanced -------------------------------------------------------------------------------
run unbalanced unbalanced
t_equal 'unbalanced: Enter' 4 "$(count unbalanced '^ENTER ')"
t_equal 'unbalanced: Leave' 4 "$(count unbalanced '^LEAVE ')"
summary=$(cat unbalanced/summary.txt)
for line in '2 exits of functions that were not entered were dropped' '1 missing exit of a function was inserted'; do
	grep -q "  $line" <<<"$summary" || t_fail "unbalanced: the summary does not say: $line"
done
# NAME KIND: named behind the words for its kind
named()
{
	grep -A 1 "user regions $2" <<<"$summary" | tail -n 1 | grep -q "^    $1\( (.*annotated.c:[0-9]*)\)\?$" ||
		t_fail "unbalanced: $1 is not named as $2"
}
named inner 'begun but not ended'
named other 'ended but not begun'
named open 'still open when'

# --- off and on -----------------------------------------------------------------------------------
run switched switched
t_equal 'switched: off' 1001 "$(count switched '^MEASUREMENT_ON_OFF .*Mode: OFF')"
t_equal 'switched: on' 1001 "$(count switched '^MEASUREMENT_ON_OFF .*Mode: ON')"
t_equal 'switched: lost' 0 "$(count switched '"lost"')"
t_equal 'switched: kept' 1 "$(count switched '"kept"')"
t_equal 'switched: other' 1001 "$(count switched '^ENTER .*"other"')"
t_equal 'switched: in order' 'OFF LEAVE ENTER ON' "$(awk '
	/^MEASUREMENT_ON_OFF/ && ++n > 2 { exit }
	/^MEASUREMENT_ON_OFF/ { sub(/^.*: /, ""); printf "%s%s", sep, $1; sep = " "; next }
	n == 1 && /^(ENTER|LEAVE)/ { printf " %s", $1 }' switched.events)"
grep -q '^switched  *3[0-9][0-9],[0-9]* events' switched/summary.txt || t_fail 'switched: the summary does not count'
grep -q '^  none' switched/summary.txt || t_fail 'switched: taken for a loss'
[ "$(du -sk switched/traces | cut -f 1)" -lt 600 ] || t_fail 'switched: takes too much space'

"$measure" -o die ./annotated die >/dev/null 2>&1
t_equal 'die: status' 137 $?
t_sound "$work/die"
otf2-print die/traces.otf2 >die.events
t_equal 'die: events' 'PROGRAM_BEGIN ENTER LEAVE ENTER ENTER MEASUREMENT_ON_OFF LEAVE LEAVE PROGRAM_END' \
	"$(awk '/^[A-Z_]+ +0 / { print $1 }' die.events | tr '\n' ' ' | sed 's/ $//')"

run random random
repaired=$(grep -E 'inserted|dropped|user regions' random/summary.txt)
t_equal 'random: repaired' '' "$repaired"
"$measure" -o drop -b 1M --full=drop --spool=end ./annotated random >/dev/null 2>&1 || t_fail 'drop: status'
t_sound "$work/drop"
"$measure" -o decided --exclude 'inner every=3' --exclude 'other shorter=1us' ./annotated random >/dev/null 2>&1 || t_fail 'decided: status'
t_sound "$work/decided"
"$measure" -o killed ./annotated die-at-random >/dev/null 2>&1
t_equal 'killed: status' 137 $?
t_sound "$work/killed"

# --- threads and tasks ------------------------------------------------------------------------------
run threads threads -a +pthread
t_equal 'threads: outer' 4000 "$(count threads '^ENTER .*"outer"')"
t_equal 'threads: metrics' 4000 "$(count threads '^METRIC ')"
t_equal 'threads: words' 4000 "$(count threads '^PARAMETER_STRING .*"(odd|even)"')"
t_equal 'threads: tasks' '8 8 16' "$(count threads '^THREAD_TASK_CREATE ') $(count threads '^THREAD_TASK_COMPLETE ') $(count threads '^THREAD_TASK_SWITCH ')"
t_equal 'threads: parents' 4 "$(count threads '^PARAMETER_UINT64 .*"task.parent"')"
t_equal 'threads: kinds' 4 "$(count threads 'task.codelet.*REGION; "part"')"

run tasks tasks
facts='data.register data.bytes data.home data.coordinate data.coordinate data.name data.register
	task.prio task.subiteration task.access.mutexinoutset task.access.inoutset data.handle data.tag task.dep task.send
	task.receive data.transfer data.handle data.from data.to data.bytes data.transferred task.ready
	data.unregister data.unregister'
t_equal 'tasks: facts' "$(xargs <<<"$facts")" "$(sed -n 's/^PARAMETER.*Parameter: "\([^"]*\)".*/\1/p' tasks.events | xargs)"
# value FACT: of the first record
value()
{
	sed -n "s/^PARAMETER.*\"$1\".*Value: //p" tasks.events | head -n 1
}
data=$(value data.register)
t_equal 'tasks: access' "$data" "$(value task.access.mutexinoutset)"
t_equal 'tasks: handle' "$data" "$(value data.handle)"
t_equal 'tasks: transfer' "$(value data.transfer)" "$(value data.transferred)"
t_equal 'tasks: values' '4096 1 3 77 9 6 7' \
	"$(for fact in data.bytes data.home data.coordinate data.tag task.subiteration task.send task.receive; do value $fact; done | xargs)"
t_equal 'tasks: ready' 2 "$(($(value task.ready) & 0xffffffff))"
t_equal 'tasks: completes' '3 2' "$(count tasks '^THREAD_TASK_COMPLETE ') $(count tasks '^THREAD_TASK_SWITCH ')"
otf2-print -G tasks/traces.otf2 >tasks.definitions
t_equal 'tasks: idle' 1 "$(grep -c '^REGION .*"idle".*"task.state.idle"' tasks.definitions)"
t_equal 'tasks: worker' '"Accelerator" 5 1' "$(awk '/^LOCATION_PROPERTY.*MEASURE::(WORKER|MEMORY)/ {
	sub(/^.*Value: /, ""); printf "%s%s", sep, $1; sep = " " }' tasks.definitions)"

# --- limits, wrong arguments ------------------------------------------------------------------------------
run many many
t_equal 'many: texts' 70001 "$(count many '^PARAMETER_STRING ')"
t_equal 'many: beyond' 4465 "$(count many 'beyond the limit of strings')"
grep -q '  7 markers beyond the limit' many/summary.txt || t_fail 'many: markers that are lost are not counted'
run wrong wrong
t_equal 'wrong: nearest' 1 "$(count wrong '^PARAMETER_INT64 .*"near".*Value: -3$')"
t_equal 'wrong: infinite' 1 "$(count wrong '^PARAMETER_INT64 .*"infinite".*Value: 9223372036854775807$')"
t_equal 'wrong: topologies' 0 "$(otf2-print -G wrong/traces.otf2 | grep -c '^CART_')"

# --- a child, and what a filter leaves out ------------------------------------------------------------------
run fork fork
t_equal 'fork: regions' 2 "$(count fork '^ENTER .*"whole"')"
run follow fork --children=follow
t_equal 'follow: regions' 3 "$(count follow '^ENTER .*"whole"')"
t_equal 'follow: status' 2 "$(otf2-print -G follow/traces.otf2 | grep -c '^LOCATION_GROUP  *[0-9]')"
run filtered plain --exclude 'outer'
t_equal 'filtered: regions' 6 "$(count filtered '^(ENTER|LEAVE) ')"
run off plain -a -user
t_equal 'off: regions' 0 "$(count off '^(ENTER|LEAVE) ')"

# --- measure-sync carries it ----------------------------------------------------------------------------------
events()
{
	otf2-print "$1/traces.otf2" | awk '/^[A-Z][A-Z0-9_]+ +[0-9]+ +[0-9]+ / { $3 = ""; print; next } /ADDITIONAL/'
}
compile example.prog "$t_source/doc/examples/annotated.c" || t_fail 'example: does not compile'
"$measure" -q -o example ./example.prog >/dev/null 2>&1 || t_fail 'example: status'
for emit in offsets events; do
	"$t_build/measure-sync" --emit=$emit -o sync.$emit example >/dev/null 2>sync.err || t_fail "sync, $emit: $(cat sync.err)"
	t_sound "$work/sync.$emit"
	diff <(events example) <(events sync.$emit) >sync.diff || t_fail "sync, $emit: other events: $(head -n 5 sync.diff)"
	[ -s sync.$emit/traces.marker ] || t_fail "sync, $emit: no markers"
done
t_end
