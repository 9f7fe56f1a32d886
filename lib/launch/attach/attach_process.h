/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making a running process load the library, and begin or end its recording there. */
#ifndef MEASURE_LAUNCH_ATTACH_ATTACH_PROCESS_H
#define MEASURE_LAUNCH_ATTACH_ATTACH_PROCESS_H

#include <stdbool.h>

#include "remote_call.h"
#include "target.h"

/* `library`: the path of libmeasure.so. `part`: the part directory, whose keeper awaits the process.
 * `objects`: paths of adapters, with colons between them. False: it is not recorded, for the reason
 * that was said in one line. *time: for how long a thread was held up. */
bool measure_attach_process(struct measure_target *target, const char *library, const char *part,
	const char *objects, struct measure_remote_time *time);

/* `part` (size bytes): the part directory of the recording that has ended. */
bool measure_detach_process(struct measure_target *target, char *part, size_t size);

#endif
