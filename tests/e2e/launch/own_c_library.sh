#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a program with a C library of its own is recorded if that can load Measure; otherwise it runs as without measure,
# which says so in one line
. "$(dirname "$0")/../lib.sh"
! t_left_out_under_asan all 'its library comes first' || exit 77
for tool in readelf "${CC:-gcc}"; do
	command -v "$tool" >/dev/null || t_skip "no $tool"
done
cd "$work" || exit 1

cat >program.c <<'END'
#include <stdio.h>
#include <string.h>

int main(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];
	int is_recorded = 0;

	while (maps && fgets(line, sizeof(line), maps))
		is_recorded |= strstr(line, "libmeasure.so") != NULL;
	puts(is_recorded ? "recorded" : "alone");
	return 3;
}
END

loader_of()
{
	readelf -l "$1" | sed -n 's/.*program interpreter: \(.*\)]/\1/p'
}

# library_of NAME: of what a program would load
library_of()
{
	"$loader" --list ./program | sed -n "s/.*$1 => \(.*\) (.*/\1/p"
}

# versions_of FILE: those of the C library that it needs
versions_of()
{
	readelf -V "$1" | grep -o 'Name: GLIBC_2[0-9.]*' | sort -u
}

# bring FOLDER: a program with a copy of the C library in there
bring()
{
	mkdir "$1" && cp "$loader" "$1/ld-linux-own.so" && cp "$c_library" "$1/libc.so.6" &&
		"${CC:-gcc}" -o "$1/program" program.c -Wl,--dynamic-linker="$work/$1/ld-linux-own.so" -Wl,-rpath,"$work/$1" ||
		t_fail "$1: not made"
	"$1/program" >plain
	t_equal "$1, without measure: status" 3 $?
}

"${CC:-gcc}" -o program program.c || t_skip 'the compiler does not work'
loader=$(loader_of program)
c_library=$(library_of libc.so.6)
[ -f "$loader" ] && [ -f "$c_library" ] || t_skip 'the loader is not that of glibc'

# As good as that of the system.
bring same
"$measure" -q -o recorded same/program >out 2>err
t_equal 'same: status' 3 $?
t_equal 'same: output' recorded "$(cat out)"
t_equal 'same: stderr' '' "$(cat err)"
t_sound "$work/recorded"

# An older one: a version has another name, which Measure needs, but not the program.
version=$(comm -23 <(versions_of "$t_build/.libs/libmeasure.so") <(versions_of program) | sed -n 's/Name: GLIBC_2/2/p; 1q')
[ -n "$version" ] || t_skip 'this Measure needs no later version of glibc than any program'
bring older
LC_ALL=C sed -i "s/GLIBC_${version//./\\.}/GLIBC_0${version#2}/g" older/libc.so.6 older/ld-linux-own.so
older/program >plain
t_equal 'older, without measure: status' 3 $?
reason='has a C library of its own, which cannot load this Measure: build Measure with that one'
"$measure" older/program >out 2>err
t_equal 'older: status' 3 $?
t_equal 'older: output' alone "$(cat out)"
t_equal 'older: stderr' "measure: older/program: $reason: not recording" "$(cat err)"
t_equal 'older: left over' '' "$(find . -name 'measure-*')"
"$measure" --strict older/program >out 2>err
t_equal 'older, strict: status' 2 $?
t_equal 'older, strict: output' '' "$(cat out)"

# Started by a recorded program.
"$measure" -q --children=follow -o children sh -c 'older/program; same/program; exit 5' >out 2>err
t_equal 'children: status' 5 $?
t_equal 'children: output' 'alone recorded' "$(paste -sd' ' out)"
t_equal 'children: stderr' '' "$(cat err)"
t_equal 'children: summary' "unrecorded  1 program that was started, but cannot be recorded:
            $work/older/program: $reason (1 time)" "$(grep -A1 '^unrecorded' children/summary.txt)"
t_end
