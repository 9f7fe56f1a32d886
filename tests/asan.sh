# SPDX-License-Identifier: BSD-3-Clause
#
# For tests of which AddressSanitizer leaves nothing, or not all: doc/TESTING.md has a table of them.

# under_asan DIRECTORY: are the programs built there, and what they preload, built with it (tests/sanitize)?
under_asan()
{
	grep -q __asan_init "$1/measure"
}

# left_out_under_asan DIRECTORY WHAT WHY: true if they are, and says what part of the test is left out. What comes
# behind "left out, AddressSanitizer: " is collected by tests/sanitize.
left_out_under_asan()
{
	under_asan "$1" && echo "left out, AddressSanitizer: $2: $3"
}
