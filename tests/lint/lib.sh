# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What all lints share. Sourced, by scripts that run in the build directory (as make check does)
# or anywhere in the source tree. A lint prints `file:line: what is wrong` and exits 1.

lint_source=$(cd "$(dirname "$0")/../.." && pwd)
lint_build=$PWD
[ -f "$lint_build/config.status" ] || lint_build=$lint_source/build
lint_found=$(mktemp)
trap 'rm -f "$lint_found"' EXIT

# Source files of the project, relative to the top, whose names match one of the patterns.
# Works without git, so that it does in a tarball; generated files are left out.
lint_files()
(
	cd "$lint_source" || exit 1
	for pattern in "$@"; do
		find . \( -name .git -o -name autom4te.cache -o -name build-aux -o -name m4 \
			-o -name .deps -o -name .libs -o -name _inst \
			-o -type d ! -path . -exec test -f '{}/config.status' \; \) -prune -o \
			-type f -name "$pattern" -print
	done | sed 's,^\./,,' | sort -u |
		grep -v -x -E 'configure|config\.h(\.in)?|aclocal\.m4|Makefile(\.in)?|libtool|.*~'
)

lint_skip()
{
	echo "$*"
	exit 77
}

# The shared objects that are installed or preloaded, one absolute path a line.
lint_shared_objects()
{
	find "$lint_build/.libs" -maxdepth 1 -name 'libmeasure*.so' 2>/dev/null | sort
}

# Ends the lint: what it found, or silence.
lint_end()
{
	[ -s "$lint_found" ] || exit 0
	cat "$lint_found"
	exit 1
}
