#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: each function that allocates or frees is recorded once, with what it asks for and gives back,
# and what is in use after it; the program sees no difference. Against the stub of the API.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../asan.sh"
! left_out_under_asan "$PWD" all 'its allocator has to be the first one' || exit 77
source=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
preload="$PWD/.libs/libmeasure-stub.so $PWD/.libs/libmeasure-memory.so"
status=0

# record NAME PROGRAM: what it does, into NAME.found
record()
{
	"$2" || { echo "$1: ends with $? by itself"; exit 1; }
	MEASURE_STUB_LOG=$work/log LD_PRELOAD=$preload "$2" || { echo "$1: ends with $? with the adapter"; exit 1; }
	awk -f "$here/calls.awk" "$work/log" >"$work/$1.found"
}

compare()
{
	diff "$work/$1.expected" "$work/$1.found" || { echo "$1: other records"; status=1; }
}

# pair CALL FREE SIZE: what allocates, then what frees it
pair()
{
	printf '%s %d\nin use %d\nin use 0\n%s -%d\n' "$1" "$3" "$3" "$2" "$3"
}

record c tests/adapter/memory/allocation_calls
{
	pair malloc free 1001
	echo 'free -? null'
	pair calloc free 2002
	cat <<END
malloc 9223372036854775807 failed
calloc 18446744073709551615 failed
malloc 0
free -0
END
	pair posix_memalign free 1003
	echo 'posix_memalign 1004 failed'
	pair aligned_alloc free 1024
	pair memalign free 1005
	pair valloc free 1006
	pair pvalloc free 1007
	cat <<END
realloc 2001 -? null
in use 2001
realloc 200002 -2001
in use 200002
reallocarray 2100 -200002
in use 2100
realloc 9223372036854775807 -2100 failed
reallocarray 18446744073709551615 -2100 failed
in use 0
free -2100
mmap 40960
mremap 81920 -40960
munmap -81920
mmap64 0 failed
END
} >"$work/c.expected"
compare c

# It has memory of its own to throw, which it allocates inside of the operator.
operators()
{
	plain='operator new' delete='operator delete' size=100
	while [ -n "$plain" ]; do
		pair "$plain(unsigned long)" "$delete(void*)" $((size + 1))
		pair "$plain(unsigned long)" "$delete(void*, unsigned long)" $((size + 2))
		pair "$plain(unsigned long, std::nothrow_t const&)" "$delete(void*, std::nothrow_t const&)" $((size + 3))
		pair "$plain(unsigned long, std::align_val_t)" "$delete(void*, std::align_val_t)" $((size + 4))
		pair "$plain(unsigned long, std::align_val_t)" "$delete(void*, unsigned long, std::align_val_t)" $((size + 5))
		pair "$plain(unsigned long, std::align_val_t, std::nothrow_t const&)" \
			"$delete(void*, std::align_val_t, std::nothrow_t const&)" $((size + 6))
		case $plain in
		*']') plain= ;;
		*) plain='operator new[]' delete='operator delete[]' size=200 ;;
		esac
	done
	too_much=4611686018427387903
	printf 'operator new(unsigned long) %s failed\n' $too_much $too_much
	echo "operator new(unsigned long, std::nothrow_t const&) $too_much failed"
	pair 'operator new(unsigned long)' 'operator delete(void*)' 107
}

if ${CXX:-g++} -std=c++17 -O1 -o "$work/operators" "$here/operators.cc" 2>"$work/words"; then
	record c++ "$work/operators"
	grep -v '^free -? elsewhere' "$work/c++.found" | sed -n '/ 101$/,$p' >"$work/kept"
	mv "$work/kept" "$work/c++.found"
	operators >"$work/c++.expected"
	compare c++
else
	echo "no compiler of C++: $(cat "$work/words")"
fi

# The C library here need not have what is new in C23; all else of the table was called.
sed -n 's/^[A-Z]*(\(void \*, \|int, \)*\([A-Za-z0-9_]*\),.*/\2/p' "$source/adapters/memory/memory_calls.def" >"$work/symbols"
while read -r symbol; do
	case $symbol in
	free_*sized) continue ;;
	_Z*) [ -f "$work/c++.found" ] && command -v c++filt >/dev/null || continue ;;
	esac
	name=$(c++filt "$symbol" 2>/dev/null || echo "$symbol")
	cat "$work"/*.found | grep -qF "$name " || { echo "$symbol ($name) was not called"; status=1; }
done <"$work/symbols"
[ "$(wc -l <"$work/symbols")" -ge 36 ] || { echo "rows of the table were not found"; status=1; }
exit $status
