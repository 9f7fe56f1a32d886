/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `measure --attach` and `--detach` put on the stack of a thread of the program, and what the
 * library answers there. Both sides are of one build. */
#ifndef MEASURE_FORMAT_ATTACH_REQUEST_H
#define MEASURE_FORMAT_ATTACH_REQUEST_H

#include <stdint.h>

#define MEASURE_ATTACH_TEXT 8192

/* The library's entries, found in its table of symbols by these names. */
#define MEASURE_ATTACH_ENTRY "measure_process_attach"
#define MEASURE_DETACH_ENTRY "measure_process_detach"

enum measure_attach_result {
	MEASURE_ATTACH_UNANSWERED = 0, /* the call has not come to its end */
	MEASURE_ATTACH_DONE = 1,
	MEASURE_ATTACH_BUSY = 2,     /* this thread is in the middle of an event: take another one */
	MEASURE_ATTACH_RECORDED = 3, /* the process is recorded already */
	MEASURE_ATTACH_IDLE = 4,     /* it is not recorded, or not by --attach */
	MEASURE_ATTACH_FAILED = 5    /* nothing is recorded; `status` says why */
};

struct measure_attach_request {
	char part[MEASURE_ATTACH_TEXT / 2]; /* the part directory */
	char objects[MEASURE_ATTACH_TEXT];  /* paths of the adapters, with colons between them; a
					       wrapper of an earlier one is called first */
	int32_t status;                     /* measure_status_t */
	int32_t result; /* written last */
};

#endif
