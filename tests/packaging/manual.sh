#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the manual has each option, all links of its chapters lead somewhere, and it can be built where pandoc is installed
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
[ -f Makefile ] && [ -x measure ] || {
	echo 'skipped: not built'
	exit 77
}

fail()
{
	echo "failed: $*"
	failures=$((failures + 1))
}

make_here()
{
	env -u MAKEFLAGS -u MFLAGS make -s --no-print-directory "$@"
}

make_here doc/manual/options.md doc/manual/checks.md doc/manual/interfaces.md || exit 1

# Each variable, and each option, with a default or none.
for variable in $(./measure --help-config | sed -n 's/^\(MEASURE_[A-Z_]*\) = .*/\1/p'); do
	echo "$variable" >>"$work/variables"
	grep -q "^| .*<br>\`$variable\` | .* | .* |$" doc/manual/options.md || fail "options.md: no $variable"
done
[ "$(wc -l <"$work/variables")" -ge 40 ] || fail 'few variables'
for option in $(./measure --help | grep -o -E '^ {1,8}(-., )?--[a-z][a-z-]*' | grep -o -E -e '--.*'); do
	grep -q -e "^| \`$option[=\`[]" doc/manual/options.md || fail "options.md: no $option"
done

# links FILE...: those between documents, as FILE:LINE:TARGET.
links()
{
	grep -n -o -E '\]\([^)#:]*(#[^)]*)?\)' "$@" /dev/null | sed 's/\](\(.*\))$/\1/'
}

# Identifiers of the headers of a document, as GitHub and pandoc make them.
anchors()
{
	awk '/^```/ { in_code = !in_code } !in_code && /^#+ /' "$1" | tr 'A-Z' 'a-z' |
		sed -e 's/^#* //' -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}

# check_links FILE...: prints those that lead nowhere.
check_links()
{
	links "$@" | while IFS=: read -r file line target; do
		path=${target%%#*}
		case $path in
		'') found=$file ;;
		*) found=$(dirname "$file")/$path ;;
		esac
		case ${found##*/} in
		options.md | checks.md | interfaces.md) found=doc/manual/${found##*/} ;;
		esac
		[ -e "$found" ] || echo "$file:$line: no file $target"
		case $target in
		*'#'*) anchors "$found" | grep -q -x -F -e "${target#*#}" || echo "$file:$line: no header $target" ;;
		esac
	done
}

check_links "$source"/README.md "$source"/doc/*.md "$source"/doc/manual/*.md >"$work/broken"
[ ! -s "$work/broken" ] || fail "$(cat "$work/broken")"
printf '%s\n' '# A b, c' '[x](#a-b-c) [y](#a) [z](gone.md)' >"$work/document.md"
[ "$(check_links "$work/document.md" | sed 's/.*: //')" = "$(printf 'no header #a\nno file gone.md')" ] ||
	fail "broken links are not noticed: $(check_links "$work/document.md")"

# What is built is checked while it is built.
if command -v pandoc >/dev/null; then
	rm -f doc/manual/manual.html
	make_here html && [ -s doc/manual/manual.html ] || fail 'the manual cannot be built'
	grep -q 'id="options--metrics"' doc/manual/manual.html || fail 'a chapter is missing'
	echo '<a href="#gone">x</a><p id="a"></p><p id="a"></p>' | awk -f "$source/doc/manual/links.awk" >"$work/said" &&
		fail 'broken links of the manual are not noticed'
	[ "$(sort "$work/said")" = "$(printf 'leads nowhere: #gone\ntwice: id a')" ] || fail "links.awk: $(cat "$work/said")"
else
	echo 'not tested: that the manual can be built, for want of pandoc'
fi
[ $failures = 0 ]
