/* SPDX-License-Identifier: BSD-3-Clause
 *
 * JSON in the header or in a block; see page_text.h. */
#include "config.h"

#include "page_text.h"

#include <stdlib.h>
#include <string.h>

#define MOST_INLINE 65536 /* characters: deflated, JSON is a tenth as long */

static bool text_move_to_block(
	struct measure_page_text *text, struct measure_page *page, unsigned run, const char *name)
{
	struct measure_page_block *block = measure_page_open(page, run, name);

	measure_page_block_bytes(block, text->text, text->size);
	strcpy(text->id, page->id);
	free(text->text);
	text->text = NULL;
	return measure_page_close(page);
}

bool measure_page_text_make(struct measure_page_text *text, struct measure_page *page, unsigned run,
	const char *name, const struct measure_page_printer *printer)
{
	FILE *memory = open_memstream(&text->text, &text->size);

	if (!memory)
		return false;
	printer->print(printer->data, memory);
	if (fclose(memory) != 0)
		return false;
	return text->size <= MOST_INLINE || text_move_to_block(text, page, run, name);
}

void measure_page_text_print(const struct measure_page_text *text, FILE *out)
{
	if (*text->id)
		fprintf(out, "{\"block\": \"%s\"}", text->id);
	else if (text->text)
		fwrite(text->text, 1, text->size, out);
	else
		fputs("null", out);
}

void measure_page_text_free(struct measure_page_text *text)
{
	free(text->text);
	*text = (struct measure_page_text){.size = 0};
}
