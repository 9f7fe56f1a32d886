#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: packages build in a minimal Debian 12, lintian accepts them, apt installs them from a directory, an ordinary
# user runs the demo, and their removal leaves nothing
#
# Not part of `make check`: it needs root, debootstrap, a mirror of Debian and some ten minutes.
#
#	make dist && ../tests/packaging/debian.sh measure-1.0.0.tar.xz
#	../tests/packaging/debian.sh -d DIR TARBALL [base|build|lint|install]...
#
# -d keeps the file systems in DIR, and takes the minimal one that is there. MIRROR names the mirror; default: the one
# that apt uses on this machine.
set -eu

say()
{
	printf '%s\n' "debian.sh: $*"
}

skip()
{
	say "skipped: $*"
	exit 77
}

fail()
{
	say "$*" >&2
	exit 1
}

# enter ROOT COMMAND...: with what a program expects of a system, and nothing of the caller's
enter()
{
	unshare --mount --pid --fork --kill-child sh -c '
		root=$1 && shift &&
		mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" &&
		exec chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} \
			${https_proxy:+https_proxy="$https_proxy"} "$@"' enter "$@"
}

# as_user ROOT COMMAND: by an ordinary user with an empty home
as_user()
{
	enter "$1" id measure-user >/dev/null 2>&1 || enter "$1" useradd --create-home measure-user
	enter "$1" su - measure-user -c "$2"
}

apt_install()
{
	root=$1
	shift
	enter "$root" apt-get -q -q -y --no-install-recommends install "$@" >>"$work/log" 2>&1 || {
		tail -n 30 "$work/log" >&2
		fail "cannot install: $*"
	}
}

new_root()
{
	rm -rf "${work:?}/$1"
	cp -a "$work/base" "$work/$1"
	cp /etc/resolv.conf "$work/$1/etc/resolv.conf"
	echo "deb $mirror bookworm main" >"$work/$1/etc/apt/sources.list"
	enter "$work/$1" apt-get -q -q update
}

find_mirror()
{
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' 2>/dev/null |
		grep -m 1 '/debian/*$' || echo http://deb.debian.org/debian
}

make_base()
{
	[ ! -f "$work/base/etc/debian_version" ] || return 0
	debootstrap --variant=minbase bookworm "$work/base" "$mirror" >"$work/log" 2>&1 || fail "debootstrap failed: $work/log"
	say "a minimal Debian $(cat "$work/base/etc/debian_version"): $(du -sm "$work/base" | cut -f 1) MB"
}

build_packages()
{
	new_root builder
	apt_install "$work/builder" build-essential fakeroot lintian
	tar -C "$work/builder/root" -xf "$tarball"
	cp -r "$work/builder/root/$name/share/packaging/debian" "$work/builder/root/$name/debian"
	enter "$work/builder" apt-get -q -q -y --no-install-recommends build-dep "/root/$name/" >>"$work/log" 2>&1 ||
		fail "build dependences cannot be installed: $work/log"
	as_user "$work/builder" true
	cp "$tarball" "$here/../../share/packaging/build-deb" "$work/builder/home/measure-user/"
	as_user "$work/builder" "./build-deb $name.tar.xz packages" >"$work/build.log" 2>&1 || {
		tail -n 30 "$work/build.log" >&2
		fail "the packages do not build: $work/build.log"
	}
	say 'packages:'
	(cd "$work/builder/home/measure-user/packages" && ls -s --block-size=K -- *.deb)
}

check_packages()
{
	# Overridden tags would count as failures where they are shown.
	if ! as_user "$work/builder" 'cd packages && lintian --display-info --pedantic --fail-on error,warning *.changes' \
		>"$work/lintian.log" 2>&1; then
		cat "$work/lintian.log" >&2
		fail 'lintian found errors or warnings'
	fi
	as_user "$work/builder" 'cd packages && lintian --display-info --pedantic --show-overrides *.changes' |
		tee "$work/lintian.log"
	say "lintian: no errors, no warnings, $(grep -c '^O:' "$work/lintian.log") overridden"
}

# Of the whole file system, but for what apt and dpkg keep of their own work.
list_files()
{
	(cd "$1" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./packages -o -path ./var/cache/apt \
		-o -path ./var/lib/apt -o -path './var/lib/dpkg/*-old' -o -path ./home -o -path './var/log/*' \) -prune \
		-o -printf '%p %y %m %u\n') | sort
}

use_packages()
{
	new_root user
	# What the demo compiles and starts programs with, before the packages: it is not theirs.
	apt_install "$work/user" gcc libc6-dev libopenmpi-dev openmpi-bin otf2-tools pkg-config
	as_user "$work/user" true
	list_files "$work/user" >"$work/before"

	mkdir "$work/user/packages"
	cp "$work"/builder/home/measure-user/packages/*.deb "$work/user/packages/"
	enter "$work/builder" sh -c 'cd /home/measure-user/packages && dpkg-scanpackages --multiversion . 2>/dev/null' \
		>"$work/user/packages/Packages"
	echo 'deb [trusted=yes] file:/packages ./' >"$work/user/etc/apt/sources.list.d/local.list"
	enter "$work/user" apt-get -q -q update
	apt_install "$work/user" measure libmeasure-dev measure-doc
	say "installed: $(enter "$work/user" dpkg-query -W -f '${Package} ${Version}, ' measure libmeasure-dev measure-doc)"
	! enter "$work/user" sh -c 'command -v python3' || fail 'Python was installed with them'

	cp "$work/builder/home/measure-user/packages/$name/debian/tests/demo" \
		"$work/builder/home/measure-user/packages/$name/debian/tests/annotations" "$work/user/home/measure-user/"
	for test in demo annotations; do
		as_user "$work/user" "./$test" >"$work/$test.log" 2>&1 || {
			cat "$work/$test.log" >&2
			fail "$test failed for an ordinary user"
		}
		say "$test: passed; $(tail -n 1 "$work/$test.log")"
	done

	enter "$work/user" sh -c 'apt-get -q -q -y purge measure libmeasure-dev measure-doc &&
		apt-get -q -q -y autoremove --purge' >>"$work/log" 2>&1
	rm -rf "$work/user/etc/apt/sources.list.d/local.list" "$work/user/packages"
	list_files "$work/user" >"$work/after"
	diff "$work/before" "$work/after" || fail 'removal is not complete'
	say "removed: the same $(wc -l <"$work/after") files as before"
}

work=
case ${1-} in
-d)
	work=${2-}
	shift 2
	;;
esac
[ $# -gt 0 ] && [ -f "$1" ] || {
	echo 'usage: tests/packaging/debian.sh [-d DIR] TARBALL [base|build|lint|install]...' >&2
	exit 2
}
[ "$(id -u)" = 0 ] || skip 'root is needed to make file systems'
command -v debootstrap >/dev/null || skip 'no debootstrap'
here=$(cd "$(dirname "$0")" && pwd)
tarball=$(realpath "$1")
name=$(basename "$tarball" .tar.xz)
shift
[ $# -gt 0 ] || set -- base build lint install
if [ -z "$work" ]; then
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
else
	mkdir -p "$work"
	work=$(realpath "$work")
fi
mirror=${MIRROR:-$(find_mirror)}
for step in "$@"; do
	case $step in
	base) make_base ;;
	build) build_packages ;;
	lint) check_packages ;;
	install) use_packages ;;
	*) fail "$step: no such step: use base, build, lint or install" ;;
	esac
done
