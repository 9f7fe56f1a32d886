#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: panels of tasks in a real browser: keys, chains, choice of panels, links; frames of 10^6 tasks
#
# Screenshots stay in tests/page/screenshots of the build directory. Limits are of processor time, which other programs
# do not disturb; frames.mjs prints the elapsed time, too.
. "$(dirname "$0")/lib.sh"
"$node" "$folder/tasks-browser.mjs" --template "$template" --modules "$modules" --browser "$browser" --out "$out" ||
	exit 1
"$node" "$folder/make-page.js" --template "$template" --processes 4 --threads 8 --events 4000 --tasks 1000000 \
	--out "$out/tasks-large.html" || exit 1
exec "$node" "$folder/frames.mjs" --page "$out/tasks-large.html" --modules "$modules" --browser "$browser" --frames 40 \
	--hash '#view=tasks' --wait '.tk-board[data-drawn]' --picture '.tk-picture' --by processor --most-ms 100 --open-ms 20000
