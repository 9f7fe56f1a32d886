/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call frame information of code that is loaded: where a function's caller is to be found, as its
 * .eh_frame says. No lock, no allocation; whatever the tables hold, nothing is read but the file
 * that they are in, as it is mapped. */
#ifndef MEASURE_SAMPLE_CFI_H
#define MEASURE_SAMPLE_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEASURE_CFI_REGISTERS 33 /* numbers that DWARF has for them, of both processors */

/* How the caller's value of a register is found. */
enum measure_cfi_rule {
	MEASURE_CFI_SAME,
	MEASURE_CFI_UNDEFINED,
	MEASURE_CFI_AT,         /* in memory, `value` bytes from the frame's address */
	MEASURE_CFI_IS,         /* the frame's address + `value` */
	MEASURE_CFI_REGISTER,   /* in the register of that number */
	MEASURE_CFI_EXPRESSION, /* in memory where an expression says, `value` bytes from `base` */
	MEASURE_CFI_IS_EXPRESSION
};

/* One row of the table: at one instruction. */
struct measure_cfi_row {
	uint8_t cfa_register; /* the frame's address is this + offset ... */
	bool has_expression;  /* ... or what that says, `cfa_expression` bytes from `base` */
	int32_t cfa_offset;
	int32_t cfa_expression;
	uint8_t rules[MEASURE_CFI_REGISTERS];
	int32_t values[MEASURE_CFI_REGISTERS];
};

#define MEASURE_CFI_REMEMBERED 4

struct measure_cfi {
	uint64_t function; /* where it begins */
	const uint8_t *base;
	uint8_t return_register;
	bool is_signal; /* the caller was interrupted, it does not wait for a return */
	struct measure_cfi_row row;

	/* While it is found. */
	struct measure_cfi_row initial;
	struct measure_cfi_row remembered[MEASURE_CFI_REMEMBERED];
	uint32_t nr_remembered;
};

/* The row for an instruction. False: there is none. Async-signal-safe. */
bool measure_cfi_find(uint64_t address, struct measure_cfi *cfi);

/* Tables of the file that has an address. */
struct measure_cfi_tables {
	const uint8_t *header; /* .eh_frame_hdr */
	const uint8_t *begin;  /* what is mapped of the file */
	const uint8_t *end;
};

/* False: it has none. Takes no lock of the loader; async-signal-safe. (tables.c) */
bool measure_cfi_tables(uint64_t address, struct measure_cfi_tables *tables);

/* Integers of DWARF; they move the cursor on. One that is not whole is 0 and the last. */
struct measure_cfi_cursor {
	const uint8_t *place;
	const uint8_t *end;
	bool is_short; /* something was to be read that is not there */
};
uint64_t measure_cfi_unsigned(struct measure_cfi_cursor *cursor);
int64_t measure_cfi_signed(struct measure_cfi_cursor *cursor);
uint64_t measure_cfi_fixed(struct measure_cfi_cursor *cursor, size_t size);

#endif
