#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the time line in a real browser: keys, messages, search, links; frames of 2,000 locations in 50 ms
#
# Screenshots stay in tests/page/screenshots of the build directory. Limits are of processor time, which other programs
# do not disturb; frames.mjs prints the elapsed time, too.
. "$(dirname "$0")/lib.sh"
"$node" "$folder/timeline-browser.mjs" --template "$template" --modules "$modules" --browser "$browser" --out "$out" ||
	exit 1
"$node" "$folder/make-page.js" --template "$template" --processes 500 --threads 4 --hosts 8 --events 1000000 \
	--out "$out/large.html" || exit 1
exec "$node" "$folder/frames.mjs" --page "$out/large.html" --modules "$modules" --browser "$browser" --frames 100 \
	--hash '#view=timeline' --by processor --open-ms 20000
