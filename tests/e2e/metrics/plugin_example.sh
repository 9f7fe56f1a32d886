#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the example of a plug-in of metrics tells how deep calls are; what is wrong with a plug-in is said
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

example=$t_source/doc/examples/stack.c
mkdir include
ln -s "$(cd "$t_source/lib/api" && pwd)" include/measure
cc="${CC:-cc} -O2 -fPIC -Iinclude $(otf2-config --cflags 2>/dev/null)"
$cc -shared -o libstack.so "$example" 2>words || t_skip "no compiler: $(head -n 1 words)"
cat >deep.c <<'END'
static volatile int total;
static int deep(int n)
{
	volatile char block[1024];
	block[0] = (char)n;
	total += block[0];
	return n == 0 ? 0 : deep(n - 1) + total;
}
int main(void)
{
	return deep(20) == -1;
}
END
$cc -O1 -fno-optimize-sibling-calls -finstrument-functions -o deep deep.c || t_fail 'the program is not compiled'

"$measure" --strict -m ./libstack.so:used,rusage:ru_minflt -o run ./deep 2>words || t_fail "exit status $?: $(cat words)"
t_sound "$work/run"
otf2-print run/traces.otf2 | sed -n 's/^METRIC.*"used" <[0-9]*>; UINT64; \([0-9]*\)).*/\1/p' >used
t_equal 'records' 44 "$(t_lines used)"
# main, then 21 calls one in the other, each of 1 KiB more; and back. How much the hooks use varies a little.
awk 'NR > 2 && NR <= 22 && $1 < last + 512 { nr++ } NR > 23 && $1 > last { nr++ } { last = $1 } END { exit nr > 0 }' used ||
	t_fail "the stack does not grow and shrink: $(cat used)"

# Of a node: it is read beside the program, and not loaded into that.
sed 's/MEASURE_METRIC_THREAD/MEASURE_METRIC_NODE/' "$example" >beside.c
mkdir beside
$cc -shared -o beside/libstack.so beside.c || t_fail 'the other plug-in is not compiled'
"$measure" --strict -m ./beside/libstack.so:used --metric-interval 5 -o beside.run sh -c 'sleep 0.2; grep -c beside /proc/self/maps' >words 2>&1
t_equal 'beside: loaded into the program' 0 "$(cat words)"
t_sound "$work/beside.run"
otf2-print beside.run/traces.otf2 | grep -q '^METRIC.*"used"' || t_fail 'beside: no values'

# What is wrong.
wrong()
{
	"$measure" -m "$1" -o wrong ./deep 2>words
	t_equal "$1: exit status" "${3:-0}" $?
	grep -q "$2" words || t_fail "$1: $(cat words)"
}
wrong ./libstack.so:use 'libstack.so:use: unknown metric; similar names: .*used' 2
wrong ./nothing.so:used 'nothing.so:used: no such file' 2
echo 'int nothing;' >nothing.c
$cc -shared -o libnothing.so nothing.c
wrong ./libnothing.so:used 'not a metric plug-in'
cp libstack.so libother.so
wrong ./libother.so:used 'source and file names differ'
sed 's/MEASURE_METRIC_ABI,/99,/' "$example" >old.c
mkdir old
$cc -shared -o old/libstack.so old.c
wrong ./old/libstack.so:used 'built for another version'
t_end
