#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: programs find the installed measure.h and the Fortran module by pkg-config, Autoconf and CMake
. "$(dirname "$0")/../lib.sh"
top=$t_source
stage=$work/stage
env -u MAKEFLAGS -u MFLAGS make -s install-data DESTDIR="$stage" >"$work/log" 2>&1 || t_fail "make install-data: $(tail -n 3 "$work/log")"
prefix=$stage$(sed -n 's/^prefix = //p' Makefile)
# The documents, whose links lead to what lies beside them, and completion for both shells.
documents=$(cd "$prefix/share/doc/measure" 2>/dev/null && ls)
for document in "$top"/doc/*.md "$top/README.md" "$top/NEWS"; do
	printf '%s\n' "$documents" | grep -q -x "${document##*/}" || t_fail "${document##*/} is not installed"
done
(cd "$prefix/share/doc/measure" && grep -o -E ']\([^):#]*' ./*.md | sed 's/:](/ /') | while read -r document link; do
	[ "$link" = https ] || [ -e "$prefix/share/doc/measure/$link" ] || echo "$document: no $link"
done >"$work/links"
t_equal 'links of installed documents' '' "$(cat "$work/links")"
for tool in measure measure-analyze measure-check measure-compare measure-profile measure-repair measure-report measure-sync measure-top; do
	[ -s "$prefix/share/bash-completion/completions/$tool" ] || t_fail "no completion of $tool for bash"
done
[ -s "$prefix/share/zsh/site-functions/_measure" ] || t_fail 'no completion for zsh'

cd "$work" || exit 1
unset PKG_CONFIG_PATH Measure_ROOT CMAKE_PREFIX_PATH
header=$(find "$stage" -name measure.h)
[ -n "$header" ] || t_fail 'no header'
prefix=${header%/include/measure.h}
! grep -rI "$t_build" "$stage" || t_fail 'the build directory is named in what is installed'

# --- pkg-config --------------------------------------------------------------------------------
if command -v pkg-config >/dev/null; then
	pc=$(find "$stage" -name measure.pc)
	export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$stage
	# shellcheck disable=SC2046
	${CC:-cc} -O2 $(pkg-config --cflags measure) "$top/doc/examples/annotated.c" -o by_pkg_config $(pkg-config --libs measure) -lm ||
		t_fail 'pkg-config: does not compile'
	./by_pkg_config | grep -q sum || t_fail 'pkg-config: does not run'
	t_equal 'pkg-config: libraries' '' "$(pkg-config --libs measure | tr -d ' ')"
	if command -v "${FC:-gfortran}" >/dev/null; then
		# shellcheck disable=SC2046
		${CC:-cc} -c $(pkg-config --cflags measure) "$(pkg-config --variable=fortran_c measure)" &&
			"${FC:-gfortran}" "$(pkg-config --variable=fortran_module measure)" "$top/doc/examples/annotated.f90" \
				measure_fortran.o -o by_fortran && ./by_fortran | grep -q sum || t_fail 'pkg-config: Fortran'
	fi
	unset PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
else
	echo 'left out: pkg-config'
fi

# --- Autoconf ------------------------------------------------------------------------------------
if command -v autoconf >/dev/null && command -v aclocal >/dev/null; then
	mkdir autoconf && cat >autoconf/configure.ac <<'EOF'
AC_INIT([user], [1])
AC_PROG_CC
MEASURE_CHECK([echo "found $MEASURE_CPPFLAGS"], [echo "not found"])
AC_CONFIG_HEADERS([config.h])
AC_OUTPUT
EOF
	echo '#undef HAVE_MEASURE_H' >autoconf/config.h.in
	(cd autoconf && aclocal -I "$prefix/share/aclocal" && autoconf) >log 2>&1 || t_fail "autoconf: $(tail -n 3 log)"
	for way in "--with-measure=$prefix" --without-measure; do
		(cd autoconf && ./configure "$way") >log 2>&1 || t_fail "configure $way: $(tail -n 3 log)"
		case $way in
		--without*) grep -q '^not found' log && ! grep -q 'define HAVE_MEASURE_H' autoconf/config.h ;;
		*) grep -q "^found -I$prefix/include" log && grep -q 'define HAVE_MEASURE_H 1' autoconf/config.h ;;
		esac || t_fail "configure $way: $(cat log)"
	done
	(cd autoconf && ./configure --with-measure=/nowhere) >log 2>&1 && t_fail 'configure: takes what is not there'
else
	echo 'left out: Autoconf'
fi

# --- CMake ---------------------------------------------------------------------------------------
if command -v cmake >/dev/null; then
	mkdir cmake && cp "$top"/doc/examples/annotated.{c,cc} cmake
	cat >cmake/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.16)
project(user C CXX)
find_package(Measure REQUIRED)
foreach(language c cc)
  add_executable(annotated_${language} annotated.${language})
  target_link_libraries(annotated_${language} PRIVATE Measure::Measure m)
endforeach()
get_target_property(sources Measure::Fortran INTERFACE_SOURCES)
foreach(source ${sources})
  if(NOT EXISTS "${source}")
    message(FATAL_ERROR "${source} is not there")
  endif()
endforeach()
EOF
	for way in "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_MODULE_PATH=$top/share/cmake -DMeasure_ROOT=$prefix"; do
		rm -rf cmake/build
		# shellcheck disable=SC2086
		cmake -S cmake -B cmake/build -Wno-dev $way >log 2>&1 && cmake --build cmake/build >>log 2>&1 &&
			cmake/build/annotated_c | grep -q sum && cmake/build/annotated_cc | grep -q total || t_fail "cmake $way: $(tail -n 5 log)"
	done
else
	echo 'left out: CMake'
fi
t_end
