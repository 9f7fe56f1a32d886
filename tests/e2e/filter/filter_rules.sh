#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: filters leave out what they say, by name, file, module, paradigm and rank, in C, C++ and Fortran, also in plug-ins; errors are told before the program starts
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
flags='-O0 -g -finstrument-functions'

# entered DIR: regions that were entered, one a line, without what C++ functions take and return
entered()
{
	otf2-print "$1/traces.otf2" | sed -n 's/^ENTER .*Region: "\(.*\)" <[0-9]*>$/\1/p' | sort -u
}

# expect WHAT REGIONS ARGUMENT...: what is entered with these options, blanks between
expect()
{
	what=$1 expected=$2
	shift 2
	rm -rf run
	"$measure" -o run "$@" >out 2>err || t_fail "$what: exit status $?"
	t_equal "$what: stderr" '' "$(cat err)"
	t_equal "$what" "$expected" "$(entered run | tr '\n' ' ' | sed 's/ $//')"
	# shellcheck disable=SC2015
	cd "$t_build" && t_sound "$work/run" && cd "$work" || exit 1
}

# shellcheck disable=SC2086
${CXX:-g++} $flags -o cxx "$t_here/overloads.cc" 2>/dev/null || t_skip 'no C++ compiler'
all='adder::operator()(int) const int ns::scale<2>(int) int ns::scale<3>(int) main'
all="$all main::{lambda(int)#1}::operator()(int) const ns::solve(double) ns::solve(int) plain_c recurse(int)"
expect 'no filter' "$all" ./cxx
./cxx >plain
t_equal 'output' "$(cat plain)" "$(cat out)"
expect 'names' 'main ns::solve(double) recurse(int)' \
	--exclude 'ns::scale<*; adder::operator\(\)' --exclude 'plain_? name~lambda' --exclude '"ns::solve(int)"' ./cxx
t_equal 'output, filtered' "$(cat plain)" "$(cat out)"
grep -q '^filtered    6 excluded regions that were called:' run/summary.txt || t_fail "summary: $(cat run/summary.txt)"
grep -q '^            ns::solve(int)$' run/summary.txt || t_fail 'summary has no name'
otf2-print -G run/traces.otf2 | grep -q 'Name: "MEASURE::FILTER_EXCLUDE" .*plain_?' || t_fail 'no property'
expect 'only' 'main ns::solve(double) ns::solve(int)' --exclude '*' --include 'main ns::solve' ./cxx
expect 'mangled' 'main' --exclude 'mangled=_Z*' --exclude plain_c ./cxx
expect 'file' '' --exclude 'file=overloads.cc' ./cxx
expect 'another file' "$all" --exclude 'file=*.f90' ./cxx
expect 'module' '' --exclude 'module=cxx' ./cxx
expect 'paradigm' "$all" --exclude 'paradigm=mpi,openmp' ./cxx
expect 'rank' "$all" --exclude 'rank=1-' ./cxx
strip -o stripped cxx
expect 'stripped' '' --exclude 'name=stripped+*' ./stripped

# Neither what functions of app return nor what they take is of lib; multiply() and get() are, whatever stands before them.
# shellcheck disable=SC2086
if ${CXX:-g++} $flags -o qualified "$t_here/namespaces.cc" 2>/dev/null; then
	app='app::run(lib::matrix) int app::ask<lib::matrix>(lib::matrix) lib::matrix app::make<int>(int)'
	expect 'qualified names' "$app main" --exclude 'lib::*' ./qualified
	expect 'anywhere in the qualified name' "app::run(lib::matrix) lib::matrix app::make<int>(int) main" --exclude '*lib::*' ./qualified
	expect 'in parameters' "int app::ask<lib::matrix>(lib::matrix) lib::matrix app::make<int>(int) main" \
		--exclude 'lib::*; "app::run(*lib::*"' ./qualified
	expect 'spelled out' 'app::run(lib::matrix) main' --exclude 'lib::*; "lib::matrix app::*"; "app::ask*"' ./qualified
fi

cat >rules <<'END'
# only the small ones
exclude
include plain_c \
	recurse # and this one
END
expect 'file of rules' 'plain_c recurse(int)' -f rules ./cxx
MEASURE_FILTER=rules MEASURE_INCLUDE=main expect 'environment' 'main plain_c recurse(int)' ./cxx
expect 'pipe' 'plain_c recurse(int)' -f /dev/stdin ./cxx <rules
cat >scorep <<'END'
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE *
  INCLUDE main plain_?
          recurse*
  INCLUDE MANGLED _ZN2ns5solveEd
SCOREP_REGION_NAMES_END
END
expect 'Score-P' 'main ns::solve(double) plain_c recurse(int)' -f scorep ./cxx
printf 'SCOREP_FILE_NAMES_BEGIN\nEXCLUDE */overloads.*\nSCOREP_FILE_NAMES_END\n' >scorep
expect 'files of Score-P' '' -f scorep ./cxx

# Libraries that come while the program runs, and one in the place of another.
for name in first second; do
	# shellcheck disable=SC2086
	${CC:-gcc} $flags -shared -fPIC -DPLUGIN=$name -o $name.so "$t_programs/plugin.c"
done
# shellcheck disable=SC2086
if ${CC:-gcc} $flags -o plugins "$t_programs/plugin_loader.c" -ldl; then
	expect 'plug-in' 'call main second' --exclude 'first' ./plugins
	expect 'plug-in by module' 'call first main' --exclude 'module=second.so' ./plugins
fi

# shellcheck disable=SC2086
if ${FC:-gfortran} $flags -o fortran "$t_here/module_procedures.f90" 2>/dev/null; then
	expect 'Fortran' 'alone filtered main' --exclude 'heat::* relax' ./fortran
	expect 'Fortran, by linker' 'filtered main relax' --exclude 'mangled=__heat_MOD_*; alone' ./fortran
fi

# wrong NAME STATUS OUTPUT PATTERN ARGUMENT...: one line that matches, before the program starts
wrong()
{
	name=$1 status=$2 output=$3 pattern=$4
	shift 4
	rm -rf run
	"$measure" -o run "$@" >out 2>err
	t_equal "$name: status" "$status" $?
	t_equal "$name: stdout" "$output" "$(cat out)"
	t_equal "$name: lines on stderr" 1 "$(t_lines err)"
	grep -q -e "^measure: $pattern" err || t_fail "$name: stderr: '$(cat err)'"
}

printf 'exclude a\n  exclude rank=x b\n' >bad
why="bad:2:11: 'x' is not a value of rank: numbers and ranges: 0,2-5,8-"
wrong 'filter' 2 '' "$why: not starting the program" -f bad ./cxx
wrong 'lenient' 0 "$(cat plain)" "$why: recording without a filter" --lenient -f bad ./cxx
t_equal 'after a wrong filter' "$all" "$(entered run | tr '\n' ' ' | sed 's/ $//')"
wrong 'strict' 2 '' "$why: not starting the program" -f bad --strict ./cxx
wrong 'strict option' 2 '' "--exclude: 'nmae' is not a condition: name, " --exclude nmae=x --strict ./cxx
wrong 'strict, other option' 2 '' "--spool: 'never' is not one of" --strict --spool never ./cxx
wrong 'no file' 2 '' 'nowhere: No such file or directory: not starting' -f nowhere ./cxx
MEASURE_INCLUDE=paradigm=x wrong 'environment' 2 '' "MEASURE_INCLUDE: 'x' is not a paradigm: compiler" --strict ./cxx
head -c 2000000 /dev/zero | tr '\0' '#' >large
wrong 'large file' 2 '' 'large: is longer than 1 MiB: not starting' --strict -f large ./cxx
wrong 'no text' 2 '' '/bin/true: is not a text file: not starting' --strict -f /bin/true ./cxx
t_end
