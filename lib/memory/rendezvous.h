/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a process gets the segment that its keeper made: a named socket `rendezvous` in the
 * part directory. Inherited descriptors would not do: launchers and interpreters close them.
 * Only the awaited process gets the segment, and only once. All descriptors are
 * close-on-exec. */
#ifndef MEASURE_MEMORY_RENDEZVOUS_H
#define MEASURE_MEMORY_RENDEZVOUS_H

#include <sys/types.h>

#include "base/layout.h"
#include "status.h"

/* Keeper's side: makes the socket in the part directory and listens. To be called before the
 * process starts, so that it never comes too early. */
measure_status_t measure_rendezvous_listen(int part_fd, int *listen_fd);

/* Takes one connection and hands the segment over if it comes from process `pid` of this user.
 * MEASURE_OK: handed over. MEASURE_ERROR_NOT_FOUND: it was somebody else, or nobody; listen on.
 * MEASURE_ERROR_IO: the awaited process came but could not be given the segment. */
measure_status_t measure_rendezvous_serve(int listen_fd, pid_t pid, int segment_fd);

/* Process' side: asks the keeper of this part for the segment; the caller closes *segment_fd.
 * Takes about 50 us and never longer than a few seconds. MEASURE_ERROR_NOT_FOUND: no keeper
 * there, or it does not await this process. Leaves nothing behind but *segment_fd. */
measure_status_t measure_rendezvous_connect(const char *part_directory, int *segment_fd);

#endif
