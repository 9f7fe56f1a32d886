# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
#
# Runs the commands of documents; sourced after lib.sh. t_run_blocks FILE DIR: all of FILE, in order, in DIR. The
# documents' own words for what is not run, and for other exit statuses, are in blocks.awk.

t_nr_commands=0 t_nr_left_out=0
unset MEASURE_QUIET
export MEASURE_OVERHEAD=20 # as users have it
PATH=$t_build:$PATH

# What a document says that its command prints, and what it has printed: each line but ..., in order, may go
# on. Numbers with their
# units, what is in parentheses, bars and blanks are not compared.
cat >"$work/compare.awk" <<'AWK'
function plain(line)
{
	gsub(/[0-9][0-9.,:]*( (ns|us|ms|s|min|h|%|x|KiB|MiB|GiB|bytes))?/, "#", line)
	gsub(/\([^)]*\)/, "", line)
	gsub(/█|▒|░|─/, "", line)
	gsub(/[ \t]+/, " ", line)
	gsub(/^ | $/, "", line)
	return line
}
NR == FNR { found[++nr] = plain($0); next }
/^\.\.\.$/ || /^[ \t]*$/ { next }
{
	from = at
	while (++at <= nr && index(found[at], plain($0)) != 1)
		;
	if (at > nr) {
		print "not printed: " $0
		status = 1
		at = from
	}
}
END { exit status }
AWK

cat >"$work/functions" <<'SH'
set -e
t_at=
trap 't_status=$?; [ $t_status = 0 ] || echo "failed: $t_at: exit status $t_status"; echo "$t_nr $t_nr_left" >"$t_work/counts"' EXIT
t_nr=0 t_nr_left=0
t_begin()
{
	t_at="$1: $2"
	t_nr=$((t_nr + 1))
	echo "+ $2"
}
t_left_out()
{
	t_nr_left=$((t_nr_left + 1))
	echo "not run: $1" >>"$t_work/left_out"
}
t_unmarked()
{
	echo "failed: $1: the block is not marked sh or console"
	exit 1
}
# t_check_status FOUND EXPECTED...
t_check_status()
{
	set -e
	t_found=$1
	shift
	case " $* " in
	*" $t_found "*) ;;
	*)
		echo "failed: $t_at: exit status $t_found, not $*"
		exit 1
		;;
	esac
}
t_compare()
{
	cat "$t_work/output"
	printf '%s' "$1" | awk -f "$t_work/compare.awk" "$t_work/output" - && return
	echo "failed: $t_at: prints something else"
	exit 1
}
SH

t_run_blocks()
{
	t_chapter=${1#"$t_source"/}
	{
		cat "$work/functions"
		awk -v name="$t_chapter" -v remarks="$t_here/pages.tsv" -f "$t_here/blocks.awk" "$1"
	} >"$work/script"
	: >"$work/counts"
	(cd "$2" && t_work=$work exec sh "$work/script" <"/dev/null" >"$work/log" 2>&1) || {
		cat "$work/log"
		t_failures=$((t_failures + 1))
	}
	read -r t_ran t_left <"$work/counts" || t_fail "$t_chapter: not a script"
	t_nr_commands=$((t_nr_commands + ${t_ran:-0}))
	t_nr_left_out=$((t_nr_left_out + ${t_left:-0}))
}

# How many there were, and what was not run.
t_end_of_blocks()
{
	[ ! -s "$work/left_out" ] || cat "$work/left_out"
	echo "$t_nr_commands commands run, $t_nr_left_out not"
	[ $t_nr_commands -gt 0 ] || t_fail 'no commands'
	t_end
}

# A directory with the examples, for a chapter of recipes; what these take for granted.
t_begin_recipes()
{
	t_need_mpirun
	for t_command in mpicc gcc python3 pkg-config; do
		command -v $t_command >/dev/null || t_skip "no $t_command"
	done
	[ -x measure-report ] || t_skip 'without zlib there is no measure-report'
	mkdir "$work/pkgconfig" "$work/recipes"
	printf 'Name: measure\nDescription: headers\nVersion: 0\nCflags: -I%s\n' "$t_source/lib/api" >"$work/pkgconfig/measure.pc"
	export PKG_CONFIG_PATH="$work/pkgconfig" XDG_CACHE_HOME="$work/cache"
	cp "$t_source"/doc/examples/*.c "$t_source"/doc/examples/*.py "$t_source"/doc/examples/*.wrap "$work/recipes"
	cd "$work/recipes" || exit
}
