/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Round trips between two processes, and what follows from the shortest. */
#include "config.h"

#include "pair.h"

/* About 1 ms for a comparison, but enough round trips on a slow network for a good one
 * and no more than make a difference on a fast one. */
#define PAIR_SECONDS 1e-3
#define NR_TRIPS_MIN 12
#define NR_TRIPS_MAX 1000

/* Two clocks never drift apart faster: oscillators are good to 100 ppm each. Bounds grow by
 * it where a sample is carried to another moment. */
#define DRIFT_LIMIT 200e-6

struct request {
	uint64_t is_last;
};

/* As long as the request: both ways take the same path through the network. */
struct answer {
	uint64_t ticks;
};

/* One round trip, on the asker's clock but for `answered`. */
struct trip {
	uint64_t asked;
	uint64_t answered;
	uint64_t duration;
};

struct measure_bearing measure_bearing_of_reference(void)
{
	const double frequency = measure_clock_frequency();

	return (struct measure_bearing){
		.sample.ticks = measure_clock_now(),
		.own_frequency = frequency,
		.reference_frequency = frequency,
	};
}

measure_status_t measure_pair_answer(const struct measure_transport *transport, uint32_t asker,
	const struct measure_bearing *bearing)
{
	measure_status_t status;
	struct request request;
	struct answer answer;

	do {
		status = transport->receive(transport->context, &request, sizeof(request), asker);
		if (status != MEASURE_OK)
			return status;
		answer.ticks = measure_clock_now();
		status = transport->send(transport->context, &answer, sizeof(answer), asker);
		if (status != MEASURE_OK)
			return status;
	} while (!request.is_last);
	return transport->send(transport->context, bearing, sizeof(*bearing), asker);
}

static measure_status_t make_trip(const struct measure_transport *transport, uint32_t answerer,
	bool is_last, struct trip *trip)
{
	const struct request request = {is_last};
	measure_status_t status;
	struct answer answer;
	uint64_t back;

	trip->asked = measure_clock_now();
	status = transport->send(transport->context, &request, sizeof(request), answerer);
	if (status == MEASURE_OK)
		status = transport->receive(transport->context, &answer, sizeof(answer), answerer);
	back = measure_clock_now();
	if (status != MEASURE_OK)
		return status;
	trip->answered = answer.ticks;
	/* A clock that was stepped back in between makes the trip worthless, not short. */
	trip->duration = back >= trip->asked ? back - trip->asked : UINT64_MAX;
	return MEASURE_OK;
}

/* The first trip also waits for the other side to come; time is counted from its end. */
static measure_status_t find_shortest_trip(const struct measure_transport *transport,
	uint32_t answerer, double frequency, struct trip *shortest)
{
	const uint64_t enough = (uint64_t)(PAIR_SECONDS * frequency);
	measure_status_t status = make_trip(transport, answerer, false, shortest);
	uint64_t start = measure_clock_now();
	struct trip trip;
	bool is_last = false;

	for (int n = 1; status == MEASURE_OK && !is_last; n++) {
		const uint64_t now = measure_clock_now();

		is_last = n >= NR_TRIPS_MAX || (n >= NR_TRIPS_MIN && now - start > enough);
		status = make_trip(transport, answerer, is_last, &trip);
		if (status == MEASURE_OK && trip.duration < shortest->duration)
			*shortest = trip;
	}
	return status;
}

/* The answerer's clock showed `trip.answered` somewhere in the trip; most likely in its
 * middle, and never further from it than half the trip. Its bearing was taken earlier and is
 * carried on to that moment: by the known ratio of the frequencies, and with room for the
 * unknown rest. Bounds add up. */
static void derive(const struct trip *trip, const struct measure_bearing *answerer,
	struct measure_bearing *own)
{
	const double half = (double)trip->duration / 2;
	const double age = (double)(int64_t)(trip->answered - answerer->sample.ticks);
	const double scale = answerer->reference_frequency / answerer->own_frequency;
	const double speed = own->reference_frequency / own->own_frequency;
	const int64_t middle = (int64_t)(trip->asked + trip->duration / 2);
	const int64_t to_answerer = (int64_t)trip->answered - middle;
	const double bound = (double)answerer->sample.bound + half * (speed > 1 ? speed : 1) +
			     (age < 0 ? -age : age) * answerer->drift + half * DRIFT_LIMIT;

	own->sample.ticks = (uint64_t)middle;
	own->sample.offset = to_answerer + answerer->sample.offset + (int64_t)(age * (scale - 1));
	own->sample.bound = (uint64_t)bound + 2; /* both were cut */
	own->drift = DRIFT_LIMIT;
}

measure_status_t measure_pair_ask(const struct measure_transport *transport, uint32_t answerer,
	struct measure_bearing *bearing)
{
	struct measure_bearing other;
	struct trip shortest;
	measure_status_t status;

	bearing->own_frequency = measure_clock_frequency();
	status = find_shortest_trip(transport, answerer, bearing->own_frequency, &shortest);
	if (status != MEASURE_OK)
		return status;
	status = transport->receive(transport->context, &other, sizeof(other), answerer);
	if (status != MEASURE_OK)
		return status;
	if (shortest.duration == UINT64_MAX)
		return MEASURE_ERROR_UNSUPPORTED;
	bearing->reference_frequency = other.reference_frequency;
	derive(&shortest, &other, bearing);
	return MEASURE_OK;
}
