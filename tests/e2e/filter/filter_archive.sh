#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a filter leaves out of an archive what it would have left out while recording: the same events in the same order, the same counts of calls left out; its input stays as it is
. "$(dirname "$0")/../lib.sh"
measure_sync=$t_build/measure-sync measure_check=$t_build/measure-check
cd "$work" || exit 1
flags='-O0 -g -finstrument-functions'

# left_out DIR: calls that rules on single calls have left out, by region
left_out()
{
	otf2-print -G "$1/traces.otf2" | sed -n 's/^REGION *\([0-9]*\)  Name: "\([^"]*\)" .*/\1 \2/p' >names
	otf2-print -A "$1/traces.otf2" | awk '
		FNR == NR { id = $1; sub(/^[0-9]+ /, ""); name[id] = $0; next }
		/^Property name/ { is_count = $3 ~ /^MEASURE::LEFT_OUT::/; is_sum = $3 == "MEASURE::CALLS_LEFT_OUT" }
		/^Property value/ && is_count { print $4, name[$3] }
		/^Property value/ && is_sum { print $3, "in all" }' names - | sort
}

# filtered WHAT OPTION...: filters all/ and compares with run/, which was recorded with these options
filtered()
{
	what=$1
	shift
	rm -rf new
	"$measure_sync" -q "$@" all -o new 2>err || t_fail "$what: exit status $?: $(cat err)"
	t_events run >expected
	t_events new >got
	cmp -s expected got || t_fail "$what: other events: $(diff expected got | head -n 5)"
	t_equal "$what: left out" "$(left_out run)" "$(left_out new)"
	"$measure_check" new >check.out 2>&1 || t_fail "$what: $(cat check.out)"
}

# same WHAT RULES COMMAND...: with these rules, all/ was recorded by the command
same()
{
	printf '%s\n' "$2" >rules
	same_what=$1
	shift 2
	rm -rf run
	"$measure" -o run -f rules "$@" >out 2>&1 || t_fail "$same_what: exit status $?: $(cat out)"
	filtered "$same_what" -f rules
}

# whole COMMAND...: records all/
whole()
{
	rm -rf all
	"$measure" -o all "$@" >out 2>&1 || t_fail "all: exit status $?: $(cat out)"
	(cd all && find . -type f -exec cksum {} + | sort) >before
}

# shellcheck disable=SC2086
${CC:-gcc} $flags -o calls "$t_here/filter_by_call.c" -lpthread || t_skip 'no compiler'
whole ./calls
same 'every third' 'exclude
include tick every=3' ./calls
same 'every second of a recursion' 'exclude
include main solve
include recurse every=2' ./calls
same 'depth' 'exclude depth=3-
exclude tick' ./calls
same 'depth behind what is left out' 'exclude solve every=2
exclude depth=4-
exclude main' ./calls
same 'within' 'exclude
include within=solve' ./calls
same 'not within' 'exclude within=solve
exclude tick jump' ./calls
same 'within a region that is left out' 'exclude
include within=solve
exclude solve' ./calls
same 'short' 'exclude recurse solve shorter=1000s
exclude jump
exclude tick
include tick within=slow within=stack' ./calls
same 'what was recorded in a short one' 'exclude
include main
include tick within=solve within=stack
include solve stack
exclude solve stack shorter=1000s
exclude within=recurse' ./calls
same 'all time' 'exclude time=-100000' ./calls
same 'no time' 'exclude time=100000-' ./calls
same 'thread' 'exclude thread=0 recurse' ./calls
same 'left by longjmp' 'exclude
include main
include jump every=5' ./calls
same 'all together' 'exclude tick every=2
exclude recurse depth=5-
exclude shorter=1000s
include within=solve
include jump' ./calls

# shellcheck disable=SC2086
if ${CXX:-g++} $flags -o cxx "$t_here/overloads.cc" 2>/dev/null; then
	whole ./cxx
	same 'names' 'exclude ns::scale<* adder::operator\(\) plain_? name~lambda
exclude "ns::solve(int)"' ./cxx
	same 'mangled' 'exclude mangled=_Z*
exclude plain_c' ./cxx
	same 'file' 'exclude file=overloads.cc' ./cxx
	same 'module' 'exclude module=cxx
include main' ./cxx
	same 'path of a module' "exclude module=$work/c?x" ./cxx
	same 'paradigm' 'exclude paradigm=compiler role=loop
exclude paradigm=user' ./cxx
	same 'own rank' 'exclude rank=0 main' ./cxx
	same 'Score-P' 'SCOREP_REGION_NAMES_BEGIN
  EXCLUDE *
  INCLUDE main plain_?
          recurse*
  INCLUDE MANGLED _ZN2ns5solveEd
SCOREP_REGION_NAMES_END' ./cxx
	same 'files of Score-P' 'SCOREP_FILE_NAMES_BEGIN
EXCLUDE */overloads.*
SCOREP_FILE_NAMES_END' ./cxx
	rm -rf run
	"$measure" -o run --exclude 'main;plain_c' --exclude 'mangled=_Z*' --include 'main' ./cxx >out 2>&1
	filtered 'rules of options' --exclude 'main;plain_c' --exclude 'mangled=_Z*' --include 'main'
fi

# shellcheck disable=SC2086
if ${CXX:-g++} $flags -o qualified "$t_here/namespaces.cc" 2>/dev/null; then
	whole ./qualified
	same 'qualified names' 'exclude lib::*' ./qualified
	grep -q 'app::make<int>' expected && ! grep -q 'multiply\|get<int>' expected || t_fail "qualified names: $(cat expected)"
fi

# Libraries
for name in first second; do
	# shellcheck disable=SC2086
	${CC:-gcc} $flags -shared -fPIC -DPLUGIN=$name -o $name.so "$t_programs/plugin.c"
done
# shellcheck disable=SC2086
if ${CC:-gcc} $flags -o plugins "$t_programs/plugin_loader.c" -ldl; then
	whole ./plugins
	same 'plug-in by module' 'exclude module=second.so' ./plugins
	same 'all but a plug-in' 'exclude
include module=first.so' ./plugins
fi

# Threads, of a team: barriers are left out of all of them or of none.
cat >team.c <<-'END'
	static void step(int n)
	{
		if (n > 0)
			step(n - 1);
	}
	int main(void)
	{
		for (int i = 0; i < 5; i++) {
	#pragma omp parallel num_threads(3)
			{
				step(2);
	#pragma omp barrier
				step(1);
			}
		}
		return 0;
	}
END
# shellcheck disable=SC2086
if [ -e "$t_build/.libs/libmeasure-gomp.so" ] && ${CC:-gcc} $flags -fopenmp -o team team.c 2>err; then
	whole ./team
	same 'calls of threads' 'exclude step thread=1 depth=3-
exclude step every=3
exclude paradigm=openmp thread=2 shorter=1000s' ./team
	same 'constructs' 'exclude "!$omp parallel" role=barrier' ./team
fi

# What was there is still as it was. Twice is as once, and counts go on.
(cd all && find . -type f -exec cksum {} + | sort) >after
cmp -s before after || t_fail 'the input is not as it was'
whole ./calls
rm -rf once twice both
"$measure_sync" -q --exclude 'tick every=2' all -o once || t_fail "once: exit status $?"
"$measure_sync" -q --exclude 'recurse depth=3-' once -o twice || t_fail "twice: exit status $?"
"$measure_sync" -q --exclude 'tick every=2' --exclude 'recurse depth=3-' all -o both || t_fail "both: exit status $?"
t_equal 'left out twice' "$(left_out both)" "$(left_out twice)"
t_equal 'events' "$(t_events both)" "$(t_events twice)"
for name in once new; do
	cd "$t_build" && t_sound "$work/$name"
	cd "$work" || exit 1
done
head -n 1 twice/summary.txt | grep -q '^measure-sync removed [1-9]' || t_fail "summary: $(cat twice/summary.txt)"

# What counted the event files that were is not there: what counts is counted anew.
otf2-print -A all/traces.otf2 | grep -q 'MEASURE::EVENT_BYTES' || t_fail 'nothing was counted'
otf2-print -A twice/traces.otf2 >properties
! grep -E 'MEASURE::(EVENT_BYTES|COUNTED|RECORDS|TOP_REGION|SUGGESTED_FILTER)' properties || t_fail 'counts of other event files'
t_equal 'EVENTS' "$("$measure_check" --json twice | sed -n 's/.*"events": \([0-9]*\).*/\1/p' | head -n 1)" \
	"$(awk '$3 == "MEASURE::EVENTS" { getline; print $3 }' properties)"

# Times are those of the same command without a filter.
rm -rf plain
"$measure_sync" -q --emit events all -o plain
"$measure_sync" -q --emit events --exclude 'tick every=2' all -o timed
otf2-print once/traces.otf2 | grep '^[EL]' >offsets
otf2-print timed/traces.otf2 | grep '^[EL]' >events
otf2-print plain/traces.otf2 | grep '^[EL]' >plain.txt
cmp -s offsets events || t_fail 'other times with --emit=events'
t_equal 'events with other times than without a filter' '' "$(grep -v -x -F -f plain.txt events)"

# Mistakes
printf 'exclude main\nexclude deep=3\n' >wrong
"$measure_sync" -q -f wrong all -o nothing 2>err
t_equal 'wrong rule: exit status' 2 $?
grep -q '^measure-sync: wrong:2:9: .*: nothing was written$' err || t_fail "wrong rule: $(cat err)"
"$measure_sync" -q --include 'main shorter=1s' all -o nothing 2>err
t_equal 'wrong option: exit status' 2 $?
"$measure_sync" -q -f missing all -o nothing 2>err
t_equal 'no file: exit status' 2 $?
grep -q '^measure-sync: missing: No such file.*: nothing was written$' err || t_fail "no file: $(cat err)"
[ ! -e nothing ] || t_fail 'something was written'
"$measure_sync" -q --statistics=full -f rules all -o nothing 2>err
t_equal 'full statistics: exit status' 2 $?
t_end
