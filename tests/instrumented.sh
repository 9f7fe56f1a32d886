# SPDX-License-Identifier: BSD-3-Clause
#
# For scripts that build everything once more, in another way. They set $source.

# instrumented FOLDER FLAGS [ARGUMENT...]: goes to that folder of the build directory, which is configured
# with these flags of the compiler, and with the arguments.
instrumented()
{
	folder=$1
	flags=$2
	shift 2
	mkdir -p "$folder"
	cd "$folder"
	[ -f Makefile ] || "$source/configure" --quiet CFLAGS="-g -O1 $flags" LDFLAGS="$flags" "$@"
}

# All tests of the present build directory but the lints, which look at what is built for users.
instrumented_tests()
{
	printf 'include Makefile\nprint-tests:\n\t@echo $(filter-out tests/lint/%%,$(TESTS))\n' |
		make -s --no-print-directory -f - print-tests
}
