#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: of samples in stripped programs and libraries, the summary tells how much time is spent in which library and function, by names of dynamic symbols, .gnu_debugdata and debug files, and advises to recompile what can be
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

t_left_out_under_asan sampling 'handlers do not run at once' && t_skip 'AddressSanitizer'
for tool in objcopy strip nm xz; do
	command -v $tool >tool || t_skip "no $tool"
done
# Nothing of this user's, and of no server.
unset DEBUGINFOD_CACHE_PATH
export HOME="$work/home" XDG_CACHE_HOME= DEBUGINFOD_URLS=http://127.0.0.1:9/

# library NAME STATIC: libNAME.so, not stripped yet
library()
{
	${CC:-cc} -O1 -g -shared -fPIC -Wl,--build-id -DENTRY="$1_entry" -DLOOP="$1_loop" -DSTATIC="$2" -o "lib$1.so" \
		"$t_here/time_by_library_work.c" || t_skip 'no compiler'
}
library plain ''
library mini static
library split static
${CC:-cc} -O1 -o spent "$t_here/time_by_library.c" -L. -lplain -lmini -lsplit -Wl,-rpath,"$work" || t_skip 'no compiler'

# What is left where only dynamic symbols are, as Fedora does it, and as Debian does it.
strip spent libplain.so
nm -D -f posix --defined-only libmini.so | cut -d ' ' -f 1 | sort >dynamic
nm -f posix --defined-only libmini.so | awk '$2 == "t" || $2 == "T" { print $1 }' | sort | comm -13 dynamic - >others
objcopy --only-keep-debug libmini.so mini.debug
objcopy -S --remove-section .comment --keep-symbols=others mini.debug mini
strip -R .comment libmini.so
xz mini && objcopy --add-section .gnu_debugdata=mini.xz libmini.so
objcopy --only-keep-debug libsplit.so split.debug
strip libsplit.so
cp libsplit.so unlinked.so
id=$(readelf -n libsplit.so | sed -n 's/.*Build ID: //p')
rest=${id#??}
t_equal 'symbols left' '' "$(nm libplain.so libmini.so libsplit.so spent 2>&1 | grep -v 'no symbols\|^$\|:$')"

# share TABLE LINE: the first percentage, without its fraction, of the line that has this end, in the table with these words
share()
{
	awk -v table="$1" -v line="$2" 'index($0, table) { is_in = 1; next } NF == 0 { is_in = 0 }
		is_in && index($0 " ", "  " line " ") { print int($1); exit }' run/summary.txt
}

# between WHAT SHARE LOW HIGH
between()
{
	[ "${2:-0}" -ge "$3" ] && [ "${2:-0}" -le "$4" ] || t_fail "$1: '$2' %, and not $3 to $4 %: $(sed -n '/^Samples/,$p' run/summary.txt)"
}

# sampled SECONDS: into run/
sampled()
{
	rm -rf run
	"$measure" -q --sample 997 -o run ./spent "$1" 2>err || t_fail "exit status $?: $(cat err)"
}

export DEBUGINFOD_CACHE_PATH="$work/cache"
mkdir -p "cache/$id"
cp split.debug "cache/$id/debuginfo"
sampled 4
t_sound "$work/run"
libraries='time in the code' hottest='functions by their own time' own='functions of the program and'
between libplain.so "$(share "$libraries" libplain.so)" 20 40
between libmini.so "$(share "$libraries" libmini.so)" 11 29
between libsplit.so "$(share "$libraries" libsplit.so)" 11 29
between 'C library' "$(share "$libraries" libc.so.6)" 11 29
between 'program' "$(share "$libraries" spent,)" 4 18
between plain_loop "$(share "$hottest" plain_loop)" 20 40
between mini_loop "$(share "$hottest" mini_loop)" 11 29
between split_loop "$(share "$hottest" split_loop)" 11 29
grep -q '% *plain_loop  *in libplain.so$' run/summary.txt || t_fail 'plain_loop: in which library?'
grep -q '% *split_loop  time_by_library_work.c:[1-9][0-9]* in libsplit.so$' run/summary.txt || t_fail 'split_loop: in which file?'
grep -q '% *mini_loop  *in libmini.so$' run/summary.txt || t_fail 'mini_loop: in which library?'

# What the C library does for fill() is told of fill(), which has no name.
grep -q "^  $(printf '%*s' 0 '').*% *[0-9.]* % *[0-9.]* %  spent+0x[0-9a-f]*  in spent\$" run/summary.txt || t_fail "$own: $(cat run/summary.txt)"
between 'outside these functions' "$(share "$own" 'outside these functions')" 0 3
grep -q 'samples are in functions without a name' run/summary.txt || t_fail 'not a word of what has no names'

# What can be recompiled, by name.
sed -n '/Worth recompiling/,/^$/p' run/summary.txt >advice
t_equal 'advice: functions' 'mini_loop plain_loop split_loop' \
	"$(sed -n "s/.*--include '\(.*\)'.*/\1/p" advice | sort | tr '\n' ' ' | sed 's/ $//')"
for word in 'time_by_library_work.c' 'the sources of libplain.so' 'the sources of libmini.so'; do
	grep 'finstrument-functions  for' advice | grep -q "$word" || t_fail "advice: $word: $(cat advice)"
done
! grep -q 'libc.so\|spent' advice || t_fail "advice: $(cat advice)"

# is_named WHERE, is_unnamed WHERE: split_loop, after a short run
is_named()
{
	sampled 0.5
	grep -q '% *split_loop  time_by_library_work.c:' run/summary.txt || t_fail "$1: split_loop has no name: $(cat run/summary.txt)"
}
is_unnamed()
{
	sampled 0.5
	grep -q '%  libsplit.so+0x' run/summary.txt && ! grep -q split_loop run/summary.txt || t_fail "$1: a name of another file"
}

# Each place where a debug file may be. One of another build is none.
unset DEBUGINFOD_CACHE_PATH
is_unnamed 'no debug file'
mkdir -p "home/.cache/debuginfod_client/$id" "xdg/debuginfod_client/$id"
mv "cache/$id/debuginfo" "home/.cache/debuginfod_client/$id"
is_named 'cache in HOME'
mv "home/.cache/debuginfod_client/$id/debuginfo" "xdg/debuginfod_client/$id"
XDG_CACHE_HOME=$work/xdg is_named 'cache in XDG_CACHE_HOME'
cp mini.debug "home/.cache/debuginfod_client/$id/debuginfo"
is_unnamed 'the debug file of another library'
: >"home/.cache/debuginfod_client/$id/debuginfo"
is_unnamed 'an empty file'
rm -rf home

objcopy --add-gnu-debuglink=split.debug libsplit.so
is_named 'beside the library'
mkdir .debug
mv split.debug .debug
is_named '.debug'
cp mini.debug .debug/split.debug
is_unnamed 'a link to the debug file of another library'

# Without a build id, the sum counts.
library split static
objcopy --remove-section .note.gnu.build-id libsplit.so
objcopy --only-keep-debug libsplit.so .debug/split.debug
strip libsplit.so
(cd .debug && objcopy --add-gnu-debuglink=split.debug ../libsplit.so)
is_named 'no build id'
printf 'x' >>.debug/split.debug
is_unnamed 'no build id, and another sum'
rm -rf .debug

# Where distributions have them; in a name space of mounts, as the folder is not ours.
mkdir -p "system/.build-id/${id%"$rest"}"
cp unlinked.so libsplit.so
mv "xdg/debuginfod_client/$id/debuginfo" "system/.build-id/${id%"$rest"}/$rest.debug"
if [ -d /usr/lib/debug ] && unshare -rm mount --bind system /usr/lib/debug 2>err; then
	rm -rf run
	unshare -rm sh -c 'mount --bind system /usr/lib/debug && exec "$@"' sh "$measure" -q --sample 997 -o run ./spent 0.5 ||
		t_fail "/usr/lib/debug: exit status $?"
	t_wait 30 test -e run/summary.txt
	grep -q '% *split_loop  time_by_library_work.c:' run/summary.txt || t_fail "/usr/lib/debug: $(cat run/summary.txt)"
else
	echo "not tried, no name space of mounts: /usr/lib/debug: $(cat err)"
fi
# A clone is advised by the name of its function, which has none, or another one, when it is compiled with hooks.
cat >clone.cc <<'END'
static volatile double sink;
static __attribute__((noipa)) int same(int x) { return x; }
static __attribute__((noinline)) void spin(int mode, long n)
{
	for (long i = 0; i < n; i++)
		if (mode == 1)
			sink += i;
		else
			sink *= i;
}
int main() { for (int k = 0; k < 300; k++) spin(1, 1000000L * same(1)); }
END
for language in c c++; do
	${CC:-cc} -x $language -O2 -g -o clone clone.cc 2>err || continue
	nm clone | grep -q 'spin.*constprop' || continue
	rm -rf run
	"$measure" -q --sample 997 -o run ./clone || t_fail "clone: exit status $?"
	options=$(sed -n "s/.*--include '\(.*spin.*\)'.*/\1/p" run/summary.txt)
	${CC:-cc} -x $language -O2 -g -finstrument-functions -o clone clone.cc
	rm -rf run
	"$measure" -q --exclude paradigm=compiler --include "$options" -o run ./clone || t_fail "clone: exit status $?"
	otf2-print run/traces.otf2 | sed -n 's/^ENTER .*Region: "\([^"(.]*\).*/\1/p' >entered
	t_equal "$language: entered by '$options'" '300 spin' "$(sort entered | uniq -c | sed 's/^ *//')"
done
t_end
