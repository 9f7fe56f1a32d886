#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: the module file says where everything is installed, and unloading leaves the environment as it was, with
# Environment Modules or Lmod
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^PACKAGE_VERSION = //p' Makefile)
prefix=$(sed -n 's/^prefix = //p' Makefile)
mkdir -p "$work/modules/measure"
cp "share/modulefiles/$version" "$work/modules/measure/" || exit 1
! grep -n '@[a-z]*@' "share/modulefiles/$version" || exit 1

# try NAME SCRIPT: `module` of this implementation, in a clean bash
try()
{
	env -i PATH=/usr/bin:/bin HOME="$work" MANPATH=/usr/share/man bash --norc --noprofile -c '
		. "$1" || exit 77
		module use "$2"
		export -p | grep -v -E "_LM|LMOD|MODULE|__|BASH|SHLVL|_=" | sort >"$3/before"
		module load measure || exit 1
		export -p | grep -v -E "_LM|LMOD|MODULE|__|BASH|SHLVL|_=" | sort >"$3/loaded"
		module whatis measure 2>&1 | grep -q "parallel programs" || exit 1
		module unload measure
		export -p | grep -v -E "_LM|LMOD|MODULE|__|BASH|SHLVL|_=" | sort >"$3/after"
		' try "$2" "$work/modules" "$work" >"$work/words" 2>&1 || {
		echo "$1: loading failed: $(cat "$work/words")"
		exit 1
	}
	for pair in "PATH $prefix/bin" "CPATH $prefix/include" "MANPATH $prefix/share/man" "Measure_ROOT $prefix"; do
		grep -q -E "^declare -x ${pair% *}=\"${pair#* }[\":]" "$work/loaded" || {
			echo "$1: ${pair% *} does not begin with ${pair#* }"
			exit 1
		}
	done
	diff "$work/before" "$work/after" || {
		echo "$1: unloading leaves that"
		exit 1
	}
	tried="$tried $1"
}

tried=
for init in /usr/share/modules/init/bash /usr/share/lmod/lmod/init/bash; do
	[ ! -f "$init" ] || try "$init" "$init"
done
[ -n "$tried" ] || {
	echo 'skipped: neither Environment Modules nor Lmod is installed'
	exit 77
}
