#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a tarball is the same each time, also if it is made from a tarball; it builds without git and npm, from a
# directory that cannot be written to, installs, and its uninstall leaves nothing
#
# Not part of `make check`, because it builds everything: run it in the build directory, after `make dist`:
#
#	../tests/packaging/tarball.sh measure-1.0.0.tar.xz
set -eu
[ $# = 1 ] && [ -f "$1" ] || {
	echo 'usage: tests/packaging/tarball.sh TARBALL' >&2
	exit 2
}
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
name=$(basename "$1" .tar.xz)
jobs=$(nproc)

fail()
{
	echo "tarball.sh: $*" >&2
	exit 1
}

run()
{
	"$@" >"$work/log" 2>&1 || {
		tail -n 40 "$work/log" >&2
		fail "failed: $*"
	}
}

if [ -f Makefile ]; then
	cp "$1" "$work/first.tar.xz"
	rm -f "$name.tar.xz"
	run make -s dist
	cmp "$work/first.tar.xz" "$name.tar.xz" || fail 'the second tarball differs'
	echo "the same twice: $(sha256sum <"$name.tar.xz" | cut -d ' ' -f 1)"
else
	cp "$1" "$work/first.tar.xz"
fi

tar -C "$work" -xf "$work/first.tar.xz"
chmod -R a-w "$work/$name"
mkdir "$work/build"
cd "$work/build"
run env -u NODE "../$name/configure" --prefix=/opt/measure NODE=no
run make -j "$jobs"
run make install DESTDIR="$work/root"
installed=$work/root/opt/measure
[ -s "$installed/share/measure/report-page.html" ] || fail 'the report page is not installed'
[ "$("$installed/bin/measure" --version | head -n 1)" = "$(./measure --version | head -n 1)" ] || fail 'the wrong version'
"$installed/bin/measure" -q -o "$work/run1" true || fail 'the installed measure does not work'
"$installed/bin/measure-check" "$work/run1" >/dev/null || fail 'the archive is not sound'
echo "installed: $(find "$installed" ! -type d | wc -l) files, $(du -sm "$installed" | cut -f 1) MB"
run make uninstall DESTDIR="$work/root"
find "$work/root" ! -type d >"$work/left"
[ ! -s "$work/left" ] || fail "uninstall leaves: $(cat "$work/left")"

run make -s dist
cmp "$work/first.tar.xz" "$name.tar.xz" || fail 'the tarball that a tarball makes differs'
rm -f "$name.tar.xz"
run make distclean
find . -type f >"$work/left"
[ ! -s "$work/left" ] || fail "distclean leaves: $(cat "$work/left")"
echo 'uninstall and distclean leave nothing; the tarball of the tarball is the same'
