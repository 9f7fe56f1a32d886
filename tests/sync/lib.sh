# SPDX-License-Identifier: BSD-3-Clause
#
# What tests of corrected archives have in common: sourced, with the name of the test in $0. Their files are in
# $work, which is removed afterwards.
set -u

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v python3 >/dev/null || {
	echo 'no python3'
	exit 77
}
export PYTHONDONTWRITEBYTECODE=1

# fail WORD...: with what has been said last
fail()
{
	echo "failed: $*: $(head -n 5 "$work/said")"
	exit 1
}
