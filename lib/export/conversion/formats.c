/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of formats; see formats.def. */
#include "config.h"

#include "conversion.h"

const struct measure_format measure_formats[] = {
#define FORMAT(word, function, is_text, text) {word, text, is_text, function},
#include "formats.def"
#undef FORMAT
	{.word = NULL}};
