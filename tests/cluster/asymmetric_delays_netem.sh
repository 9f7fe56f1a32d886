#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: as asymmetric_delays.sh, with delays made by the kernel.
exec "$(dirname "$0")/asymmetric_delays.sh" e
