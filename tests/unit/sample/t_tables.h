/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unwind tables byte by byte, in the place of those of loaded files (measure_cfi_tables()), and
 * registers by their numbers. What is behind the tables cannot be read. */
#ifndef T_TABLES_H
#define T_TABLES_H

#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#define T_CODE 0x4000 /* bytes from the header on to the first function; nothing is there */
#define T_SIZE 0x100  /* of a function */

#if defined(__x86_64__)
enum { T_RETURN = 16 };
#else
enum { T_RETURN = 30 };
#endif

/* An entry of .eh_frame, with what is common before it, and a header. What is 0 or NULL is as
 * compilers have it. */
struct t_tables {
	const char *augmentation; /* "zR" */
	uint8_t version;          /* 1 */
	uint8_t encoding;         /* pcrel, sdata4 */
	uint8_t personality;      /* encoding, for P */
	uint64_t return_register; /* T_RETURN */
	uint32_t nr_functions;    /* 1: so many rows of the header, all with this entry's program */
	const void *common, *own; /* instructions */
	size_t common_size, own_size;
};

/* Where parts of what was made are, in bytes from its beginning. */
struct t_places {
	size_t size, count, first_row, common, entry;
};

/* Makes them what measure_cfi_find() finds. Returns the first function's address. */
uint64_t t_tables_make(const struct t_tables *wanted, struct t_places *places);

/* As bytes, header first: what is not among them cannot be read. Returns the address again. */
uint64_t t_tables_use(const void *bytes, size_t size);

/* They can be written; another call of the above moves them. */
uint8_t *t_tables_bytes(void);

/* By DWARF's number. */
void t_register_set(ucontext_t *context, uint32_t number, uint64_t value);

#endif
