#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the report page in a real browser: each view draws, by mouse, keyboard and link
#
# Screenshots stay in tests/page/screenshots of the build directory, to be looked at.
. "$(dirname "$0")/lib.sh"
exec "$node" "$folder/browser.mjs" --template "$template" --modules "$modules" --browser "$browser" \
	--screenshots "$out"
