/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program whose regions have names that nobody should write to a terminal as they are. */
#include <measure.h>
#include <stdio.h>
#include <string.h>

#define RED     "\033[31m"
#define SECOND  "line 1\nsecond line\tof it"
#define NO_UTF8 "\xff\xfe\x80"

MEASURE_REGION_DEFINE(red, RED "red");
MEASURE_REGION_DEFINE(second, SECOND);
MEASURE_REGION_DEFINE(bytes, NO_UTF8 "\xc2\x9b" "2J");

int main(int argc, char **argv)
{
	for (int i = 0; i < 1000; i++) {
		MEASURE_REGION_BEGIN(red);
		MEASURE_REGION_BEGIN(second);
		MEASURE_REGION_BEGIN(bytes);
		MEASURE_REGION_END(bytes);
		MEASURE_REGION_END(second);
		MEASURE_REGION_END(red);
	}
	/* one that is begun and not ended is told of */
	MEASURE_REGION_BEGIN(red);
	/* until its input ends */
	if (argc > 1 && strcmp(argv[1], "stay") == 0)
		return getchar() != EOF;
	return 0;
}
