/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names that come from programs and files may hold any bytes: also what breaks a line, and what a
 * terminal obeys. Whoever writes one for people writes it by way of this. */
#ifndef MEASURE_BASE_PRINTABLE_H
#define MEASURE_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* The text itself where all of it can be shown; else a copy in the buffer, where each byte that
 * cannot is "\n", "\t", "\r" or "\x1b": of control characters, of what changes the direction of
 * writing, and what is no UTF-8. What does not fit ends in "...". */
const char *measure_printable(const char *text, char *buffer, size_t size);

/* The same with a buffer of its own, good until the end of the block: an argument of printf(). */
#define MEASURE_PRINTABLE_SIZE 1024
#define MEASURE_PRINTABLE(text)                                                                    \
	measure_printable(text, (char[MEASURE_PRINTABLE_SIZE]){""}, MEASURE_PRINTABLE_SIZE)

/* Bytes of the character that a text begins with, in UTF-8; 0: it is none. */
size_t measure_utf8_length(const char *text);

/* The end of a text, of at most `size` bytes, that begins with a character. */
const char *measure_text_end(const char *text, size_t size);

/* Whether that character, of so many bytes, can be shown. */
bool measure_is_shown(const char *text, size_t length);

#endif
