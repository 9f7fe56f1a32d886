# SPDX-License-Identifier: BSD-3-Clause
# What the tests of this folder have in common. They run in the build directory, by each interpreter in $pythons: one
# for each release of Debian's, the first one in PATH, and those that MEASURE_PYTHONS names.
set -u
. "$here/../../e2e/lib.sh"
unset MEASURE_PYTHON_GROUPS PYTHONPATH PYTHONHOME
export PYTHONDONTWRITEBYTECODE=1
pythons=$(for t_python in /usr/bin/python3 python3 ${MEASURE_PYTHONS-}; do
	"$t_python" -S -c 'import sys; sys.version_info < (3, 9) or print(sys.version_info[1], sys.executable)' 2>/dev/null
done | sort -s -u -n -k 1,1 | cut -d ' ' -f 2)
[ -n "$pythons" ] || t_skip 'no Python 3.9 or newer'
[ -f .libs/libmeasure-python.so ] || t_skip 'the adapter is not built'

# t_python_is_at_least PYTHON MINOR
t_python_is_at_least()
{
	"$1" -S -c "import sys; sys.exit(sys.version_info < (3, $2))"
}

# t_compared ARCHIVE COMMAND...: runs it without and with measure (and $options), which changes nothing. The archive is
# sound, and every region is left as often as entered; `visits` has "NAME COUNT" of those of the program itself.
t_compared()
{
	archive=$work/$1
	shift
	"$@" >"$work/plain" 2>"$work/plain.words" </dev/null
	plain=$?
	"$measure" -q ${options-} -o "$archive" "$@" >"$work/traced" 2>"$work/traced.words" </dev/null
	t_equal "$*: exit status" $plain $?
	cmp "$work/plain" "$work/traced" && cmp "$work/plain.words" "$work/traced.words" || t_fail "$*: other output"
	t_wait 20 test ! -e "$archive/.parts"
	t_sound "$archive"
	t_visits "$archive" >"$work/visits" || t_fail "$*: $(grep '^not balanced' "$work/visits")"
}

t_visits()
{
	otf2-print "$1/traces.otf2" | awk '
		/^(ENTER|LEAVE) / {
			match($0, /"[^"]*"/)
			name = substr($0, RSTART + 1, RLENGTH - 2)
			count[$1, name]++
			names[name]
		}
		END {
			for (name in names) {
				if (count["ENTER", name] != count["LEAVE", name]) {
					print "not balanced:", name, count["ENTER", name], count["LEAVE", name]
					wrong = 1
				}
				if (sub(/^__(mp_)?main__\./, "", name))
					print name, count["ENTER", "__main__." name] + count["ENTER", "__mp_main__." name]
			}
			exit wrong
		}' | LC_ALL=C sort -u
}

# Nothing was lost, and nothing had to be repaired.
t_whole()
{
	t_equal "$1: losses" '  none' "$(sed -n '/^Losses/,/^$/p' "$work/$1/summary.txt" | sed -n 2p)"
}
