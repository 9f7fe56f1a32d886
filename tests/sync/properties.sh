#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: measure-sync has the properties that any correction must have, on made-up archives;
# SYNC_FIRST (1) to SYNC_LAST (4) are their seeds; SYNC_COUNTS=1 says what was tried. See properties.py.
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || {
	echo 'no python3'
	exit 77
}
PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/oracle/properties.py" --from "${SYNC_FIRST:-1}" --to "${SYNC_LAST:-4}" \
	${SYNC_COUNTS:+--counts}
