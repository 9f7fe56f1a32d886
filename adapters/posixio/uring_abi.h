/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rings of io_uring as the kernel (linux/io_uring.h) and liburing.so.2 (struct io_uring) have them.
 * Neither changes any more; so Measure can be built where they are not installed. */
#ifndef MEASURE_POSIXIO_URING_ABI_H
#define MEASURE_POSIXIO_URING_ABI_H

#include <stddef.h>
#include <stdint.h>

/* One operation that is submitted. */
struct measure_uring_entry {
	uint8_t opcode;
	uint8_t flags;
	uint16_t priority;
	int32_t fd;
	uint64_t offset; /* or the address of struct open_how */
	uint64_t address;
	uint32_t length; /* or the number of vectors */
	uint32_t operation_flags;
	uint64_t user_data;
	uint16_t buffer;
	uint16_t personality;
	int32_t file_index; /* not 0: opens a registered file */
	uint64_t rest[2];
};
_Static_assert(sizeof(struct measure_uring_entry) == 64, "as in the kernel");

enum {
	MEASURE_URING_FIXED_FILE = 1 << 0, /* fd: index of a registered file */
	MEASURE_URING_SKIP = 1 << 6        /* nobody hears of its success */
};

/* How one has ended. */
struct measure_uring_completion {
	uint64_t user_data;
	int32_t result;
	uint32_t flags;
};

enum {
	MEASURE_URING_MORE = 1 << 1,        /* there will be another one */
	MEASURE_URING_NOTIFICATION = 1 << 3 /* of a buffer */
};

/* Entries up to `sqe_tail` are ready, those up to `sqe_head` submitted. */
struct measure_uring {
	struct {
		uint32_t *head, *tail, *mask, *entries, *flags, *dropped, *array;
		struct measure_uring_entry *sqes;
		uint32_t sqe_head, sqe_tail;
		size_t size;
		void *memory;
		uint32_t rest[4];
	} submission;
	struct {
		uint32_t *head, *tail, *mask, *entries, *flags, *overflow;
		struct measure_uring_completion *cqes;
		size_t size;
		void *memory;
		uint32_t rest[4];
	} completion;
	uint32_t flags;
};
_Static_assert(offsetof(struct measure_uring, completion) == 104, "as in liburing.so.2");
_Static_assert(offsetof(struct measure_uring, flags) == 192, "as in liburing.so.2");

enum { MEASURE_URING_LARGE_ENTRIES = 1 << 10, MEASURE_URING_LARGE_COMPLETIONS = 1 << 11 };

#endif
