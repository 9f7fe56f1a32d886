#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-profile's tables are 80 columns wide and end with a character, its JSON is JSON, phases in phases take no time, a begin after the end shows nothing, and options without effect are refused
. "$(dirname "$0")/../lib.sh"
for python in /usr/bin/python3 python3; do
	"$python" -c 'import otf2' 2>"$work/words" && break
	python=
done
[ -n "$python" ] || t_skip 'no otf2 module of Python'
cd "$work" || exit 1
"$python" "$t_here/odd_archives.py" . 2>words || t_skip "Python cannot write archives: $(tail -n 1 words)"
profile=$t_build/measure-profile

# --- tables -----------------------------------------------------------------------------------
for options in '' --tree '--by path' '--by process' '--by location'; do
	"$profile" $options names >table || t_fail "$options: status $?"
	LC_ALL=C.UTF-8 awk 'length($0) > 80' table >long
	t_equal "'$options': long lines" '' "$(cat long)"
	iconv -f UTF-8 -t UTF-8 table >words 2>&1 || t_fail "'$options': part of a character: $(cat table)"
done
"$profile" names >table
grep -qE '^ +count +bytes  sender, receiver$' table || t_fail "no titles of messages: $(cat table)"
"$profile" --top 2 names | grep -qx '(4 more: --top 0 shows all)' || t_fail "not said that there is more: $("$profile" --top 2 names)"

# --- a path of the CSV is whole ---------------------------------------------------------------
"$profile" --format csv --by path names >csv
"$python" -c 'import csv; rows = list(csv.reader(open("csv"))); assert all(not row[0].startswith("...") for row in rows), rows' ||
	t_fail "$(cat csv)"

# --- HTML of files is that of files -----------------------------------------------------------
"$profile" --by file --format html-fragment names >html
grep -q '<th>file</th><th>interface</th>' html || t_fail "HTML of files: $(head -n 3 html)"

# --- JSON -------------------------------------------------------------------------------------
"$profile" --format json numbers >json
"$python" -c 'import json, sys
def refuse(word):
    sys.exit(word)
profile = json.load(open("json"), parse_constant=refuse)
assert {row["name"] for row in profile["metrics"]} == {"gauge", "counter"}, profile["metrics"]' 2>words ||
	t_fail "JSON: $(tail -n 1 words): $(grep -A 9 metrics json)"

# --- phases in phases -------------------------------------------------------------------------
timeout 20 "$profile" --by phase --format csv --top 0 phases >csv || t_fail "phases: status $?"
t_equal 'phases' 20001 "$(t_lines csv)"
"$python" -c 'import csv
rows = list(csv.DictReader(open("csv")))
assert {row["MPI_ns"] for row in rows} == {"1000"}, rows[:3]
assert all(row["exclusive_ns"] == row["inclusive_ns"] for row in rows), rows[:3]' 2>words || t_fail "phases: $(tail -n 1 words)"

# --- a window after the end -------------------------------------------------------------------
for from in 1e30 inf 5; do
	"$profile" --from $from names | grep -qx 'nothing to show' || t_fail "--from $from: $("$profile" --from $from names)"
done

# --- what would have no effect ----------------------------------------------------------------
# refused WORDS OPTION...
refused()
{
	"$profile" "${@:2}" names >table 2>words
	t_equal "${*:2}: status" 2 $?
	t_equal "${*:2}" "measure-profile: $1: see measure-profile --help" "$(cat words)"
}
: >rules
refused '--summary and --from are mutually exclusive' --summary --from 1
refused '--score and --top are mutually exclusive' --top 3 --score
for options in '--format json' '--format folded' '--by process' --summary; do
	refused '--filter is for --score and for tables of regions and call paths' -f rules $options
done
"$profile" --top 3 -f missing names 2>words
t_equal 'no filter' 'measure-profile: missing: No such file or directory: nothing was read' "$(cat words)"
t_end
