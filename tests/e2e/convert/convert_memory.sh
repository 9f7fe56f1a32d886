#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-convert does not keep the calls of a trace in memory: 6 million events in less than 48 MiB, in every format that needs no messages
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
limit=$((48 << 10)) # KiB; an item of each event would be 350 MiB

cat >calls.c <<'END'
__attribute__((noinline)) void leaf(void)
{
	__asm__ volatile("");
}

int main(void)
{
	for (int i = 0; i < 3000000; i++)
		leaf();
}
END
"${CC:-cc}" -O1 -finstrument-functions calls.c -o calls || exit 1
"$measure" -q -o run ./calls || t_fail "status $?"
t_wait 60 test ! -e run/.parts

# largest COMMAND...: prints the most memory that it had, KiB
largest()
{
	python3 - "$@" <<'END'
import resource, subprocess, sys

status = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(status)
END
}

for format in folded perfetto chrome speedscope csv dot otf2; do
	used=$(largest "$t_build/measure-convert" run --to $format -o "out.$format" 2>words) ||
		t_fail "$format: status $?: $(cat words)"
	[ "$used" -lt $limit ] || t_fail "$format: $used KiB, more than $limit"
	echo "$format: $used KiB"
	rm -rf "out.$format"
done
t_end
