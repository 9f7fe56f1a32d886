#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-convert writes CSV files that Python's csv module reads, with what is in the database of SQLite, also of odd archives; nothing that is there is overwritten
. "$(dirname "$0")/../lib.sh"
convert=$t_build/measure-convert
cd "$work" || exit 1
command -v python3 >/dev/null || t_skip 'no python3'
"$convert" --help | grep -q '^ *sqlite ' || t_skip 'measure-convert is built without SQLite: nothing to compare with'

# compared STATUS ARCHIVE [OPTION]...: both have the same
compared()
{
	rm -rf out.csv out.sqlite
	"$convert" "$2" --to csv "${@:3}" -o out.csv >words 2>&1
	t_equal "${*:2}: status" "$1" $?
	"$convert" "$2" --to sqlite "${@:3}" -o out.sqlite >words 2>&1
	python3 "$t_here/tables.py" same out.sqlite out.csv >words 2>&1 || t_fail "${*:2}: $(tail -n 1 words)"
}

generate=$t_build/tests/sync/generate
odd=$t_build/tests/e2e/convert/odd_archive
foreign=$t_build/tests/e2e/programs/foreign_archive
for program in "$generate" "$odd" "$foreign"; do
	[ -x "$program" ] || t_fail "$program is not built"
done

"$generate" --program mixed --ranks 3 --threads 3 --iterations 30 mixed || t_fail 'generate mixed'
compared 0 mixed --calls
compared 0 mixed --from 20% --until 0.001 --locations 0-3
for kind in eztrace homeless; do
	"$foreign" $kind foreign.$kind || t_fail "foreign_archive $kind"
	compared 0 foreign.$kind --calls
done
for kind in empty one names late; do
	"$odd" odd.$kind $kind || t_fail "odd_archive $kind"
	compared 0 odd.$kind --calls
done
t_equal 'lines end as RFC 4180 has it' 1 "$(grep -c $'^key,value\r$' out.csv/meta.csv)"
cp -r mixed lost
rm lost/traces/0.evt
compared 1 lost --calls

# The same again, byte by byte, into an empty directory; not into one with something in it, or a file.
compared 0 mixed --calls
mkdir again
"$convert" mixed --to csv --calls -t 1 -o again/ || t_fail 'an empty directory is refused'
diff -r out.csv again >/dev/null || t_fail 'differs the second time'
"$convert" mixed --to csv -o again >words 2>&1
t_equal 'a directory that is not empty' '2 1' "$? $(t_lines words)"
echo old >file
"$convert" mixed --to csv -o file >words 2>&1
t_equal 'a file' '2 old' "$? $(cat file)"
"$convert" mixed --to csv -o no/such/directory >words 2>&1
t_equal 'no directory' '2 1' "$? $(t_lines words)"
! ls -d ./*.part >/dev/null 2>&1 || t_fail "files are left over: $(ls -d ./*.part)"
t_end
