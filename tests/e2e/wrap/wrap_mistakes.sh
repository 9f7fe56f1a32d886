#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: what is wrong with a source of measure-wrap or with --wrap is said in one line with what to do; status 2,
# and nothing is run
. "$(dirname "$0")/../lib.sh"
wrap=$t_build/measure-wrap
cd "$work" || exit 1
export XDG_DATA_HOME=$work/data

# refused TEXT COMMAND...: status 2, nothing on stdout, one line with TEXT
refused()
{
	text=$1
	shift
	"$@" >out 2>words
	t_equal "$*: status" 2 $?
	[ ! -s out ] || t_fail "$*: prints '$(cat out)'"
	[ "$(t_lines words)" = 1 ] || t_fail "$*: $(t_lines words) lines: $(cat words)"
	grep -q -F -- "$text" words || t_fail "$*: '$text' is not in '$(cat words)'"
}

# with LINE TEXT: a file of prototypes of this one line is refused with TEXT
with()
{
	printf '%s\n' "$1" >one.wrap
	refused "one.wrap:1: $2" "$wrap" -o . one one.wrap
}

refused 'name the library of wrappers and its source' "$wrap"
refused 'did you mean --output' "$wrap" --outptu . x
refused 'unheard-of: Measure has no description of this library: give a header' "$wrap" unheard-of
mkdir -p moved/bin moved/share/measure # where descriptions are, of a tool that was moved after it was installed
cp "$wrap" moved/bin
ln -s "$t_source/share/wrap" moved/share/measure
refused 'has no description of this library: did you mean zlib? Otherwise give' moved/bin/measure-wrap -o /nonexistent z
refused 'has no description of this library: did you mean netcdf? Otherwise give' moved/bin/measure-wrap netcfd
refused 'No such file' "$wrap" x missing.wrap
refused "'a/b' cannot be the name" "$wrap" a/b x.h
refused 'no such library: install its development package' "$wrap" -l unheard-of x stdlib.h
refused 'not a shared object' "$wrap" -l "$work/words" x stdlib.h
refused 'the compiler rejects the header: unheard-of.h: No such file' "$wrap" x unheard-of.h
printf '#include "unheard-of.h"\n' >lost.h
refused "$work/lost.h:1:10: fatal error: unheard-of.h: No such file" "$wrap" x lost.h
refused 'there is no function to wrap' "$wrap" -l z x limits.h
refused 'Measure itself uses this library' "$wrap" x "$(${CC:-cc} -print-file-name=libc.so.6)"
refused 'unheard-of: no such compiler' env CC=unheard-of "$wrap" x stdlib.h
mkdir closed; : >closed/file
refused 'name another directory by -o' "$wrap" -o closed/file x stdlib.h

with 'int f(int n) @agrs(n);' '@agrs: unknown annotation: did you mean @args?'
with 'int f(int n) @args(m);' "@args(m): f has no argument 'm'"
with 'int f(int n) @args;' '@args: lacks its arguments'
with 'int f(int n) @errno(1);' '@errno: takes no arguments'
with 'int f(int n) @out(n);' "@out(n): 'n' does not point to a single value"
with 'int f(int n, ...) @out(n);' '@out(n): of a function with a variable number'
with 'int f(int n) @sample(100);' '@sample(100): not a number that can be used: write (1/N)'
with 'int f(int n) @depth(9);' '@depth(9): not a number'
with 'int f(int n) @role(file);' '@role(file): no role of OTF2'
with 'int f(int n) @value(n);' '@value(n): it lacks a name or an expression'
with 'int f(int n) @value(string n, n);' '@value(string n, n): unknown type'
with 'int f(int n) @set("x");' '@set("x"): it lacks a value'
with 'int f(int n) @event(x);' '@event(x): it does not begin with a text'
with 'void f(int n) @errno;' '@errno(): the result does not tell'
with 'int f(int n) @group(a b);' '@group(a b): not one word'
with 'int f(int n) @if((n > 1;' 'the parenthesis behind an @ is not closed'
with 'int f(int n)' 'the last prototype has no semicolon'
with 'int f(int n); @functions(g*) @errno;' '@functions(g*): no function has such a name'
with '@errno; int f(int n);' 'an annotation here needs @functions'
printf 'int f(int n) @if(m > 1);\n' >one.wrap
refused 'the wrappers cannot be compiled' "$wrap" -o . one one.wrap
printf 'int f(unknown n);\n' >one.wrap
refused 'the compiler rejects the prototypes' "$wrap" -o . one one.wrap
printf 'int f(int n);\n' >one.wrap
refused 'f: ' "$wrap" -o . -l z one one.wrap

printf 'BEGIN_MODULE\nNAME x\nint f(int n)\nBEGIN\nEVNT("x")\nEND\nEND_MODULE\n' >one.tpl
refused 'one.tpl:5: EVNT("x"): unknown command' "$wrap" -o . one.tpl
printf 'BEGIN_MODULE\nNAME x\nint f(int n\nEND_MODULE\n' >one.tpl
refused 'neither a command nor a prototype' "$wrap" -o . one.tpl
printf 'BEGIN_MODULE\nNAME x\nBEGIN_INCLUDE\nEND_MODULE\n' >one.tpl
refused 'END_INCLUDE: is missing' "$wrap" -o . one.tpl

# --wrap
printf 'int f(int n) @group(some);\n' >one.wrap
"$wrap" -q -o . one one.wrap || t_fail 'measure-wrap'
refused "'two': there is no such wrapper library" "$measure" --wrap two -o run true
refused "'one': has no group 'sone'; it has some: did you mean some?" "$measure" --wrap one:sone -o run true
refused 'not a library of wrappers' "$measure" --wrap ./one.wrap -o run true
mkdir 'a b'; cp libmeasure-wrap-one.so 'a b'
refused 'the loader cannot preload a path that contains blanks' "$measure" --wrap 'a b/libmeasure-wrap-one.so' -o run true
sed 's/^measure-wrap 1 /measure-wrap 0 /' libmeasure-wrap-one.so >libmeasure-wrap-old.so
refused 'made for another version of Measure' "$measure" --wrap old -o run true
[ ! -e run ] || t_fail 'something was run'
"$measure" --lenient --wrap two -o run true >out 2>words || t_fail "--lenient: status $?: $(cat words)"
"$measure" --wrap one --dry-run true | grep -q 'libmeasure-wrap-one.so: for --wrap' || t_fail '--dry-run'
"$wrap" -q one one.wrap || t_fail "measure-wrap for the user"
rm libmeasure-wrap-one.so
"$measure" --wrap one --dry-run true | grep -q "$XDG_DATA_HOME/measure/wrap/libmeasure-wrap-one.so" || t_fail "the user's directory"
t_end
