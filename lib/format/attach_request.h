/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `measure --attach` and `--detach` put on the stack of a thread of the program, and what the
 * library answers there. Both sides are of one build. */
#ifndef MEASURE_FORMAT_ATTACH_REQUEST_H
#define MEASURE_FORMAT_ATTACH_REQUEST_H

#include <stdint.h>

#define MEASURE_ATTACH_TEXT 8192

/* The library's entries, found in its table of symbols by these names: each is called with a
 * pointer to the request, on a thread that holds no lock of the C library's, and returns when the
 * answer is in it. */
#define MEASURE_ATTACH_ENTRY "measure_process_attach"
#define MEASURE_DETACH_ENTRY "measure_process_detach"

/* What the library answers. */
enum measure_attach_result {
	MEASURE_ATTACH_UNANSWERED = 0, /* the call has not come to its end */
	MEASURE_ATTACH_DONE = 1,
	MEASURE_ATTACH_BUSY = 2,     /* this thread is in the middle of an event: take another one */
	MEASURE_ATTACH_RECORDED = 3, /* the process is recorded already */
	MEASURE_ATTACH_IDLE = 4,     /* it is not recorded, or not by --attach */
	MEASURE_ATTACH_FAILED = 5    /* nothing is recorded; `status` says why */
};

struct measure_attach_request {
	/* The part directory, whose keeper awaits the process; of --detach, it is the answer. */
	char part[MEASURE_ATTACH_TEXT / 2];

	/* Paths of the adapters, with colons between them, as in LD_PRELOAD: where two of them have
	 * a wrapper of one function, that of the earlier one is called first. */
	char objects[MEASURE_ATTACH_TEXT];

	int32_t status; /* measure_status_t, of MEASURE_ATTACH_FAILED */
	int32_t result; /* enum measure_attach_result; written last */
};

#endif
