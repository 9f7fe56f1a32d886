/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a process meets its keeper: a named socket `rendezvous` in the part directory. It comes
 * for the segment that the keeper made, or to ask what is to be preloaded into a program that it is
 * about to start. Inherited descriptors would not do: launchers and interpreters close them.
 * Who comes is told by the kernel, not by himself. All descriptors are close-on-exec. */
#ifndef MEASURE_FORMAT_RENDEZVOUS_H
#define MEASURE_FORMAT_RENDEZVOUS_H

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

#include "run_layout.h"
#include "status.h"

/* Keeper's side: makes the socket in the part directory and listens. To be called before the
 * process starts, so that it never comes too early. */
measure_status_t measure_rendezvous_listen(int part_fd, int *listen_fd);

enum measure_wish {
	MEASURE_WISH_SEGMENT = 'S', /* of a program that has begun */
	MEASURE_WISH_CHILD = 'C',   /* the same of a forked child, that goes on with its parent's */
	MEASURE_WISH_IMAGE = 'I',   /* what has to be preloaded into a program */
	MEASURE_WISH_LEAVE = 'L'    /* of a program that goes on without being recorded */
};

#define MEASURE_VISITOR_TEXT 131072

/* Who has come, and what for. */
struct measure_visitor {
	pid_t pid;
	enum measure_wish wish;
	size_t size;                     /* of the text */
	char text[MEASURE_VISITOR_TEXT]; /* of an image: its path, and the variables of its
					  * environment where they have room; each with its NUL */
};

/* What is wrong with what he says, in words; NULL: nothing. */
const char *measure_visitor_fault(const struct measure_visitor *visitor);

/* Takes one connection, of a process of this user that says something sound. -1: there was none.
 * The caller closes it. */
int measure_rendezvous_accept(int listen_fd, struct measure_visitor *visitor);

/* Closes it. Who comes now is turned away at once, also where another process has the socket as
 * well; so are those who wait already. */
void measure_rendezvous_close(int listen_fd);

/* Hands a segment over. `part`: name of the part that it belongs to, where that is another one
 * than the process has asked in; else "". */
measure_status_t measure_rendezvous_hand_over(int connection, int segment_fd, const char *part);

/* The value for LD_PRELOAD; "": none. */
void measure_rendezvous_answer(int connection, const char *preload);

/* Process' side: asks the keeper of this part for a segment; the caller closes *segment_fd. `part`
 * (size bytes, at least 1): as above. Takes about 50 us, or 1 ms where a keeper has to be made
 * first, and never longer than a few seconds. MEASURE_ERROR_NOT_FOUND: no keeper there, or it does
 * not await this process. Leaves nothing behind but *segment_fd. */
measure_status_t measure_rendezvous_connect(const char *part_directory, enum measure_wish wish,
	int *segment_fd, char *part, size_t size);

/* The same: recording has left this process. Returns when the keeper knows. */
void measure_rendezvous_leave(const char *part_directory);

/* The same: asks what has to be preloaded into the program in the file `path`, that is to be
 * started with this environment. *size: bytes of the answer, with its NUL; it is there when this
 * returns, on *connection. Async-signal-safe; takes 0.1 ms, or some where the loader has to be
 * asked. */
measure_status_t measure_rendezvous_ask(const char *part_directory, const char *path,
	char *const *environment, int *connection, size_t *size);

/* Fetches the answer to that, and closes the connection. */
measure_status_t measure_rendezvous_take(int connection, char *answer, size_t size);

#endif
