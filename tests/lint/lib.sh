# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What all lints share. Sourced, by scripts that run in the build directory (as make check does)
# or anywhere in the source tree. A lint prints `file:line: what is wrong` and exits 1.

lint_source=$(cd "$(dirname "$0")/../.." && pwd)
lint_build=$PWD
[ -f "$lint_build/config.status" ] || lint_build=$lint_source/build
lint_found=$(mktemp)
trap 'rm -f "$lint_found"' EXIT

# All files of the project, relative to the top: those that git knows, else (in a tarball) those that are there
# and do not look generated.
lint_all_files()
(
	cd "$lint_source" || exit 1
	[ -e .git ] && git ls-files 2>/dev/null && return
	find . \( -name .git -o -name autom4te.cache -o -name build-aux -o -name m4 \
		-o -name .deps -o -name .libs -o -name _inst -o -name node_modules \
		-o -type d ! -path . -exec test -f '{}/config.status' \; \) -prune -o -type f -print |
		sed 's,^\./,,' |
		grep -v -x -E 'configure|config\.h(\.in)?|aclocal\.m4|Makefile(\.in)?|libtool|.*~'
)

# Those of them whose names match one of the patterns.
lint_files()
{
	lint_all_files | while IFS= read -r lint_file; do
		[ -f "$lint_source/$lint_file" ] || continue
		for lint_pattern in "$@"; do
			# shellcheck disable=SC2254 # a pattern on purpose
			case ${lint_file##*/} in
			$lint_pattern)
				echo "$lint_file"
				break
				;;
			esac
		done
	done | sort
}

lint_skip()
{
	echo "$*"
	exit 77
}

# The shared objects that are installed or preloaded, one absolute path a line.
# Without the one that stands in for GCC's OpenMP library: it is all versions, on purpose.
lint_shared_objects()
{
	find "$lint_build/.libs" -maxdepth 1 -name 'libmeasure*.so' ! -name libmeasure-libgomp.so \
		2>/dev/null | sort
}

# Ends the lint: what it found, or silence.
lint_end()
{
	[ -s "$lint_found" ] || exit 0
	cat "$lint_found"
	exit 1
}
