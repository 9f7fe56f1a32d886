/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `measure` and its keeper say to each other, over a socket pair of packets. An end that
 * is gone is seen as MEASURE_WORD_GONE by the other. */
#ifndef MEASURE_BIN_CHANNEL_H
#define MEASURE_BIN_CHANNEL_H

#include <stdint.h>

#include "status.h"

enum measure_word {
	MEASURE_WORD_NONE = 0, /* nothing there just now */
	MEASURE_WORD_GONE,     /* the other end is closed */
	MEASURE_WORD_PROGRAM,  /* to the keeper: value is its pid; with its pidfd */
	MEASURE_WORD_ENDED, /* to the keeper: value is the wait status, text who sent its signal */
	MEASURE_WORD_TEXT,  /* to measure: a line for stderr */
	MEASURE_WORD_DOES,  /* to measure: what the keeper begins with, "the ... to be ..." */
	MEASURE_WORD_UNCLAIMED, /* to measure: the program did not use the segment; value: it was
				   given it */
	MEASURE_WORD_ANOTHER,   /* to measure: a keeper has died, the next one knows nothing yet */
	MEASURE_WORD_SAFE       /* to measure: nothing more to wait for */
};

#define MEASURE_CHANNEL_TEXT 4096

struct measure_message {
	uint32_t word; /* enum measure_word */
	int32_t value;
	int fd; /* -1: none; belongs to the receiver */
	char text[MEASURE_CHANNEL_TEXT];
};

/* Both ends are close-on-exec. */
measure_status_t measure_channel_open(int ends[2]);

/* Never blocks; a message to an end that is gone or does not read is lost. `fd` -1: none. `text`
 * NULL: none. */
void measure_channel_send(int channel, enum measure_word word, int32_t value, int fd,
	const char *text);

/* The next message, or MEASURE_WORD_NONE or _GONE. Never blocks. */
void measure_channel_receive(int channel, struct measure_message *message);

#endif
