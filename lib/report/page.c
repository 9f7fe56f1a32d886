/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts the page together; see page.h. */
#include "config.h"

#include "page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COPIED 65536 /* bytes at a time */

static const char place[] = "<!--MEASURE-DATA-->";

/* --------------------------------------------------------------------------- blocks --- */

/* Where the file system has no files without names, a name that is taken away again. */
static int open_nameless(const char *directory)
{
	int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char *path;

	if (file >= 0)
		return file;
	if (asprintf(&path, "%s/measure-report.XXXXXX", directory) < 0)
		return -1;
	file = mkostemp(path, O_CLOEXEC);
	if (file >= 0)
		unlink(path);
	free(path);
	return file;
}

bool measure_page_start(struct measure_page *page, const char *directory, uint64_t most)
{
	const int file = open_nameless(directory);

	page->data = file >= 0 ? fdopen(file, "w+") : NULL;
	page->size = 0;
	page->most = most;
	return page->data;
}

void measure_page_free(struct measure_page *page)
{
	if (page->data)
		fclose(page->data);
}

struct measure_page_block *measure_page_open(
	struct measure_page *page, unsigned run, const char *name)
{
	snprintf(page->id, sizeof(page->id), "run%u-%s", run, name);
	page->begin = ftell(page->data);
	fprintf(page->data, "<script type=\"application/octet-stream\" id=\"%s\">", page->id);
	measure_page_block_start(&page->block, page->data);
	return &page->block;
}

bool measure_page_close(struct measure_page *page)
{
	const bool is_written = measure_page_block_end(&page->block);

	fputs("</script>\n", page->data);
	page->size = (uint64_t)ftell(page->data);
	return is_written && !ferror(page->data);
}

void measure_page_drop(struct measure_page *page)
{
	fflush(page->data);
	fseek(page->data, page->begin, SEEK_SET);
	if (ftruncate(fileno(page->data), page->begin) != 0)
		page->block.has_failed = true;
	page->size = (uint64_t)page->begin;
}

uint64_t measure_page_room(const struct measure_page *page)
{
	return page->size < page->most ? page->most - page->size : 0;
}

/* ---------------------------------------------------------------------------- page --- */

/* The header stands in an element: no text in it may end that, or begin a comment. In JSON "<"
 * occurs in strings only. */
static void write_header(const char *header, size_t size, FILE *out)
{
	fputs("<script type=\"application/json\" id=\"measure-report\">", out);
	for (const char *next = header, *end = header + size; next < end;) {
		const char *less = memchr(next, '<', (size_t)(end - next));

		fwrite(next, 1, (size_t)((less ? less : end) - next), out);
		if (less)
			fputs("\\u003c", out);
		next = less ? less + 1 : end;
	}
	fputs("</script>\n", out);
}

static void copy_file(FILE *from, FILE *out)
{
	char bytes[COPIED];
	size_t nr;

	rewind(from);
	while ((nr = fread(bytes, 1, sizeof(bytes), from)) > 0)
		fwrite(bytes, 1, nr, out);
}

enum measure_page_result measure_page_write(
	struct measure_page *page, const char *header, size_t size, FILE *template, FILE *out)
{
	bool has_place = false;
	size_t room = 0;
	char *line = NULL;
	ssize_t length;

	while ((length = getline(&line, &room, template)) >= 0) {
		if (!has_place && strncmp(line, place, strlen(place)) == 0) {
			has_place = true;
			write_header(header, size, out);
			copy_file(page->data, out);
		} else {
			fwrite(line, 1, (size_t)length, out);
		}
	}
	free(line);
	if (!has_place)
		return MEASURE_PAGE_NO_PLACE;
	if (ferror(page->data) || ferror(template) || ferror(out) || fflush(out) != 0)
		return MEASURE_PAGE_FAILED;
	return MEASURE_PAGE_WRITTEN;
}
