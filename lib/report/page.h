/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A page for browsers: the template, which has all that is drawn with, and in the place of one of
 * its lines the data: a header in JSON and blocks of numbers. doc/report-page.md describes both. */
#ifndef MEASURE_REPORT_PAGE_H
#define MEASURE_REPORT_PAGE_H

#include "page_block.h"

#define MEASURE_PAGE_SCHEMA 1
#define MEASURE_PAGE_ID     32 /* characters of the name of a block */

struct measure_page {
	FILE *data;    /* finished blocks, with their elements: a file without a name */
	uint64_t size; /* characters in it */
	uint64_t most; /* characters that all may have; a goal */
	long begin;    /* of the block that is being written */
	char id[MEASURE_PAGE_ID];
	struct measure_page_block block;
};

/* False: no temporary file can be made in the directory; errno says why. */
bool measure_page_start(struct measure_page *page, const char *directory, uint64_t most);
void measure_page_free(struct measure_page *page);

/* A block with the name "run0-messages"; one at a time. */
struct measure_page_block *measure_page_open(
	struct measure_page *page, unsigned run, const char *name);

/* False: it could not be written. */
bool measure_page_close(struct measure_page *page);

/* The block that is open, or the last one, is not to be in the page. */
void measure_page_drop(struct measure_page *page);

/* Room that is left, in characters. */
uint64_t measure_page_room(const struct measure_page *page);

/* Writes template, header (JSON) and blocks. */
enum measure_page_result { MEASURE_PAGE_WRITTEN, MEASURE_PAGE_NO_PLACE, MEASURE_PAGE_FAILED };

/* NO_PLACE: the template lacks the line; FAILED: errno says why. */
enum measure_page_result measure_page_write(
	struct measure_page *page, const char *header, size_t size, FILE *template, FILE *out);

#endif
