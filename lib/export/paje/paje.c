/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes a Paje file: all locations at a time, in the order of time, so that readers need not sort.
 * States are calls on a stack, or the class of the innermost call alone. */
#include "config.h"

#include "paje.h"

#include <inttypes.h>
#include <math.h>

#include "export/conversion/output_file.h"
#include "trace/stream/stream.h"

/* Classes of the calls that are open on a location. */
struct paje_stack {
	MEASURE_GROWING(uint8_t, classes);
	uint8_t shown; /* one more than the class that has been written; 0: none */
};

struct paje_writer {
	struct paje_file file;
	struct paje_marks marks;
	struct paje_stack *stacks; /* by location */
};

static void write_line_begin(
	struct paje_file *file, enum paje_event event, const struct measure_conversion_item *item)
{
	fprintf(file->out, "%d", event);
	paje_write_time(file->out, item->ns);
	if (item->ns > file->last_ns)
		file->last_ns = item->ns;
}

/* -------------------------------------------------------------------------- calls --- */

static void write_call(struct paje_writer *writer, const struct measure_conversion_item *item)
{
	const bool is_begin = item->kind == MEASURE_CONVERSION_BEGIN;
	struct paje_file *file = &writer->file;

	write_line_begin(file, is_begin ? PAJE_PUSH_STATE : PAJE_POP_STATE, item);
	fprintf(file->out, " S " PAJE_THREAD "%" PRIu32, item->location);
	if (is_begin)
		fprintf(file->out, " R%" PRIu32,
			measure_conversion_region(file->conversion, item->path));
	putc('\n', file->out);
}

static void write_class(struct paje_writer *writer, const struct measure_conversion_item *item)
{
	const struct measure_conversion *conversion = writer->file.conversion;
	struct paje_stack *stack = &writer->stacks[item->location];
	uint8_t class = MEASURE_STATE_OUTSIDE;

	if (item->kind == MEASURE_CONVERSION_BEGIN)
		*measure_append(stack, classes) = (uint8_t)measure_state_class_of(
			writer->file.classes, conversion->definitions,
			measure_conversion_region(conversion, item->path));
	else if (stack->nr_classes > 0)
		stack->nr_classes--;
	if (stack->nr_classes > 0)
		class = stack->classes[stack->nr_classes - 1];
	if (stack->shown == class + 1)
		return;
	stack->shown = (uint8_t)(class + 1);
	write_line_begin(&writer->file, PAJE_SET_STATE, item);
	fprintf(writer->file.out, " S " PAJE_THREAD "%" PRIu32 " R%u\n", item->location, class);
}

/* ------------------------------------------------------------------------ metrics --- */

static void write_metrics(struct paje_file *file, const struct measure_conversion_item *item)
{
	struct measure_conversion_value value;

	for (uint32_t i = 0; measure_conversion_value(file->conversion, item, i, &value); i++) {
		if (!value.member || !isfinite(value.real)) /* readers take no "nan" for a number */
			continue;
		write_line_begin(file, PAJE_SET_VARIABLE, item);
		fprintf(file->out, " V%" PRIu32 " " PAJE_THREAD "%" PRIu32, value.number,
			item->location);
		if (value.is_integer)
			fprintf(file->out, " %" PRId64 "\n", value.integer);
		else
			fprintf(file->out, " %.17g\n", value.real);
	}
}

/* ----------------------------------------------------------------------- the file --- */

static void write_item(struct paje_writer *writer, const struct measure_conversion_item *item)
{
	paje_marks_write(&writer->marks, &writer->file, item->ns);
	if (item->kind == MEASURE_CONVERSION_RECORD) {
		if (item->event->kind == MEASURE_EVENT_METRIC)
			write_metrics(&writer->file, item);
	} else if (writer->file.conversion->options->is_flat) {
		write_class(writer, item);
	} else {
		write_call(writer, item);
	}
}

static measure_status_t write_items(struct paje_writer *writer)
{
	struct measure_merged_reader *reader = measure_merged_open(writer->file.conversion);
	const struct measure_conversion_item *item;

	while (!ferror(writer->file.out) && (item = measure_merged_next(reader)))
		write_item(writer, item);
	writer->file.conversion->is_stopped = ferror(writer->file.out);
	return measure_merged_close(reader);
}

static void free_stacks(struct paje_writer *writer)
{
	for (size_t i = 0; i < writer->file.conversion->definitions->nr_locations; i++)
		measure_free(writer->stacks[i].classes);
	measure_free(writer->stacks);
}

static measure_status_t write_file(struct paje_writer *writer)
{
	const struct measure_definitions *definitions = writer->file.conversion->definitions;
	const measure_status_t found = paje_marks_find(&writer->marks, writer->file.conversion);
	measure_status_t read;

	writer->stacks = measure_zeroed(definitions->nr_locations, sizeof(*writer->stacks));
	paje_begin(&writer->file);
	read = write_items(writer);
	paje_marks_write(&writer->marks, &writer->file, UINT64_MAX);
	paje_end(&writer->file);
	free_stacks(writer);
	paje_marks_free(&writer->marks);
	return found == MEASURE_OK ? read : found;
}

measure_status_t measure_export_paje(struct measure_conversion *conversion, const char *path)
{
	struct measure_output_file output;
	measure_status_t status = measure_output_file_open(&output, path), written;

	if (status != MEASURE_OK)
		return status;
	status = write_file(
		&(struct paje_writer){.file = {.conversion = conversion, .out = output.file}});
	/* what cannot be read is left out: the file is good without it */
	written = measure_output_file_close(&output, true);
	return written == MEASURE_OK ? status : written;
}
