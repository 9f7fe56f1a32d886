/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a process gets the segment that its keeper made: a named socket `rendezvous` in the
 * part directory. Inherited descriptors would not do: launchers and interpreters close them.
 * Who comes is told by the kernel, not by himself. All descriptors are close-on-exec. */
#ifndef MEASURE_MEMORY_RENDEZVOUS_H
#define MEASURE_MEMORY_RENDEZVOUS_H

#include <sys/types.h>

#include "base/layout.h"
#include "status.h"

/* Keeper's side: makes the socket in the part directory and listens. To be called before the
 * process starts, so that it never comes too early. */
measure_status_t measure_rendezvous_listen(int part_fd, int *listen_fd);

/* Takes one connection, of a process of this user; *pid: which. -1: there was none. The caller
 * closes it. */
int measure_rendezvous_accept(int listen_fd, pid_t *pid);

/* Closes it. Who comes now is turned away at once, also where another process has the socket as
 * well; so are those who wait already. */
void measure_rendezvous_close(int listen_fd);

/* Hands a segment over. `part`: name of the part that it belongs to, where that is another one
 * than the process has asked in; else "". */
measure_status_t measure_rendezvous_hand_over(int connection, int segment_fd, const char *part);

/* Process' side: asks the keeper of this part for a segment; the caller closes *segment_fd. `part`
 * (size bytes, at least 1): as above. Takes about 50 us, or 1 ms where a keeper has to be made
 * first, and never longer than a few seconds. MEASURE_ERROR_NOT_FOUND: no keeper there, or it does
 * not await this process. Leaves nothing behind but *segment_fd. */
measure_status_t measure_rendezvous_connect(
	const char *part_directory, int *segment_fd, char *part, size_t size);

#endif
