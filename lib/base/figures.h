/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers as people write them: "1,234,567", "2.1 GiB", "12 us", "150 %"; never with exponents. */
#ifndef MEASURE_BASE_FIGURES_H
#define MEASURE_BASE_FIGURES_H

#include <stdint.h>

#define MEASURE_FIGURE_TEXT 32

/* Good until the fourth call after it. */
const char *measure_figure(uint64_t value);

const char *measure_figure_size(uint64_t bytes, char text[MEASURE_FIGURE_TEXT]);

/* Two digits or three, of ns, us, ms or s; seven columns up to 9999 s. "0 s": none, "-":
 * negative. */
const char *measure_figure_seconds(double seconds, char text[MEASURE_FIGURE_TEXT]);

/* Of a ratio: one place behind the point below 10 %, none above. */
const char *measure_figure_percent(double ratio, char text[MEASURE_FIGURE_TEXT]);

#endif
