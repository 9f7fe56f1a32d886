/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random events of all kinds, which a fold has no reason to expect; see t_random_events.h. */
#include "config.h"

#include "t_random_events.h"

#include "t_profile.h"

#define T_BEFORE_CALLS 200 /* of some threads */
#define T_UNKNOWN      UINT64_MAX

/* -------------------------------------------------------------------------- random --- */

struct t_model t_model;

static uint64_t state;

uint64_t t_random(uint64_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % limit;
}

void t_seed(uint64_t seed)
{
	state = seed * 0x9e3779b97f4a7c15u + 1;
	t_model = (struct t_model){.sends = 0};
}

bool t_chance(uint64_t of)
{
	return t_random(of) == 0;
}

/* Of a message or an operation. */
static uint64_t t_size(void)
{
	return t_chance(8) ? T_UNKNOWN : t_chance(8) ? 0 : t_random(100000);
}

/* -------------------------------------------------------------------------- events --- */

static void t_call(struct t_step *step)
{
	const bool is_enter = t_random(2);
	struct measure_event *event = &step->event;

	event->kind = is_enter ? MEASURE_EVENT_ENTER : MEASURE_EVENT_LEAVE;
	event->ref = (uint32_t)t_random(4);
	step->is_plain = !t_chance(6);
	if (step->is_plain)
		return;
	if (t_chance(3)) {
		event->kind = is_enter ? MEASURE_EVENT_CALLING_CONTEXT_ENTER
				       : MEASURE_EVENT_CALLING_CONTEXT_LEAVE;
		event->ref = t_chance(4) ? MEASURE_NONE : (uint32_t)t_random(2);
	}
	event->is_refused = t_random(2);
	step->attribute = (struct measure_record_attribute){.id = (uint32_t)t_random(3),
		.type = OTF2_TYPE_UINT64,
		.value.uint64 = t_random(5000)};
	step->record.nr_attributes = (uint32_t)t_random(2);
}

static void t_task(struct t_step *step)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_THREAD_TASK_CREATE,
		MEASURE_EVENT_THREAD_TASK_SWITCH, MEASURE_EVENT_THREAD_TASK_SWITCH,
		MEASURE_EVENT_THREAD_TASK_SWITCH, MEASURE_EVENT_THREAD_TASK_COMPLETE};
	struct measure_event *event = &step->event;
	uint32_t task;

	event->kind = kinds[t_random(5)];
	event->ref = t_chance(3) ? T_INNER_TEAM : T_TEAM;
	event->tag = (uint32_t)t_random(5);
	if (event->kind == MEASURE_EVENT_THREAD_TASK_COMPLETE && !t_chance(3)) {
		event->ref = t_model.team;
		event->tag = t_model.current;
	}
	task = 8 * event->ref + event->tag;
	if (event->kind == MEASURE_EVENT_THREAD_TASK_COMPLETE && event->tag > 0) {
		if (event->tag == t_model.current && event->ref == t_model.team)
			t_model.is_complete = true;
		else
			t_model.tasks &= ~(1u << task);
	}
	if (event->kind != MEASURE_EVENT_THREAD_TASK_SWITCH ||
		(event->tag == t_model.current && event->ref == t_model.team))
		return;
	if (event->tag > 0 && !(t_model.tasks & 1u << task) && t_model.nr_free > 0)
		t_model.nr_free--;
	if (t_model.is_complete) {
		t_model.nr_free++;
		t_model.tasks &= ~(1u << (8 * t_model.team + t_model.current));
	}
	if (event->tag > 0)
		t_model.tasks |= 1u << task;
	t_model.is_complete = false;
	t_model.current = event->tag;
	t_model.team = event->ref;
}

static void t_message(struct t_step *step)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_MPI_SEND, MEASURE_EVENT_MPI_ISEND,
		MEASURE_EVENT_MPI_ISEND, MEASURE_EVENT_MPI_RECV, MEASURE_EVENT_MPI_ISEND_COMPLETE,
		MEASURE_EVENT_MPI_REQUEST_CANCELLED, MEASURE_EVENT_RMA_PUT};
	static const uint32_t receivers[] = {0, 1, 7};
	struct measure_event *event = &step->event;

	event->kind = kinds[t_random(7)];
	event->ref = T_WORLD;
	event->peer = receivers[t_random(3)];
	event->number = t_random(16);
	event->sent = t_size();
	event->received = t_size();
	if (event->kind == MEASURE_EVENT_MPI_ISEND)
		t_model.sends |= 1u << event->number;
	else if (event->kind == MEASURE_EVENT_MPI_ISEND_COMPLETE ||
		 event->kind == MEASURE_EVENT_MPI_REQUEST_CANCELLED)
		t_model.sends &= ~(1u << event->number);
}

static void t_collective(struct t_step *step)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_MPI_COLLECTIVE_BEGIN,
		MEASURE_EVENT_MPI_COLLECTIVE_END, MEASURE_EVENT_RMA_COLLECTIVE_BEGIN,
		MEASURE_EVENT_RMA_COLLECTIVE_END, MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE};
	struct measure_event *event = &step->event;
	const uint64_t kind = t_random(5);

	event->kind = kinds[kind];
	event->ref = kind < 2 ? T_WORLD : MEASURE_NONE;
	event->op = (uint8_t)t_random(3);
	event->sent = t_size();
	event->received = t_size();
	if (kind == 0 || kind == 2)
		t_model.nr_collectives++;
	else if (kind < 4 && t_model.nr_collectives > 0)
		t_model.nr_collectives--;
}

/* Those of OpenMP come as records of two kinds. */
static void t_lock(struct t_step *step)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_THREAD_ACQUIRE_LOCK,
		MEASURE_EVENT_OMP_ACQUIRE_LOCK, MEASURE_EVENT_THREAD_RELEASE_LOCK,
		MEASURE_EVENT_OMP_RELEASE_LOCK};
	struct measure_event *event = &step->event;
	const uint64_t kind = t_random(4);

	event->kind = kinds[kind];
	event->op = OTF2_PARADIGM_PTHREAD;
	event->peer = (uint32_t)t_random(3);
	if (kind < 2)
		t_model.locks |= 1u << (event->peer + 8 * (kind % 2));
	else if (t_chance(2)) /* it may be held more than once: then this is no longer known */
		t_model.locks = 0;
	else
		t_model.locks &= ~(1u << (event->peer + 8 * (kind % 2)));
}

static void t_file(struct t_step *step)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_IO_CREATE_HANDLE,
		MEASURE_EVENT_IO_OPERATION_BEGIN, MEASURE_EVENT_IO_OPERATION_BEGIN,
		MEASURE_EVENT_IO_OPERATION_COMPLETE, MEASURE_EVENT_IO_OPERATION_CANCELLED};
	struct measure_event *event = &step->event;
	uint32_t operation;

	event->kind = kinds[t_random(5)];
	event->ref = (uint32_t)t_random(2);
	event->number = t_random(8);
	event->op = (uint8_t)t_random(3);
	event->sent = t_size();
	event->received = t_size();
	operation = 1u << (8 * event->ref + event->number);
	if (event->kind == MEASURE_EVENT_IO_OPERATION_BEGIN)
		t_model.operations |= operation;
	else if (event->kind != MEASURE_EVENT_IO_CREATE_HANDLE)
		t_model.operations &= ~operation;
}

static void t_metric(struct t_step *step)
{
	static const uint32_t classes[] = {T_COUNTERS, T_FIELDS, T_FIELDS, T_STRICT_GAUGES};
	struct measure_event *event = &step->event;

	event->kind = MEASURE_EVENT_METRIC;
	event->ref = classes[t_random(4)];
	event->peer = event->ref == T_FIELDS ? 2 : 1;
	step->items[0] = t_chance(10) ? t_random(UINT64_MAX) : event->time * 3 + t_random(50);
	step->items[1] = t_chance(10) ? t_random(UINT64_MAX) : t_random(1000);
	if (event->ref == T_FIELDS) {
		t_model.has_value = true;
		t_model.has_slices = false;
	} else {
		t_model.has_strict_value = true;
	}
}

/* `is_forking`: the thread may turn out to be no worker. */
static void t_other(struct t_step *step, bool is_forking)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_MEASUREMENT_ON_OFF,
		MEASURE_EVENT_MEASUREMENT_ON_OFF, MEASURE_EVENT_BUFFER_FLUSH,
		MEASURE_EVENT_THREAD_TEAM_BEGIN, MEASURE_EVENT_THREAD_TEAM_BEGIN,
		MEASURE_EVENT_THREAD_TEAM_END, MEASURE_EVENT_THREAD_TEAM_END,
		MEASURE_EVENT_PARAMETER_UNSIGNED_INT, MEASURE_EVENT_CALLING_CONTEXT_SAMPLE,
		MEASURE_EVENT_THREAD_FORK};
	struct measure_event *event = &step->event;

	event->kind = kinds[t_random(is_forking ? 10 : 9)];
	event->op = (uint8_t)(t_chance(3) ? OTF2_MEASUREMENT_OFF : OTF2_MEASUREMENT_ON);
	event->number = event->kind == MEASURE_EVENT_BUFFER_FLUSH ? event->time + t_random(100)
								  : t_random(5);
	event->ref = event->kind == MEASURE_EVENT_CALLING_CONTEXT_SAMPLE ? (uint32_t)t_random(2)
									 : T_ITERATION;
	step->is_skip = t_chance(100);
}

void t_next(struct t_step *step, uint64_t time, uint64_t style)
{
	const uint64_t what = t_random(100);

	*step = (struct t_step){.event.time = time};
	if (t_model.has_value && time > 0)
		t_model.has_slices = true;
	if (style % 3 == 0 && time < T_BEFORE_CALLS)
		t_other(step, false);
	else if (what < 45)
		t_call(step);
	else if (what < 60)
		t_task(step);
	else if (what < 68)
		t_message(step);
	else if (what < 74)
		t_collective(step);
	else if (what < 79)
		t_lock(step);
	else if (what < 84)
		t_file(step);
	else if (what < 92)
		t_metric(step);
	else
		t_other(step, style % 2);
}
