/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of the Fortran module `measure`: Fortran has no way to call what may not be there, so
 * these functions are always there, and call measure.h. To be compiled into the program beside
 * measure.f90. */
#include <measure.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 1024

/* Names that Fortran gives have a length and may end in blanks. */
static const char *text_of(const char *text, int length, char *copy)
{
	if (length >= LONGEST)
		length = LONGEST - 1;
	while (length > 0 && text[length - 1] == ' ')
		length--;
	memcpy(copy, text, (size_t)length);
	copy[length] = '\0';
	return copy;
}

struct measure_site *measure_fortran_find(const char *name, int length, int kind);
struct measure_site *measure_fortran_find(const char *name, int length, int kind)
{
	char copy[LONGEST];

	if (!measure_recording())
		return NULL;
	return measure_site_find(text_of(name, length, copy), (uint32_t)kind);
}

void measure_fortran_begin(struct measure_site *site);
void measure_fortran_begin(struct measure_site *site)
{
	if (site)
		measure_site_begin(site);
}

void measure_fortran_end(struct measure_site *site);
void measure_fortran_end(struct measure_site *site)
{
	if (site)
		measure_site_end(site);
}

void measure_fortran_phase_end(struct measure_site *site);
void measure_fortran_phase_end(struct measure_site *site)
{
	if (site)
		measure_user_phase_ends(site);
}

void measure_fortran_iteration(struct measure_site *site, int64_t number);
void measure_fortran_iteration(struct measure_site *site, int64_t number)
{
	if (site)
		measure_iteration_begin(site, (uint64_t)number);
}

void measure_fortran_int64(struct measure_site *site, int64_t value);
void measure_fortran_int64(struct measure_site *site, int64_t value)
{
	if (site)
		measure_value_int64(site, value);
}

void measure_fortran_double(struct measure_site *site, double value);
void measure_fortran_double(struct measure_site *site, double value)
{
	if (site)
		measure_value_double(site, value);
}

void measure_fortran_string(struct measure_site *site, const char *value, int length);
void measure_fortran_string(struct measure_site *site, const char *value, int length)
{
	char copy[LONGEST];

	if (site)
		measure_value_string(site, text_of(value, length, copy));
}

/* On its first use only; the copy lives as long as the site, for ever. */
static void set_unit(struct measure_site *site, const char *unit, int length)
{
	char copy[LONGEST];

	if (!site->id && !site->text)
		site->text = strdup(text_of(unit, length, copy));
}

void measure_fortran_metric_int64(
	struct measure_site *site, const char *unit, int length, int64_t value);
void measure_fortran_metric_int64(
	struct measure_site *site, const char *unit, int length, int64_t value)
{
	if (!site)
		return;
	set_unit(site, unit, length);
	measure_metric_int64(site, value);
}

void measure_fortran_metric_double(
	struct measure_site *site, const char *unit, int length, double value);
void measure_fortran_metric_double(
	struct measure_site *site, const char *unit, int length, double value)
{
	if (!site)
		return;
	set_unit(site, unit, length);
	measure_metric_double(site, value);
}

void measure_fortran_marker(
	const char *category, int category_length, const char *text, int length, int severity);
void measure_fortran_marker(
	const char *category, int category_length, const char *text, int length, int severity)
{
	char copy[LONGEST], category_copy[LONGEST];

	if (measure_recording())
		measure_marker(text_of(category, category_length, category_copy),
			text_of(text, length, copy), (enum measure_severity)severity);
}

void measure_fortran_switch(int is_on);
void measure_fortran_switch(int is_on)
{
	if (is_on)
		measure_recording_on();
	else
		measure_recording_off();
}

int measure_fortran_recording(void);
int measure_fortran_recording(void)
{
	return measure_recording();
}

void measure_fortran_flush(void);
void measure_fortran_flush(void)
{
	measure_flush();
}

void measure_fortran_snapshot(void);
void measure_fortran_snapshot(void)
{
	measure_snapshot();
}

void measure_fortran_cartesian(const char *name, int length, int nr, const uint32_t *sizes,
	const uint32_t *are_periodic, const uint32_t *coordinates);
void measure_fortran_cartesian(const char *name, int length, int nr, const uint32_t *sizes,
	const uint32_t *are_periodic, const uint32_t *coordinates)
{
	char copy[LONGEST];

	if (measure_recording())
		measure_cartesian(text_of(name, length, copy), (uint32_t)nr, sizes, are_periodic,
			coordinates);
}

int64_t measure_fortran_task_create(struct measure_site *site, const struct measure_task_info *info);
int64_t measure_fortran_task_create(struct measure_site *site, const struct measure_task_info *info)
{
	return site ? (int64_t)measure_task_create(site, info) : 0;
}

void measure_fortran_task_access(int64_t task, int access, const void *data);
void measure_fortran_task_access(int64_t task, int access, const void *data)
{
	measure_task_access((uint64_t)task, (enum measure_access)access, (uintptr_t)data);
}

void measure_fortran_task_dependence(int64_t task, int64_t before);
void measure_fortran_task_dependence(int64_t task, int64_t before)
{
	measure_task_dependence((uint64_t)task, (uint64_t)before);
}

void measure_fortran_task_ready(int64_t task);
void measure_fortran_task_ready(int64_t task)
{
	measure_task_ready((uint64_t)task);
}

void measure_fortran_task_begin(struct measure_site *site, int64_t task);
void measure_fortran_task_begin(struct measure_site *site, int64_t task)
{
	if (site)
		measure_task_begin(site, (uint64_t)task);
}

void measure_fortran_task_end(struct measure_site *site, int64_t task);
void measure_fortran_task_end(struct measure_site *site, int64_t task)
{
	if (site)
		measure_task_end(site, (uint64_t)task);
}

void measure_fortran_task_access_data(int64_t task, int access, int64_t data);
void measure_fortran_task_access_data(int64_t task, int access, int64_t data)
{
	measure_task_access((uint64_t)task, (enum measure_access)access, (uint64_t)data);
}

void measure_fortran_task_send(int64_t task, int rank);
void measure_fortran_task_send(int64_t task, int rank)
{
	measure_task_send((uint64_t)task, (uint32_t)rank);
}

void measure_fortran_task_receive(int64_t task, int rank);
void measure_fortran_task_receive(int64_t task, int rank)
{
	measure_task_receive((uint64_t)task, (uint32_t)rank);
}

void measure_fortran_task_complete(int64_t task);
void measure_fortran_task_complete(int64_t task)
{
	measure_task_complete((uint64_t)task);
}

/* ---------------------------------------------------------------------------- data --- */

/* Without bytes, if there are -1. */
int64_t measure_fortran_data_register(
	const char *name, int length, int64_t bytes, const int64_t *coordinates, int nr);
int64_t measure_fortran_data_register(
	const char *name, int length, int64_t bytes, const int64_t *coordinates, int nr)
{
	char copy[LONGEST];
	const struct measure_data_info info = {.fields = bytes >= 0 ? MEASURE_DATA_HAS_BYTES : 0,
		.bytes = (uint64_t)bytes,
		.name = text_of(name, length, copy),
		.coordinates = (const uint64_t *)coordinates,
		.nr_coordinates = (uint32_t)nr};

	return (int64_t)measure_data_register(&info);
}

void measure_fortran_data_unregister(int64_t data);
void measure_fortran_data_unregister(int64_t data)
{
	measure_data_unregister((uint64_t)data);
}

void measure_fortran_worker(int number, const char *class_name, int length);
void measure_fortran_worker(int number, const char *class_name, int length)
{
	char copy[LONGEST];
	const struct measure_worker_info info = {.fields = MEASURE_WORKER_HAS_NUMBER,
		.number = (uint32_t)number,
		.class_name = text_of(class_name, length, copy)};

	measure_worker(&info);
}
