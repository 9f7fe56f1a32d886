/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Round trips between two processes, and what follows from them. */
#include "config.h"

#include "ping_pong.h"

/* Whatever time there is: enough round trips on a slow network for a good comparison, and no more
 * than make a difference on a fast one. */
#define NR_TRIPS_MIN 12
#define NR_TRIPS_MAX 1000

/* Two clocks never drift apart faster: oscillators are good to 100 ppm each. Bounds grow by
 * it where a sample is carried to another moment. */
#define DRIFT_LIMIT 200e-6

struct ping_pong_request {
	uint64_t is_last;
};

/* As long as the request: both ways take the same path through the network. */
struct answer {
	uint64_t ticks;
};

/* One round trip; middle and duration on the asker's clock. */
struct trip {
	uint64_t middle;
	uint64_t duration;
	uint64_t answered;
};

struct measure_clock_estimate measure_clock_estimate_of_reference(void)
{
	const double frequency = measure_clock_frequency();

	return (struct measure_clock_estimate){
		.sample.ticks = measure_clock_now(),
		.own_frequency = frequency,
		.reference_frequency = frequency,
	};
}

measure_status_t measure_ping_pong_answer(const struct measure_transport *transport, uint32_t asker,
	const struct measure_clock_estimate *bearing)
{
	measure_status_t status;
	struct ping_pong_request request;
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
	const struct ping_pong_request request = {is_last};
	const uint64_t asked = measure_clock_now();
	measure_status_t status;
	struct answer answer;
	uint64_t back;

	status = transport->send(transport->context, &request, sizeof(request), answerer);
	if (status == MEASURE_OK)
		status = transport->receive(transport->context, &answer, sizeof(answer), answerer);
	back = measure_clock_now();
	if (status != MEASURE_OK)
		return status;
	/* A clock that was stepped back in between makes the trip worthless, not short. */
	trip->duration = back >= asked ? back - asked : UINT64_MAX;
	trip->middle = asked + (back - asked) / 2;
	trip->answered = answer.ticks;
	return MEASURE_OK;
}

/* The first trip also waits for the other side to come; time is counted from its end. */
static measure_status_t make_trips(const struct measure_transport *transport, uint32_t answerer,
	uint64_t enough, struct trip trips[NR_TRIPS_MAX], int *nr_trips)
{
	measure_status_t status = make_trip(transport, answerer, false, &trips[0]);
	const uint64_t start = measure_clock_now();
	bool is_last = false;
	int nr = 1;

	while (status == MEASURE_OK && !is_last) {
		is_last = nr == NR_TRIPS_MAX - 1 ||
			  (nr >= NR_TRIPS_MIN && measure_clock_now() - start > enough);
		status = make_trip(transport, answerer, is_last, &trips[nr++]);
	}
	*nr_trips = nr;
	return status;
}

static const struct trip *find_shortest(const struct trip *trips, int nr_trips)
{
	const struct trip *shortest = &trips[0];

	for (int i = 1; i < nr_trips; i++)
		if (trips[i].duration < shortest->duration)
			shortest = &trips[i];
	return shortest;
}

/* An offset: `base` ticks, and somewhere between `low` and `high` more. */
struct ping_pong_range {
	int64_t base;
	double low;
	double high;
};

/* The answer was made somewhere in its trip. What a trip says of the moment of the shortest
 * one is blurred by the drift between the two. `ratio`: the answerer's ticks per own tick. */
static struct ping_pong_range range_of(
	const struct trip *trip, const struct trip *shortest, double ratio)
{
	const int64_t base = (int64_t)(shortest->answered - shortest->middle);
	const double later = (double)(int64_t)(shortest->middle - trip->middle);
	const double centre =
		(double)((int64_t)(trip->answered - trip->middle) - base) + (ratio - 1) * later;
	const double half = ratio * (double)trip->duration / 2 * (1 + DRIFT_LIMIT) +
			    (later < 0 ? -later : later) * DRIFT_LIMIT;

	return (struct ping_pong_range){base, centre - half, centre + half};
}

/* All trips are true, so the offset lies in all their ranges: the quickest request and the
 * quickest answer count, also if they were not on the same trip. */
static struct ping_pong_range intersect(
	const struct trip *trips, int nr_trips, const struct trip *shortest, double ratio)
{
	const struct ping_pong_range first = range_of(shortest, shortest, ratio);
	struct ping_pong_range common = first;

	for (int i = 0; i < nr_trips; i++) {
		const struct ping_pong_range range = range_of(&trips[i], shortest, ratio);

		if (range.low > common.low)
			common.low = range.low;
		if (range.high < common.high)
			common.high = range.high;
	}
	/* A clock that was stepped: only one trip can be trusted. */
	return common.low <= common.high ? common : first;
}

/* The answerer's bearing was taken earlier and is carried on to the moment of the trip: by the
 * known ratio of the frequencies, and with room for the unknown rest. Bounds add up. */
static void derive(const struct ping_pong_range *range, const struct trip *trip,
	const struct measure_clock_estimate *answerer, struct measure_clock_estimate *own)
{
	const double scale = answerer->reference_frequency / answerer->own_frequency;
	const double age = (double)(int64_t)(trip->answered - answerer->sample.ticks);
	const double middle = (range->low + range->high) / 2 + age * (scale - 1);
	const double bound = (double)answerer->sample.bound +
			     (range->high - range->low) / 2 * scale +
			     (age < 0 ? -age : age) * answerer->drift;

	own->sample.ticks = trip->middle;
	own->sample.offset = range->base + answerer->sample.offset + (int64_t)middle;
	own->sample.bound = (uint64_t)bound + 2; /* both were cut */
	own->drift = DRIFT_LIMIT;
	own->reference_frequency = answerer->reference_frequency;
}

measure_status_t measure_ping_pong_ask(const struct measure_transport *transport, uint32_t answerer,
	double seconds, struct measure_clock_estimate *bearing)
{
	struct measure_clock_estimate other;
	struct trip trips[NR_TRIPS_MAX];
	const struct trip *shortest;
	struct ping_pong_range range;
	measure_status_t status;
	int nr_trips;

	bearing->own_frequency = measure_clock_frequency();
	status = make_trips(transport, answerer, (uint64_t)(seconds * bearing->own_frequency),
		trips, &nr_trips);
	if (status != MEASURE_OK)
		return status;
	status = transport->receive(transport->context, &other, sizeof(other), answerer);
	if (status != MEASURE_OK)
		return status;
	shortest = find_shortest(trips, nr_trips);
	if (shortest->duration == UINT64_MAX)
		return MEASURE_ERROR_UNSUPPORTED;
	range = intersect(trips, nr_trips, shortest, other.own_frequency / bearing->own_frequency);
	derive(&range, shortest, &other, bearing);
	return MEASURE_OK;
}
