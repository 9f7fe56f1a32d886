#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: filters of archives that another tool has made: times and durations that are known, ranks and threads, calls without an end, calls by calling contexts, metrics and attributes that come with calls
. "$(dirname "$0")/../lib.sh"
measure_sync=$t_build/measure-sync
cd "$work" || exit 1
# The system's Python has the module where another one has not.
python3 "$t_here/filter_foreign_archive.py" made 2>err || /usr/bin/python3 "$t_here/filter_foreign_archive.py" made 2>err ||
	t_skip "no Python module of OTF2: $(tail -n 1 err)"

# story LOCATION: its calls, with times; metrics as m, where they do not come in front of an Enter or Leave as M
story()
{
	otf2-print new/traces.otf2 | awk -v wanted="$1" '
		/^ +ADDITIONAL ATTRIBUTES/ && is_wanted { match($0, /; [0-9]+\)/); text = text "=" substr($0, RSTART + 2, RLENGTH - 3); next }
		{ is_wanted = $2 == wanted }
		!is_wanted || !/^[A-Z_]+ +[0-9]+ +[0-9]+/ { next }
		{ match($0, /"[^"]*"/); name = substr($0, RSTART + 1, RLENGTH - 2); distance = "" }
		match($0, /Distance: [0-9]+/) { distance = "/" substr($0, RSTART + 10, RLENGTH - 10) }
		/^METRIC/ { text = text (name == "cycles" ? " m" : " M") $3; next }
		/ENTER/ { text = text " " name "(" $3 distance }
		/SAMPLE/ { text = text " " name "!" $3 distance }
		/LEAVE/ { text = text " )" $3 }
		END { print substr(text, 2) }'
}

# expect WHAT RULES LOCATION STORY
expect()
{
	rm -rf new
	printf '%s\n' "$2" >rules
	"$measure_sync" -q -f rules made -o new 2>err || t_fail "$1: exit status $?: $(cat err)"
	t_equal "$1" "$4" "$(story "$3")"
}

main='m1000 main(1000 m2000 step(2000'
end='m9000 tiny(9000 m9000 small(9000 m9001 tiny(9001'
expect 'short ones with what is in them' 'exclude shorter=100us' 0 \
	"$(echo ")1000 $main m2200 small(2200=8 m2300 )2300 m3000 )3000" \
		"m5000 step(5000 m5010 small(5010 M5020 m5030 )5030 m6000 )6000 $end")"
expect 'short ones of a region' 'exclude small shorter=1ms' 0 \
	"$(echo ")1000 $main m2100 small(2100=7 m2110 tiny(2110 m2112 )2112 m2190 )2190 m3000 )3000" \
		"m5000 step(5000 m5010 small(5010 M5020 m5030 )5030 m5040 tiny(5040 m5041 )5041 m6000 )6000 $end")"
expect 'short to the tick' 'exclude shorter=100001ns' 0 \
	"$(echo ")1000 $main m2200 small(2200=8 m2300 )2300 m3000 )3000" \
		"m5000 step(5000 m5010 small(5010 M5020 m5030 )5030 m6000 )6000 $end")"
expect 'a metric of its own' 'exclude shorter=10ms' 0 \
	"$(echo ")1000 m1000 main(1000 m5000 step(5000 m5010 small(5010 M5020 m5030 )5030 m6000 )6000 $end")"
# since the first event of the process, at 1000
expect 'times' 'exclude time=0.0011-0.004' 0 \
	"$(echo ")1000 $main m3000 )3000 m5000 step(5000 m5010 small(5010 M5020 m5030 )5030 m5040 tiny(5040 m5041 )5041" \
		"m6000 )6000 $end" | sed 's/m5000 step(5000 //; s/m6000 )6000 //')"
expect 'times without ends' 'exclude
include time=-1ms' 0 ')1000 m1000 main(1000 m2000 step(2000 m3000 )3000 M5020'
expect 'rank' 'exclude rank=3 small tiny' 0 \
	"$main m3000 )3000 m5000 step(5000 M5020 m6000 )6000"
expect 'another rank' 'exclude rank=-2,4- main' 0 "$(
	rm -rf new
	cp -r made new
	story 0
)"
expect 'thread' 'exclude thread=1' 1 'tiny!3100/5'
expect 'another thread' 'exclude thread=0' 1 "$(
	rm -rf new
	cp -r made new
	story 1
)"
expect 'contexts' 'exclude step' 1 \
	'main(1000/2 small(2100/3 tiny(2101/2 )2102 )2103 small(3000/2 tiny!3100/2 )3500 )5000'
expect 'short contexts' 'exclude shorter=5us' 1 \
	'main(1000/2 step(2000/2 small(3000/2 tiny!3100/2 )3500 )4000 )5000'
expect 'no calls around a sample' 'exclude small' 1 \
	'main(1000/2 step(2000/2 tiny(2101/3 )2102 tiny!3100/3 )4000 )5000'
"$t_build/measure-check" new >check.out
grep -q 'calls of\|calling_context' check.out && t_fail "contexts: $(cat check.out)"
t_end
