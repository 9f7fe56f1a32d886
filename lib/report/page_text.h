/* SPDX-License-Identifier: BSD-3-Clause
 *
 * JSON that other tools print, as a member of the header: the text itself where it is short, else
 * the name of a block that has it. */
#ifndef MEASURE_REPORT_PAGE_TEXT_H
#define MEASURE_REPORT_PAGE_TEXT_H

#include "page.h"

/* All zero is null. */
struct measure_page_text {
	char *text; /* NULL: it is in a block, or there is none */
	size_t size;
	char id[MEASURE_PAGE_ID]; /* of the block; "": none */
};

/* For print(data, file). */
struct measure_page_printer {
	void (*print)(const void *data, FILE *out);
	const void *data;
};

/* False: no memory, or the block cannot be written. */
bool measure_page_text_make(struct measure_page_text *text, struct measure_page *page, unsigned run,
	const char *name, const struct measure_page_printer *printer);
void measure_page_text_print(const struct measure_page_text *text, FILE *out);
void measure_page_text_free(struct measure_page_text *text);

#endif
