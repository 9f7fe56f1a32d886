#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-convert writes the same calls in Perfetto's, Chrome's and speedscope's formats, by readers that are not ours, with the times of measure-profile; windows are cut out of them, filters leave out what measure-sync does; CONVERT_SEEDS='1 200' tries as many random archives
. "$(dirname "$0")/../lib.sh"
for python in /usr/bin/python3 python3; do
	"$python" -c 'import otf2, google.protobuf' 2>"$work/words" && break
	python=
done
[ -n "$python" ] || t_skip 'no otf2 or google.protobuf module of Python'
command -v protoc >/dev/null || t_skip 'no protoc'
cd "$work" || exit 1
protoc -I "$t_here" --python_out=. perfetto.proto 2>words || t_skip "protoc: $(cat words)"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$work

# convert NAME FORMAT OPTION...
convert()
{
	"$t_build/measure-convert" archive --sync none --to "$2" -o "$1.$2" "${@:3}" 2>words ||
		t_fail "seed $seed, $*: status $?: $(cat words)"
}

# seconds TICKS
seconds()
{
	awk -v ticks="$1" -v resolution="$resolution" 'BEGIN { printf "%.12f", ticks / resolution }'
}

# check WORD ARGUMENT...: of converted.py
check()
{
	"$python" "$t_here/converted.py" "$@" >said 2>&1 || t_fail "seed $seed, $*: $(tail -n 2 said)"
}

for seed in $(seq ${CONVERT_SEEDS:-1 12}); do
	rm -rf archive filtered.archive
	"$python" "$t_tests/e2e/profile/random_archive.py" $seed archive 2>words || t_skip "Python cannot write archives: $(tail -n 1 words)"
	resolution=$(otf2-print -G archive/traces.otf2 | sed -n 's/^CLOCK_PROPERTIES.*Ticks per Seconds: \([0-9]*\).*/\1/p')
	length=$(otf2-print -G archive/traces.otf2 | sed -n 's/^CLOCK_PROPERTIES.*Length: \([0-9]*\).*/\1/p')
	for format in perfetto chrome speedscope folded; do
		convert whole $format
	done
	slack=1
	[ "$resolution" != 1000000000 ] || slack=0
	check same whole.perfetto whole.chrome whole.speedscope whole.folded $slack
	"$t_build/measure-profile" --format folded archive >profile.folded
	cmp whole.folded profile.folded || t_fail "seed $seed: other folded stacks than measure-profile"

	# every third of the run; exact where a tick is a nanosecond
	for share in 0 1 2; do
		from=$((length * share / 3)) until=$((length * (share + 1) / 3))
		for format in perfetto chrome speedscope folded; do
			convert part $format --from "$(seconds $from)" --until "$(seconds $until)"
		done
		check same part.perfetto part.chrome part.speedscope part.folded $slack
		[ $slack = 1 ] || check window whole.chrome part.chrome $from $until
	done

	# one location at a time: together they are all
	for location in 0 1 2; do
		convert "location$location" chrome --locations $location
	done
	t_equal "seed $seed: begins by location" "$(grep -c '"ph":"B"' whole.chrome)" \
		"$(cat location?.chrome | grep -c '"ph":"B"')"

	# a filter: as measure-sync applies it
	printf 'exclude r1\nexclude r2 duration<100ns\n' >rules
	"$t_build/measure-sync" -q -f rules archive -o filtered.archive >words 2>&1
	if [ -e filtered.archive ]; then
		convert filtered chrome --filter rules --flows=none
		"$t_build/measure-convert" filtered.archive --sync none --to chrome -o copied.chrome --flows=none 2>words ||
			t_fail "seed $seed, copy: $(cat words)"
		# the copy begins with the first event that it has left
		first=$(otf2-print -G filtered.archive/traces.otf2 | grep -o 'Global Offset: [0-9]*')
		otf2-print -G archive/traces.otf2 | grep -q "$first," && first=kept
		for name in filtered copied; do
			grep -v '"ph":"M"' $name.chrome | sed "$([ "$first" = kept ] || echo 's/"ts":[0-9.]*//')" >$name
		done
		cmp filtered copied || t_fail "seed $seed: other calls than in the copy that measure-sync has filtered"
		nr_filtered=$((${nr_filtered:-0} + 1))
	fi
done
t_equal 'seeds whose filtered copies were compared' "$(seq ${CONVERT_SEEDS:-1 12} | wc -l)" "${nr_filtered:-0}"
t_end
