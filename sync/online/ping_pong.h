/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two processes compare their clocks: Cristian's method. The one who asks sends a request,
 * the other answers with its time, and the answer was made somewhere between sending and
 * receiving. Many round trips together leave little room. */
#ifndef MEASURE_SYNC_ONLINE_PING_PONG_H
#define MEASURE_SYNC_ONLINE_PING_PONG_H

#include "adapter.h"

/* What a process knows of the reference clock. Sent as it is: a job's processes have one
 * byte order. */
struct measure_clock_estimate {
	struct measure_clock_sample sample;
	double own_frequency; /* ticks per second */
	double reference_frequency;
	double drift; /* how fast the sample may become wrong, ticks per tick */
};

/* The process whose clock is the reference. */
struct measure_clock_estimate measure_clock_estimate_of_reference(void);

/* Both sides of one comparison. The asker takes its bearing from that of the answerer, in about
 * `seconds`. */
measure_status_t measure_ping_pong_answer(const struct measure_transport *transport, uint32_t asker,
	const struct measure_clock_estimate *bearing);
measure_status_t measure_ping_pong_ask(const struct measure_transport *transport, uint32_t answerer,
	double seconds, struct measure_clock_estimate *bearing);

#endif
