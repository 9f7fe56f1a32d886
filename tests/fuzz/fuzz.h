/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the fuzz targets share. A target is a LLVMFuzzerTestOneInput(): libFuzzer drives it, or
 * replay.c, with its corpus and mutations of it.
 *
 * Inputs of targets that read several files are like this, so that mutations keep the shape:
 *
 *	@@@NAME LF content @@@NAME LF content ...
 *
 * A name that comes again goes on with its file: event files with the next chunk. Journals are
 * not given as they are, as no mutation would have a right checksum: see fuzz_journal(). */
#ifndef MEASURE_TESTS_FUZZ_H
#define MEASURE_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_CHUNK (256 * 1024) /* bytes, the least that is allowed */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One file of an input. */
struct fuzz_file {
	char name[64];
	const uint8_t *data;
	size_t size;
};

/* The next one; *position is 0 at first. False: there is none. */
bool fuzz_next(const uint8_t *data, size_t size, size_t *position, struct fuzz_file *file);

/* Frames of a journal from records "words u8, kind u8, 8 * words bytes"; after kind 255 bytes as
 * they are. free() it. */
uint8_t *fuzz_journal(const uint8_t *data, size_t size, size_t *journal_size);

/* Text of an input, with its NUL; free() it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Path of this process's own directory, in memory where the machine has such a file system.
 * Removed when the process ends. */
const char *fuzz_directory(void);

/* Writes the files of an input below that directory, which is empty then: names may lead into the
 * folders of `folders` (NULL at the end) and nowhere else, and others are left out. */
void fuzz_unpack(const uint8_t *data, size_t size, const char *const *folders);

/* Ends the process with a word: the target did what it must not do. */
__attribute__((noreturn, format(printf, 1, 2))) void fuzz_fault(const char *format, ...);

#endif
