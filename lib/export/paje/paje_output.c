/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How lines of Paje are written: header, names, times, colours. */
#include "config.h"

#include "paje_output.h"

#include <inttypes.h>

#include "base/printable.h"

void paje_write_header(FILE *out)
{
#define FIELD(Name, type) fputs("%\t" #Name " " #type "\n", out);
#define EVENT(NAME, Name, fields)                                                                  \
	fprintf(out, "%%EventDef Paje" #Name " %d\n", PAJE_##NAME);                                \
	fields fputs("%EndEventDef\n", out);
#include "paje_events.def"
#undef EVENT
#undef FIELD
}

void paje_write_name(FILE *out, const char *name)
{
	size_t nr = 0;

	putc('"', out);
	while (*name) {
		const size_t length = (unsigned char)*name < 0x80 ? 1 : measure_utf8_length(name);

		if (nr + length > PAJE_MOST_NAME) {
			fputs("...", out);
			break;
		}
		if (length == 0)
			fputs("\xef\xbf\xbd", out);
		else if (*name == '"')
			putc('\'', out);
		else if ((length == 1 && (unsigned char)*name < 0x20) || *name == 0x7f)
			putc(' ', out);
		else
			fwrite(name, 1, length, out);
		nr += length ? length : 3;
		name += length ? length : 1;
	}
	putc('"', out);
}

void paje_write_time(FILE *out, uint64_t ns)
{
	fprintf(out, " %" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

/* Of Okabe and Ito, which people with any colour vision tell apart; of 255. */
static const uint8_t class_colours[MEASURE_NR_STATE_CLASSES][3] = {
	[MEASURE_STATE_COMPUTATION] = {0, 114, 178},
	[MEASURE_STATE_MPI_SETUP] = {160, 70, 20},
	[MEASURE_STATE_MPI_P2P] = {213, 94, 0},
	[MEASURE_STATE_MPI_TEST] = {240, 160, 110},
	[MEASURE_STATE_MPI_COLLECTIVE] = {230, 159, 0},
	[MEASURE_STATE_MPI_RMA] = {204, 121, 167},
	[MEASURE_STATE_MPI_IO] = {150, 80, 120},
	[MEASURE_STATE_OPENMP_SYNC] = {240, 228, 66},
	[MEASURE_STATE_OPENMP_MANAGEMENT] = {180, 170, 40},
	[MEASURE_STATE_THREADS] = {0, 158, 115},
	[MEASURE_STATE_IO] = {86, 180, 233},
	[MEASURE_STATE_DEVICE] = {110, 90, 160},
	[MEASURE_STATE_MEASUREMENT] = {120, 120, 120},
	[MEASURE_STATE_IDLE] = {210, 210, 210},
	[MEASURE_STATE_OUTSIDE] = {240, 240, 240},
};

void paje_write_colour(FILE *out, enum measure_state_class class, uint32_t shade)
{
	const uint8_t *colour = class_colours[class];
	const double factor = 1 - 0.07 * (shade % 7);

	fprintf(out, " \"%.3f %.3f %.3f\"", colour[0] * factor / 255, colour[1] * factor / 255,
		colour[2] * factor / 255);
}
