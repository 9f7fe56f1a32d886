#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: as delays.sh, with delays made by the kernel.
exec "$(dirname "$0")/delays.sh" e
