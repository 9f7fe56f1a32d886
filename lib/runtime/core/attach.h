/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recording that begins and ends in a running process: measure --attach and --detach load this
 * library into it, and call measure_process_attach() and measure_process_detach() on one of its
 * threads (format/attach_request.h). The other threads go on meanwhile. */
#ifndef MEASURE_RUNTIME_CORE_ATTACH_H
#define MEASURE_RUNTIME_CORE_ATTACH_H

#include "format/attach_request.h"

#pragma GCC visibility push(default)

/* On a thread that holds no lock of the C library. The answer is in the request. */
void measure_process_attach(struct measure_attach_request *request);
void measure_process_detach(struct measure_attach_request *request);

#pragma GCC visibility pop
#endif
