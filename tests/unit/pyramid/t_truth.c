/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random events and what they mean; see t_truth.h. */
#include "config.h"

#include "t_truth.h"

#include <CUnit/CUnit.h>
#include <string.h>

#define MOST_TASKS 4 /* at a time; 0 is the implicit one */

struct t_stack {
	uint32_t regions[T_DEPTH];
	uint32_t depth;
	uint32_t number; /* of a task; 0: there is none */
};

struct t_location t_truth[T_NR_LOCATIONS];

/* The location that is being written. */
static struct {
	uint32_t location;
	uint64_t time, stop;
	struct t_stack stacks[MOST_TASKS];
	uint32_t current, last_number;
	bool is_off, is_flushing;
} now;
static uint64_t state;

void t_seed(uint64_t seed)
{
	state = seed * 2654435761u + 88172645463325252u;
}

uint64_t t_random(uint64_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % limit;
}

uint32_t t_region(const struct t_step *step)
{
	return step->depth ? step->chain[step->depth - 1] : (uint32_t)MEASURE_PSEUDO_NO_REGION;
}

static struct t_step *add_step(uint64_t time)
{
	struct t_location *truth = &t_truth[now.location];
	const struct t_stack *stack = &now.stacks[now.current];
	struct t_step *step = &truth->steps[truth->nr_steps++];

	*step = (struct t_step){.time = time};
	if (now.current > 0)
		step->chain[step->depth++] = MEASURE_PSEUDO_TASKS;
	for (uint32_t i = 0; i < stack->depth; i++)
		step->chain[step->depth++] =
			stack->regions[i] == T_G_AGAIN ? T_G : stack->regions[i];
	if (now.is_off)
		step->chain[step->depth++] = MEASURE_PSEUDO_RECORDING_OFF;
	return step;
}

/* A flush is over at its end, or with the next event. */
static void end_flush(void)
{
	struct t_location *truth = &t_truth[now.location];

	if (now.is_flushing && now.stop < now.time)
		add_step(now.stop);
	else if (now.is_flushing && truth->steps[truth->nr_steps - 1].time == now.time)
		truth->nr_steps--;
	now.is_flushing = false;
}

static void enter(struct t_stack *stack)
{
	const uint32_t region = (uint32_t)t_random(T_TASK + 1);

	T_ENTER(now.location, now.time, region);
	stack->regions[stack->depth++] = region;
}

/* Mostly of the innermost region; else of one that may be open or not. */
static void leave(struct t_stack *stack)
{
	uint32_t region = (uint32_t)t_random(T_TASK + 1), depth = stack->depth;

	if (stack->depth > 0 && t_random(20) > 0)
		region = stack->regions[stack->depth - 1];
	T_LEAVE(now.location, now.time, region);
	while (depth > 0 && stack->regions[depth - 1] != region)
		depth--;
	if (depth > 0)
		stack->depth = depth - 1;
}

static void switch_task(void)
{
	const uint32_t next = (uint32_t)t_random(MOST_TASKS);

	if (next > 0 && now.stacks[next].number == 0)
		now.stacks[next] = (struct t_stack){.number = ++now.last_number};
	T_EVENT(ThreadTaskSwitch, now.location, now.time, T_TEAM, 0, now.stacks[next].number);
	now.current = next;
}

/* The task that runs is over, and the implicit one goes on. */
static void complete_task(void)
{
	struct t_stack *task = &now.stacks[now.current];

	T_EVENT(ThreadTaskComplete, now.location, now.time, T_TEAM, 0, task->number);
	add_step(now.time)->is_event = true;
	T_EVENT(ThreadTaskSwitch, now.location, now.time, T_TEAM, 0, 0);
	task->number = 0;
	now.current = 0;
}

static void flush(void)
{
	struct t_step *step;

	now.stop = now.time + t_random(40);
	T_EVENT(BufferFlush, now.location, now.time, now.stop);
	add_step(now.time)->is_event = true;
	if (now.stop <= now.time)
		return;
	now.is_flushing = true;
	step = add_step(now.time);
	if (now.is_off) /* it is a child of the call */
		step->depth--;
	step->chain[step->depth++] = MEASURE_PSEUDO_BUFFER_FLUSH;
}

static void send(struct t_step *step)
{
	if (t_random(2)) {
		step->is_send = true;
		step->bytes = t_random(1000);
		T_EVENT(MpiSend, now.location, now.time, now.location == 0, T_WORLD, 7,
			step->bytes);
	} else {
		step->is_receive = true;
		T_EVENT(MpiRecv, now.location, now.time, now.location == 0, T_WORLD, 7, 5);
	}
}

static void switch_recording(void)
{
	now.is_off = !now.is_off;
	T_EVENT(MeasurementOnOff, now.location, now.time,
		now.is_off ? OTF2_MEASUREMENT_OFF : OTF2_MEASUREMENT_ON);
}

static void write_event(void)
{
	struct t_stack *stack = &now.stacks[now.current];
	const uint64_t choice = t_random(100);
	const uint32_t depth = stack->depth;
	struct t_step *step;

	end_flush();
	if (choice < 4) {
		flush();
		return;
	}
	if (choice < 8)
		switch_task();
	else if (choice < 10 && now.current > 0)
		complete_task();
	else if (choice < 14)
		switch_recording();
	else if (choice < 55 && stack->depth < T_DEPTH)
		enter(stack);
	else if (choice < 92 || now.location == 1)
		leave(stack);
	step = add_step(now.time);
	step->is_event = true;
	step->is_call = choice >= 14 && choice < 55 && depth < T_DEPTH && !now.is_off;
	if (choice >= 92 && now.location != 1)
		send(step);
}

static uint64_t duration(uint64_t step)
{
	switch (t_random(8)) {
	case 0:
		return 0;
	case 1:
		return step * t_random(20);
	default:
		return t_random(step);
	}
}

static void write_location(uint32_t location, uint64_t start, uint64_t step, uint64_t nr)
{
	struct t_location *truth = &t_truth[location];

	memset(&now, 0, sizeof(now));
	now.location = location;
	now.time = start + t_random(step);
	truth->nr_steps = 0;
	truth->nr_events = 0;
	for (uint64_t i = 0; i < nr; i++) {
		write_event();
		now.time += duration(step);
	}
	truth->nr_steps -= now.is_flushing; /* nothing has come after it */
	for (size_t i = 0; i < truth->nr_steps; i++)
		truth->nr_events += truth->steps[i].is_event;
}

void t_write_random(uint64_t start, uint64_t step, uint64_t most)
{
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++)
		write_location(i, start + step * t_random(50), step, t_random(most + 1));
}
