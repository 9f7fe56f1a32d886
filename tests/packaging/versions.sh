#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: packages and recipes are of the version of configure.ac, and NEWS speaks of it
cd "$(dirname "$0")/../.." || exit 1
version=$(sed -n 's/^AC_INIT(\[measure\], \[\([0-9.]*\)\].*/\1/p' configure.ac)
status=0

# has FILE PATTERN
has()
{
	[ -n "$version" ] && grep -q -e "$2" "$1" || {
		echo "$1: not of version $version"
		status=1
	}
}

sed -n 1p NEWS | grep -q -F -e "Measure $version" || {
	echo "NEWS: its first line is not about $version"
	status=1
}
sed -n 1p share/packaging/debian/changelog | grep -q -F -e "measure ($version-" || {
	echo "share/packaging/debian/changelog: its first entry is not about $version"
	status=1
}
has share/packaging/spack/package.py "version(\"$version\""
has "share/packaging/easybuild/Measure-$version-gompi-2023a.eb" "^version = '$version'"
has share/packaging/apptainer/measure.def "measure-$version.tar.xz"
exit $status
