/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pictures where there is no cairo: none. */
#include "config.h"

#include <errno.h>

#include "picture.h"

const struct measure_picture_info measure_picture_charts[MEASURE_NR_PICTURE_CHARTS] = {
#define PICTURE_CHART(NAME, word, text) {#word, text},
#include "picture_charts.def"
#undef PICTURE_CHART
};

bool measure_picture_is_possible(void)
{
	return false;
}

enum measure_picture_result measure_picture_draw(const struct measure_picture_options *options,
	const struct measure_picture_facts *facts, FILE *file, char note[MEASURE_PICTURE_NOTE])
{
	(void)options;
	(void)facts;
	(void)file;
	note[0] = '\0';
	errno = ENOSYS;
	return MEASURE_PICTURE_FAILED;
}
