#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: wrapped functions of all kinds work as before, also varargs, structs by value, longjmp, threads and
# children; their calls and values are in the archive, by prototypes, by header, by debug information, and by symbols
# alone
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
wrap=$t_build/measure-wrap
cc=${CC:-cc}
command -v otf2-print >/dev/null || t_skip 'no otf2-print'
cp "$here"/box.h "$here"/box.c "$here"/box_program.c "$here"/box.wrap "$work"
cd "$work" || exit 1
export LD_LIBRARY_PATH=$work
$cc -g -O1 -fPIC -shared -o libbox.so box.c && $cc -O1 -o program box_program.c -L. -lbox -pthread ||
	t_skip 'no C compiler'
./program >plain

# recorded NAME [SOURCE]...: makes the library and records the program with it
recorded()
{
	name=$1
	shift
	"$wrap" -q -o . "$name" "$@" || t_fail "$name: measure-wrap $*"
	"$measure" --wrap "$name" -o "$name.trace" ./program >out 2>words || t_fail "$name: status $?: $(cat words)"
	cmp plain out || t_fail "$name: the program prints something else"
	[ ! -s words ] || t_fail "$name: $(cat words)"
	t_sound "$name.trace"
	otf2-print "$name.trace/traces.otf2" >"$name.events"
}

# calls NAME REGION: how often it was entered
calls()
{
	grep -c "^ENTER .*Region: \"$2\"" "$1.events"
}

# values NAME REGION: the attributes of its Enters and Leaves, in their order
values()
{
	awk -v region="Region: \"$2\"" '
		/^[A-Z]/ { is_it = index($0, region) }
		is_it && sub(/.*ADDITIONAL ATTRIBUTES: /, "") { gsub(/ <[0-9]+>/, ""); print }' "$1.events"
}

recorded box box.wrap
t_equal 'calls with a condition' 2001 "$(calls box box_add)" # and not the one with -7, nor the child's
t_equal 'calls with a name of their own' 1 "$(calls box 'scale (double, float)')"
t_equal 'nested calls' '2 1' "$(calls box box_recurse) $(calls box box_again)" # of five and four
t_equal 'left out' 0 "$(calls box box_vsum)"
t_equal 'varargs' '("nr"; INT64; 9)
("result"; INT64; 45)' "$(values box box_sum)"
t_equal 'an argument that varies is not recorded' '("nr"; INT64; 3)
("result"; DOUBLE; 7.5)' "$(values box box_sum_of_doubles)"
t_equal 'text, enumerators and what is no text' '("colour"; STRING; "BOX_RED"), ("text"; STRING; "(null)")
("result"; STRING; "red")
("colour"; STRING; "BOX_GREEN"), ("text"; STRING; "green")
("result"; STRING; "green")
("colour"; STRING; "3"), ("text"; STRING; "text")
("result"; STRING; "text")
("colour"; STRING; "BOX_RED"), ("text"; STRING; "(unreadable)")
("result"; STRING; "red")
("colour"; STRING; "BOX_GREEN"), ("text"; STRING; "café")
("result"; STRING; "café")' "$(values box box_name)"
t_equal 'fields' '("name"; STRING; "parcel"), ("bytes"; INT64; 21)
("result"; INT64; 42)' "$(values box box_send)"
t_equal 'what it returns by a pointer' '("nr"; UINT64; 4)
("negative"; INT64; 2), ("result"; INT64; 4)' "$(values box box_count)"
t_equal 'errno' '("error"; INT64; 0)
("errno"; INT64; 0), ("result"; INT64; 0)
("error"; INT64; 2)
("errno"; INT64; 2), ("result"; INT64; -1)
("error"; INT64; 0)
("errno"; INT64; 0), ("result"; INT64; 0)' "$(values box box_fail)"
otf2-print -G box.trace/traces.otf2 >definitions
grep -q 'REGION .*"box_send".*POINT2POINT' definitions || t_fail 'no role: point2point'

"$measure" --wrap box:sums -o groups.trace ./program >out 2>&1
cmp plain out || t_fail 'with a group, the program prints something else'
otf2-print groups.trace/traces.otf2 >groups.events
t_equal 'calls of a group' '2001 1 0' "$(calls groups box_add) $(calls groups box_sum) $(calls groups box_send)"

# A filter takes the call and its values.
"$measure" --exclude 'box_name' --wrap box -o filtered.trace ./program >out 2>&1
cmp plain out || t_fail 'with a filter, the program prints something else'
t_sound filtered.trace
otf2-print filtered.trace/traces.otf2 >filtered.events
t_equal 'filtered calls' '0 3 1' "$(calls filtered box_name) $(calls filtered box_fail) $(calls filtered box_send)"
! grep -q '"colour"' filtered.events || t_fail 'values of a call that is filtered'

# By the header: everything, with its first six arguments.
recorded header ./box.h
t_equal 'all calls' '2002 5 5 2' "$(calls header box_add) $(calls header box_recurse) $(calls header box_name) $(
	calls header box_swap)"
values header box_many | grep -q '^("a"; INT64; 1), .*("f"; INT64; 6)$' || t_fail 'the arguments of box_many'
t_equal 'nameless arguments' '("arg1"; INT64; 1), ("arg2"; UINT64; 0), ("arg3"; UINT64; 0)' "$(values header box_unnamed | head -n 1)"

# By the library: with its debug information what needs no header, without it no arguments at all.
recorded debug ./libbox.so
t_equal 'calls' '2002 1 2' "$(calls debug box_add) $(calls debug box_sum) $(calls debug box_handler)"
t_equal 'names of parameters' '("a"; INT64; -7), ("b"; UINT64; 9)' "$(values debug box_add | head -n 1)"
t_equal 'enumerators' '("colour"; STRING; "BOX_GREEN"), ("text"; STRING; "green")' "$(values debug box_name | sed -n 3p)"
strip --strip-debug libbox.so
recorded symbols -l ./libbox.so
t_equal 'calls' '2002 1 1 5' "$(calls symbols box_add) $(calls symbols box_sum) $(calls symbols box_many) $(calls symbols box_name)"
t_equal 'no arguments' '' "$(values symbols box_add)"

# Children are recorded where they are followed.
"$measure" --children=follow --wrap box -o follow.trace ./program >out 2>&1
t_wait 30 test ! -e follow.trace/.parts
otf2-print follow.trace/traces.otf2 >follow.events
t_equal 'calls with those of the child' 2002 "$(calls follow box_add)"
t_end
