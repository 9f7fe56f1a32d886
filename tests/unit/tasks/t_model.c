/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random programs of tasks and what follows from them; see t_model.h. */
#include "config.h"

#include "t_model.h"

#include <string.h>

#define BIT(task) (UINT64_C(1) << (task))

static const uint32_t workers[2][3] = {{T_CPU0, T_CPU1, T_DEVICE}, {T_CPU2, T_THREAD, T_CPU2}};
static const uint32_t submitters[2][2] = {{T_SUBMITTER, T_DEVICE}, {T_SUBMITTER1, T_CPU2}};

struct t_model_task t_model[T_MOST_TASKS];
uint32_t t_nr_model;

static uint64_t clocks[T_NR_LOCATIONS];
static bool is_registered[T_NR_DATA];

/* ------------------------------------------------------------------------- making --- */

/* Mostly as the task before has used it, so that there are groups. */
static void make_accesses(struct t_model_task *task, uint8_t *last_modes)
{
	for (uint32_t d = 0; d < T_NR_DATA; d++) {
		task->modes[d] = T_NO_ACCESS;
		if (t_random(2))
			continue;
		if (t_random(12) == 0)
			last_modes[d] = (uint8_t)t_random(MEASURE_NR_TASK_MODES);
		task->modes[d] = last_modes[d];
	}
}

/* The sends of a process to the other one, in order, have the receives there, in order. */
static void make_exchanges(void)
{
	for (uint32_t i = 1; i < t_nr_model; i++) {
		const uint32_t send = (uint32_t)t_random(i);

		if (t_random(6) > 0 || t_model[send].process == t_model[i].process ||
			t_model[send].exchange || t_model[i].exchange)
			continue;
		t_model[send].exchange = MEASURE_TASK_SENDS;
		t_model[i].exchange = MEASURE_TASK_RECEIVES;
	}
	for (uint32_t from = 0; from < 2; from++)
		for (uint32_t i = 0, r = 0; i < t_nr_model; i++) {
			if (t_model[i].exchange != MEASURE_TASK_SENDS || t_model[i].process != from)
				continue;
			while (t_model[r].exchange != MEASURE_TASK_RECEIVES ||
				t_model[r].process == from)
				r++;
			t_model[i].partner = r;
			t_model[r++].partner = i;
		}
}

static void make_task(uint32_t index, uint8_t last_modes[2][T_NR_DATA])
{
	struct t_model_task *task = &t_model[index];

	*task = (struct t_model_task){.process = (uint32_t)t_random(2), .partner = T_MOST_TASKS};
	make_accesses(task, last_modes[task->process]);
	for (uint32_t i = 0; i < index; i++) {
		task->number += t_model[i].process == task->process;
		if (t_model[i].process == task->process && t_random(12) == 0)
			task->declared |= BIT(i);
	}
	task->number++;
	task->codelet = (uint32_t)t_random(3);
}

static void make_execution(struct t_model_task *task)
{
	const uint64_t kind = t_random(10);

	task->is_executed = !task->exchange && kind > 1;
	task->is_over = task->exchange || kind > 0;
	task->worker = workers[task->process][t_random(3)];
	task->executed = task->is_executed ? t_random(50) : 0;
}

/* ------------------------------------------------------------------------ writing --- */

/* An access may be told as two that come to the same. */
static void write_access(uint32_t location, uint64_t time, uint32_t data, uint8_t mode)
{
	const uint64_t handle = 100 + data;

	if (mode == MEASURE_TASK_ACCESS_RW && t_random(2)) {
		t_fact(location, time, T_ACCESS_IN, handle);
		t_fact(location, time, t_random(2) ? T_ACCESS_OUT : T_ACCESS_MUTEXINOUTSET, handle);
	} else {
		for (uint64_t i = t_random(3); i < 3; i += 2)
			t_fact(location, time, (enum t_parameter)(T_ACCESS_IN + mode), handle);
	}
}

static void write_creation(uint32_t index)
{
	const struct t_model_task *task = &t_model[index];
	const uint32_t location = submitters[task->process][t_random(2)];
	const uint64_t time = 1000 + 10 * index;

	/* each message has a tag of its own, since they get ready in any order */
	t_create_with(location, time, task->number, task->codelet, UINT64_MAX,
		task->exchange == MEASURE_TASK_RECEIVES ? task->partner : index, 0);
	for (uint32_t d = 0; d < T_NR_DATA; d++)
		if (task->modes[d] != T_NO_ACCESS)
			write_access(location, time, d, task->modes[d]);
	for (uint32_t i = 0; i < index; i++)
		if (task->declared & BIT(i))
			t_fact(location, time, T_DEPENDENCE, t_model[i].number);
	if (task->exchange)
		t_fact(location, time, task->exchange == MEASURE_TASK_SENDS ? T_SEND : T_RECEIVE,
			1 - task->process);
}

static void write_execution(struct t_model_task *task)
{
	uint64_t *clock = &clocks[task->worker];

	*clock += t_random(20);
	task->ready = *clock;
	if (task->exchange)
		t_fact(task->worker, *clock, T_READY, task->number);
	if (task->is_executed) {
		t_switch(task->worker, *clock, task->number);
		*clock += task->executed;
		t_complete(task->worker, *clock, task->number);
		t_switch(task->worker, *clock, 0);
	} else if (task->is_over) {
		*clock += t_random(50);
		t_complete(task->worker, *clock, task->number);
	}
	task->end = *clock;
}

/* --------------------------------------------------------------------- definitions --- */

static bool is_shared(uint8_t mode)
{
	return mode != MEASURE_TASK_ACCESS_W && mode != MEASURE_TASK_ACCESS_RW;
}

static bool is_conflict(uint8_t mode, uint8_t other)
{
	return mode != T_NO_ACCESS && other != T_NO_ACCESS && !(mode == other && is_shared(mode));
}

/* Those that used the data before: the last that conflict, up to one that these conflict with. */
static uint64_t direct_of(uint32_t task, uint32_t data)
{
	const uint8_t mode = t_model[task].modes[data];
	uint8_t other = T_NO_ACCESS;
	uint64_t direct = 0;

	for (uint32_t i = task; i-- > 0;) {
		const uint8_t earlier = t_model[i].modes[data];

		if (t_model[i].process != t_model[task].process || earlier == T_NO_ACCESS)
			continue;
		if (other == T_NO_ACCESS && !is_conflict(mode, earlier))
			continue;
		if (other != T_NO_ACCESS && is_conflict(other, earlier))
			break;
		other = earlier;
		direct |= BIT(i);
	}
	return direct;
}

static void define_task(uint32_t index)
{
	struct t_model_task *task = &t_model[index];

	for (uint32_t d = 0; d < T_NR_DATA; d++) {
		if (task->modes[d] == T_NO_ACCESS)
			continue;
		task->direct |= direct_of(index, d);
		for (uint32_t i = 0; i < index; i++)
			if (t_model[i].process == task->process &&
				is_conflict(task->modes[d], t_model[i].modes[d]))
				task->conflicts |= BIT(i);
	}
	if (task->exchange == MEASURE_TASK_RECEIVES) {
		task->direct |= BIT(task->partner);
		task->conflicts |= BIT(task->partner);
	}
	task->direct |= task->declared;
	task->conflicts |= task->declared;
	task->reach = task->conflicts;
	for (uint32_t i = 0; i < index; i++)
		if (task->conflicts & BIT(i))
			task->reach |= t_model[i].reach;
}

void t_model_make(uint64_t seed)
{
	uint8_t last_modes[2][T_NR_DATA] = {{0}, {0}};

	t_seed(seed);
	t_nr_model = 1 + (uint32_t)t_random(T_MOST_TASKS);
	t_begin();
	for (uint32_t d = 0; d < T_NR_DATA; d++) {
		is_registered[d] = t_random(2);
		for (uint32_t p = 0; is_registered[d] && p < 2; p++)
			t_fact(submitters[p][0], 1, T_DATA_REGISTER, 100 + d);
	}
	for (uint32_t i = 0; i < t_nr_model; i++)
		make_task(i, last_modes);
	make_exchanges();
	for (uint32_t i = 0; i < t_nr_model; i++)
		write_creation(i);
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++)
		clocks[i] = 10000;
	for (uint32_t i = 0; i < t_nr_model; i++) {
		make_execution(&t_model[i]);
		write_execution(&t_model[i]);
		define_task(i);
	}
}

/* -------------------------------------------------------------------------- paths --- */

/* 0 "OpenCL", 1 "CPU", 2 "thread" */
static uint32_t class_of(const struct t_model_task *task)
{
	return task->worker == T_DEVICE ? 0 : task->worker == T_THREAD ? 2 : 1;
}

uint64_t t_model_duration(uint32_t index, enum measure_task_durations durations)
{
	const struct t_model_task *task = &t_model[index];
	double sums[3] = {0}, counts[3] = {0}, least = 0;

	if (durations == MEASURE_TASK_DURATIONS_OBSERVED)
		return task->executed;
	for (uint32_t i = 0; i < t_nr_model; i++)
		if (t_model[i].is_executed && t_model[i].codelet == task->codelet) {
			sums[class_of(&t_model[i])] += (double)t_model[i].executed;
			counts[class_of(&t_model[i])]++;
		}
	for (int c = 0; c < 3; c++)
		if (sums[c] > 0 && (least == 0 || sums[c] / counts[c] < least))
			least = sums[c] / counts[c];
	return (uint64_t)(least + 0.5);
}

uint64_t t_model_message(uint32_t send, uint32_t receive)
{
	const uint64_t a = t_model[send].ready, b = t_model[receive].ready;
	const uint64_t from = a > b ? a : b;

	return t_model[receive].end > from ? t_model[receive].end - from : 0;
}

uint64_t t_model_path(enum measure_task_durations durations, bool has_messages)
{
	uint64_t ends[T_MOST_TASKS] = {0}, longest = 0;
	bool is_changed = true;

	while (is_changed) {
		is_changed = false;
		for (uint32_t i = 0; i < t_nr_model; i++)
			for (uint32_t j = 0; j <= i; j++) {
				const bool is_message =
					has_messages && t_model[i].partner == j &&
					t_model[i].exchange == MEASURE_TASK_RECEIVES;
				const uint64_t end = (t_model[i].reach & BIT(j) ? ends[j] : 0) +
						     (is_message ? t_model_message(j, i) : 0) +
						     t_model_duration(i, durations);

				is_changed |= end > ends[i];
				if (end > ends[i])
					ends[i] = end;
			}
	}
	for (uint32_t i = 0; i < t_nr_model; i++)
		if (ends[i] > longest)
			longest = ends[i];
	return longest;
}

uint32_t t_model_last_before(uint32_t task)
{
	uint32_t last = T_MOST_TASKS;

	for (uint32_t i = 0; i < task; i++) {
		uint32_t found = i;

		if (!(t_model[task].direct & BIT(i)))
			continue;
		if (!t_model[i].is_executed && !t_model[i].exchange)
			found = t_model_last_before(i);
		if (found != T_MOST_TASKS &&
			(last == T_MOST_TASKS || t_model[found].end > t_model[last].end))
			last = found;
	}
	return last;
}
