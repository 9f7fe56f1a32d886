#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: wrappers of libraries with symbol versions, in C++ with exceptions, opened by dlopen() for one module
# only, and of functions that no library has: programs work as before
. "$(dirname "$0")/../lib.sh"
wrap=$t_build/measure-wrap
cc=${CC:-cc}
command -v otf2-print >/dev/null || t_skip 'no otf2-print'
cd "$work" || exit 1
export LD_LIBRARY_PATH=$work

# record NAME PROGRAM: with the library of wrappers NAME, compared with a run without
record()
{
	./"$2" >plain 2>&1
	"$measure" --wrap "$1" -o "$1.trace" ./"$2" >out 2>words || t_fail "$1: status $?: $(cat words)"
	cmp plain out || t_fail "$1: the program prints something else"
	t_sound "$1.trace"
	otf2-print "$1.trace/traces.otf2" >"$1.events"
}

calls()
{
	grep -c "^ENTER .*Region: \"$2\"" "$1.events"
}

# A program that was linked with the first version of a library calls that one, also after the library got another.
cat >versioned.c <<-'TEXT'
	int old_area(int side) { return side; }
	int new_area(int side) { return side * side; }
	int new_name(void) { return 1; }
	__asm__(".symver old_area, area@OLD");
	__asm__(".symver new_area, area@@NEW");
	__asm__(".symver new_name, name@@NEW");
TEXT
printf 'OLD { };\nNEW { };\n' >versions.map
printf 'int area(int side);\nint name(void);\n' >versioned.h
cat >both.c <<-'TEXT'
	#include <stdio.h>
	int area(int side), area_of_old(int side), name(void);
	__asm__(".symver area_of_old, area@OLD");
	int main(void) { printf("%d %d %d\n", area(3), area_of_old(3), name()); return 0; }
TEXT
$cc -fPIC -shared -Wl,--version-script=versions.map -o libversioned.so versioned.c &&
	$cc -o both both.c -L. -lversioned || t_skip 'no C compiler'
"$wrap" -q -o . -l ./libversioned.so versioned versioned.h || t_fail 'versions: measure-wrap'
record versioned both
grep -q '^9 3 1$' plain || t_fail "versions: $(cat plain)"
t_equal 'calls of both versions' '2 1' "$(calls versioned area) $(calls versioned name)"

# C++: symbols are mangled, regions are readable; an exception leaves the region.
if command -v "${CXX:-c++}" >/dev/null; then
	cat >shapes.cc <<-'TEXT'
		#include <stdexcept>
		namespace shapes {
		struct square { int side; int area(int scale) const; };
		__attribute__((noinline)) int square::area(int scale) const { return side * side * scale; }
		int check(int side) { if (side < 0) throw std::invalid_argument("side"); return side; }
		}
	TEXT
	cat >draw.cc <<-'TEXT'
		#include <cstdio>
		#include <exception>
		namespace shapes { struct square { int side; int area(int scale) const; }; int check(int side); }
		int main() {
			int caught = 0;
			for (int i = -2; i < 3; i++)
				try { shapes::square s{shapes::check(i)}; std::printf("%d\n", s.area(2)); }
				catch (const std::exception &e) { std::printf("%s\n", e.what()); caught++; }
			return caught - 2;
		}
	TEXT
	"${CXX:-c++}" -g -fPIC -shared -o libshapes.so shapes.cc && "${CXX:-c++}" -o draw draw.cc -L. -lshapes || t_fail 'C++'
	"$wrap" -q -o . shapes ./libshapes.so || t_fail 'C++: measure-wrap'
	record shapes draw
	t_equal 'calls in C++' '5 3' "$(calls shapes 'shapes::check(int)') $(calls shapes 'shapes::square::area(int) const')"
	t_equal 'regions that an exception has left' 5 "$(grep -c '^LEAVE .*"shapes::check(int)"' shapes.events)"
	strip --strip-debug libshapes.so
	"$wrap" -q -o . plainshapes ./libshapes.so || t_fail 'C++ without debug information: measure-wrap'
	record plainshapes draw
	t_equal 'calls in C++, by symbols' '5 3' "$(calls plainshapes 'shapes::check(int)') $(
		calls plainshapes 'shapes::square::area(int) const')"
fi

# A module of an interpreter needs a library that the program does not have.
printf 'int deep(int n) { return n + 1; }\n' >deep.c
printf 'int deep(int n);\nint module(int n) { return 2 * deep(n); }\n' >module.c
cat >opens.c <<-'TEXT'
	#include <dlfcn.h>
	#include <stdio.h>
	int main(void)
	{
		void *object = dlopen("./module.so", RTLD_NOW | RTLD_LOCAL);
		int (*module)(int) = object ? (int (*)(int))dlsym(object, "module") : NULL;
		printf("%d\n", module ? module(4) : -1);
		return 0;
	}
TEXT
$cc -fPIC -shared -o libdeep.so deep.c && $cc -fPIC -shared -o module.so module.c -L. -ldeep && $cc -o opens opens.c -ldl
printf 'int deep(int n);\n' >deep.h
"$wrap" -q -o . deep ./deep.h || t_fail 'a module: measure-wrap'
record deep opens
t_equal 'calls in a module' '10 1' "$(cat plain) $(calls deep deep)"

# Functions that the loader, the C library and Measure call themselves.
if ! t_left_out_under_asan 'malloc' 'its allocator must be the first one'; then
	cat >heap.wrap <<-'TEXT'
		#include <stdlib.h>
		void *malloc(size_t size) @if(size >= 70000);
		void *calloc(size_t nr, size_t size) @if(nr * size >= 70000);
		void *realloc(void *block, size_t size) @if(size >= 70000);
		void free(void *block) @sample(1/10);
	TEXT
	cat >heaps.c <<-'TEXT'
		#include <pthread.h>
		#include <stdio.h>
		#include <stdlib.h>
		static void *allocate(void *data)
		{
			for (int i = 0; i < 100; i++)
				free(realloc(malloc(80000 + i), 90000 + i));
			return data;
		}
		int main(void)
		{
			pthread_t thread;
			pthread_create(&thread, NULL, allocate, NULL);
			allocate(NULL);
			pthread_join(thread, NULL);
			char *block = calloc(1000, 100);
			printf("%d\n", block[99999]);
			free(block);
			return 0;
		}
	TEXT
	$cc -O0 -fno-builtin -o heaps heaps.c -pthread
	"$wrap" -q -o . heap heap.wrap || t_fail 'malloc: measure-wrap'
	record heap heaps
	t_equal 'calls of malloc' '200 200 1' "$(calls heap malloc) $(calls heap realloc) $(calls heap calloc)"
	freed=$(calls heap free)
	[ "$freed" -ge 20 ] && [ "$freed" -lt 60 ] || t_fail "calls of free, one in ten: $freed of more than 201"
fi

# A function that no library has: nothing is called, the program goes on. A library that is not used: nothing happens.
printf 'int nowhere(void) __attribute__((weak));\nint main(void) { return nowhere ? nowhere() : 0; }\n' >asks.c
printf 'int nowhere(void);\n' >nowhere.h
$cc -o asks asks.c
"$wrap" -q -o . nowhere ./nowhere.h || t_fail 'a missing function: measure-wrap'
"$measure" --wrap nowhere,deep -o nowhere.trace ./asks >out 2>words || t_fail "a missing function: status $?"
grep -q '^measure: nowhere: no library has this function' words || t_fail "a missing function: $(cat words)"
t_sound nowhere.trace
t_end
