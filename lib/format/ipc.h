/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `measure` and its keeper say to each other, over a socket pair of packets. An end that
 * is gone is seen as MEASURE_MSG_GONE by the other. */
#ifndef MEASURE_FORMAT_IPC_H
#define MEASURE_FORMAT_IPC_H

#include <stdint.h>

#include "status.h"

enum measure_ipc_msg {
	MEASURE_MSG_NONE = 0, /* nothing there just now */
	MEASURE_MSG_GONE,     /* the other end is closed */
	MEASURE_MSG_PROGRAM,  /* to the keeper: value is its pid; with its pidfd */
	MEASURE_MSG_ENDED, /* to the keeper: value is the wait status, text who sent its signal */
	MEASURE_MSG_SNAPSHOT,  /* to the keeper: make one */
	MEASURE_MSG_TEXT,      /* to measure: a line for stderr */
	MEASURE_MSG_DOES,      /* to measure: what the keeper begins with, "the ... to be ..." */
	MEASURE_MSG_UNCLAIMED, /* to measure: the program did not use the segment; value: it was
				   given it */
	MEASURE_MSG_ANOTHER,   /* to measure: a keeper has died, the next one knows nothing yet */
	MEASURE_MSG_SAFE       /* to measure: nothing more to wait for */
};

#define MEASURE_CHANNEL_TEXT 4096

struct measure_ipc_message {
	uint32_t word; /* enum measure_ipc_msg */
	int32_t value;
	int fd; /* -1: none; belongs to the receiver */
	char text[MEASURE_CHANNEL_TEXT];
};

/* Both ends are close-on-exec. */
measure_status_t measure_ipc_open(int ends[2]);

/* Never blocks; a message to an end that is gone or does not read is lost. `fd` -1: none. `text`
 * NULL: none. */
void measure_ipc_send(
	int channel, enum measure_ipc_msg word, int32_t value, int fd, const char *text);

/* The next message, or MEASURE_MSG_NONE or _GONE. Never blocks. */
void measure_ipc_receive(int channel, struct measure_ipc_message *message);

#endif
