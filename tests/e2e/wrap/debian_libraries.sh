#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: programs that use HDF5, NetCDF, FFTW, BLAS, LAPACK, zlib, libcurl and SQLite run as before with the
# wrappers that share/wrap describes, and with those of whole headers; calls are counted as by the program, with whole
# headers also those that a library makes to itself
#
# WRAP_ALL=yes: headers of more than 300 functions too, one minute.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
wrap=$t_build/measure-wrap
cc=${CC:-cc}
command -v otf2-print >/dev/null || t_skip 'no otf2-print'
cd "$work" || exit 1
tested=0

# use NAME REGIONS: the program by this name, with the library of wrappers NAME; whether REGIONS are counted
use()
{
	"$measure" --wrap "$1" -o "$1.trace" ./program >out 2>words || t_fail "$1: status $?: $(cat words)"
	cmp plain out || t_fail "$1: the program prints something else"
	cmp counts words || t_fail "$1: the program says something else"
	t_sound "$1.trace"
	otf2-print "$1.trace/traces.otf2" | sed -n 's/^ENTER .*Region: "\([^"]*\)".*/\1/p' >regions
	checked=0
	while read -r _ region nr; do
		nm -D "libmeasure-wrap-$1.so" | grep -q " T $region\$" || continue # of another library
		checked=$((checked + 1))
		found=$(grep -c -x "$region" regions)
		case $1 in
		whole-*) [ "$found" -ge "$nr" ] || t_fail "$1: calls of $region: $found of $nr" ;; # and its own
		*) t_equal "$1: calls of $region" "$nr" "$found" ;;
		esac
	done <counts
	[ $checked -gt 0 ] || t_fail "$1: no call was counted"
}

# library NAME 'FLAGS' ['NAME OF HEADER'...]: use_NAME.c with share/wrap/NAME.wrap, and with these headers of LIBRARY,
# "LIBRARY HEADER" each
library()
{
	name=$1 flags=$2
	shift 2
	if ! $cc -w -o program "$here/use_$name.c" $flags >words 2>&1; then
		echo "$name: skipped, it is not installed"
		return
	fi
	tested=$((tested + 1))
	./program >plain 2>counts
	"$wrap" -q -o . "$name" "$t_source/share/wrap/$name.wrap" || t_fail "$name: measure-wrap"
	use "$name"
	for header in "$@"; do
		set -- $header
		"$wrap" -q -o . -l "$1" "whole-$1" "$2" -- $flags || t_fail "$2: measure-wrap"
		use "whole-$1"
	done
}

# command_with LIBRARY HEADER COMMAND: a command of Debian's that uses a library, with all functions of its header
command_with()
{
	printf '#include <%s>\n' "$2" | $cc -E - >/dev/null 2>&1 && command -v "$3" >/dev/null || {
		echo "$2: skipped, it is not installed"
		return
	}
	tested=$((tested + 1))
	"$3" -c <"$t_source/doc/wrap.md" >plain
	"$wrap" -q -o . -l "$1" "$1" "$2" || t_fail "$2: measure-wrap"
	"$measure" --wrap "$1" -o "$1.trace" "$3" -c <"$t_source/doc/wrap.md" >out 2>words || t_fail "$1: status $?: $(cat words)"
	cmp plain out || t_fail "$3 writes something else"
	t_sound "$1.trace"
	otf2-print "$1.trace/traces.otf2" | grep -q '^ENTER' || t_fail "$3: no call is recorded"
}

hdf5_flags=$(pkg-config --cflags --libs hdf5-serial 2>/dev/null || pkg-config --cflags --libs hdf5 2>/dev/null || echo -lhdf5)
if [ "${WRAP_ALL-}" = yes ]; then
	library zlib -lz 'z zlib.h'
	library sqlite -lsqlite3 'sqlite3 sqlite3.h'
	library hdf5 "$hdf5_flags" 'hdf5_serial hdf5.h'
	library netcdf -lnetcdf 'netcdf netcdf.h'
	library lapack '-llapacke -llapack -lblas' 'lapack lapack.h' 'lapacke lapacke.h' 'blas cblas.h'
	command_with bz2 bzlib.h bzip2
	command_with lzma lzma.h xz
else
	library zlib -lz 'z zlib.h'
	library sqlite -lsqlite3
	library hdf5 "$hdf5_flags"
	library netcdf -lnetcdf
	library lapack '-llapacke -llapack -lblas'
fi
library fftw '-lfftw3 -lm' 'fftw3 fftw3.h'
library curl -lcurl 'curl curl/curl.h'
library blas -lblas
[ $tested -gt 0 ] || t_skip 'none of these libraries is installed'
t_end
