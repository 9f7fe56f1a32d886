/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For viewers of stacks: folded stacks, "main;solve;MPI_Send 1234", exclusive nanoseconds by call
 * path; and files of speedscope: one profile of begins and ends for each location, whose frames are
 * regions. https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources */
#include "config.h"

#include <inttypes.h>

#include "analysis/report/profile_report.h"
#include "cli/json_text.h"
#include "export/conversion/conversion.h"
#include "export/conversion/output_file.h"
#include "text_pieces.h"

struct speedscope {
	struct measure_conversion *conversion;
	FILE *out;
	uint32_t nr_profiles;
};

static void write_item(
	struct speedscope *speedscope, const struct measure_conversion_item *item, bool is_first)
{
	const uint32_t region = measure_conversion_region(speedscope->conversion, item->path);
	char line[128], *place = line;

	place = measure_put_text(place, is_first ? "\n{\"type\":\"" : ",\n{\"type\":\"");
	*place++ = item->kind == MEASURE_CONVERSION_BEGIN ? 'O' : 'C';
	place = measure_put_text(place, "\",\"frame\":");
	place = measure_put_number(
		place, measure_conversion_region_number(speedscope->conversion, region));
	place = measure_put_text(place, ",\"at\":");
	place = measure_put_number(place, item->ns);
	*place++ = '}';
	fwrite(line, 1, (size_t)(place - line), speedscope->out);
}

static void write_location(void *data, uint32_t location, struct measure_conversion_reader *reader)
{
	struct speedscope *speedscope = data;
	const struct measure_conversion *conversion = speedscope->conversion;
	const struct measure_conversion_item *item;
	uint64_t last = conversion->from_ns;
	bool is_first = true;

	fprintf(speedscope->out, "%s\n{\"type\":\"evented\",\"unit\":\"nanoseconds\",\"name\":",
		speedscope->nr_profiles++ > 0 ? "," : "");
	measure_json_text(
		speedscope->out, measure_name_of_location(conversion->definitions, location));
	fprintf(speedscope->out, ",\"startValue\":%" PRIu64 ",\"events\":[", conversion->from_ns);
	while ((item = measure_conversion_next(reader))) {
		if (item->kind == MEASURE_CONVERSION_RECORD)
			continue;
		write_item(speedscope, item, is_first);
		last = item->ns;
		is_first = false;
	}
	fprintf(speedscope->out, "],\"endValue\":%" PRIu64 "}",
		measure_later(last, conversion->until_ns));
}

static void write_region(const struct speedscope *speedscope, uint32_t region, bool is_first)
{
	const struct measure_definitions *definitions = speedscope->conversion->definitions;

	fprintf(speedscope->out, "%s\n{\"name\":", is_first ? "" : ",");
	measure_json_text(
		speedscope->out, measure_conversion_region_name(speedscope->conversion, region));
	if (region < definitions->nr_regions && definitions->regions[region].begin_line > 0) {
		fputs(",\"file\":", speedscope->out);
		measure_json_text(speedscope->out,
			measure_text(definitions, definitions->regions[region].file));
		fprintf(speedscope->out, ",\"line\":%" PRIu32,
			definitions->regions[region].begin_line);
	}
	fputc('}', speedscope->out);
}

/* In the order of measure_conversion_region_number(). */
static void write_frames(const struct speedscope *speedscope)
{
	const uint32_t nr = (uint32_t)speedscope->conversion->definitions->nr_regions;

	for (uint32_t i = 0; i < nr; i++)
		write_region(speedscope, i, i == 0);
	for (uint32_t i = MEASURE_PSEUDO_BEFORE; i < MEASURE_PSEUDO_END; i++)
		write_region(speedscope, i, nr == 0 && i == MEASURE_PSEUDO_BEFORE);
}

measure_status_t measure_export_speedscope(struct measure_conversion *conversion, const char *path)
{
	struct measure_output_file output;
	struct speedscope speedscope = {.conversion = conversion};
	measure_status_t status = measure_output_file_open(&output, path), read;

	if (status != MEASURE_OK)
		return status;
	speedscope.out = output.file;
	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"name\":",
		output.file);
	measure_json_text(output.file, conversion->options->input);
	fputs(",\"exporter\":\"measure-convert\",\"profiles\":[", output.file);
	read = measure_conversion_read(conversion, write_location, &speedscope);
	fputs("\n],\"shared\":{\"frames\":[", output.file);
	write_frames(&speedscope);
	fputs("\n]}}\n", output.file);
	status = measure_output_file_close(&output, true);
	return status == MEASURE_OK ? read : status;
}

measure_status_t measure_export_folded(struct measure_conversion *conversion, const char *path)
{
	const measure_status_t read = measure_conversion_read_profile(conversion);
	struct measure_output_file output;
	measure_status_t status = measure_output_file_open(&output, path);

	if (status != MEASURE_OK)
		return status;
	measure_profile_print_folded(&conversion->profile, output.file);
	status = measure_output_file_close(&output, true);
	return status == MEASURE_OK ? read : status;
}
