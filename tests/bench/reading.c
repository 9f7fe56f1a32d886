/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads all events of an archive and does nothing with them: by our decoder, as events of lib/trace,
 * or by the OTF2 library with a callback for each record.
 * Usage: reading decoder|events|library ARCHIVE THREADS. Prints "events NR", "seconds TIME" and
 * "processor TIME", that of all threads together. */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>

#include <otf2/otf2.h>

#include "bench.h"
#include "trace/archive/trace.h"
#include "trace/common/containers.h"
#include "trace/common/trace_error.h"
#include "trace/stream/stream.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* of callbacks */

static struct measure_trace *trace;
static struct measure_findings findings = {.nr_kept_per_check = 1};
static _Atomic size_t next_location;
static _Atomic uint64_t nr_all, sum_all; /* the sum, so that nothing is left out by the compiler */
static uint64_t (*read_location)(OTF2_Reader *library, uint32_t location, uint64_t *sum);

/* --------------------------------------------------------------------- our own --- */

static uint64_t read_by_decoder(OTF2_Reader *library, uint32_t location, uint64_t *sum)
{
	char *path = measure_trace_file(trace, location, ".evt");
	struct measure_event_decoder decoder;
	const struct measure_record *record;
	struct measure_decoded_call call;
	uint64_t nr;

	(void)library;
	measure_event_decoder_open(&decoder, path, trace->chunk_size, trace->mappings[location]);
	do {
		while (measure_event_decoder_peek_call(&decoder, &call)) {
			measure_event_decoder_take_call(&decoder, &call);
			*sum += call.time + call.region;
		}
		record = measure_event_decoder_next(&decoder);
		*sum += record ? record->time + record->values[0] : 0;
	} while (record);
	nr = decoder.position;
	measure_event_decoder_close(&decoder);
	measure_free(path);
	return nr;
}

static uint64_t read_events(OTF2_Reader *library, uint32_t location, uint64_t *sum)
{
	const struct measure_event *event;
	struct measure_stream stream;
	uint64_t nr;

	(void)library;
	measure_stream_open(&stream, trace, location);
	while ((event = measure_stream_next(&stream)))
		*sum += event->time + event->ref;
	measure_stream_close(&stream, &nr);
	return nr;
}

/* ----------------------------------------------------------------- the library --- */

#define EVENT(number, Name, NAME, name, shape, writer, files, ...)                                 \
	static OTF2_CallbackCode on_##Name(OTF2_LocationRef location, OTF2_TimeStamp time,         \
		uint64_t position, void *data,                                                     \
		OTF2_AttributeList *attributes MEASURE_EACH_FIELD(                                 \
			MEASURE_PARAMETER, ##__VA_ARGS__))                                         \
	{                                                                                          \
		uint64_t *sum = data;                                                              \
                                                                                                   \
		(void)location, (void)position, (void)attributes;                                  \
		*sum += time;                                                                      \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#include "format/otf2_records.def"
#undef EVENT

static uint64_t read_by_library(OTF2_Reader *library, uint32_t location, uint64_t *sum)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
	OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(
		library, trace->definitions.locations[location].id);
	uint64_t nr = 0;

#define EVENT(number, Name, ...) OTF2_EvtReaderCallbacks_Set##Name##Callback(callbacks, on_##Name);
#include "format/otf2_records.def"
#undef EVENT
	OTF2_Reader_RegisterEvtCallbacks(library, reader, callbacks, sum);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	OTF2_Reader_ReadAllLocalEvents(library, reader, &nr);
	OTF2_Reader_CloseEvtReader(library, reader);
	return nr;
}

static OTF2_Reader *open_library(void)
{
	OTF2_Reader *library = OTF2_Reader_Open(trace->anchor);
	uint64_t nr;

	OTF2_Reader_SetSerialCollectiveCallbacks(library);
	for (size_t i = 0; i < trace->definitions.nr_locations; i++)
		OTF2_Reader_SelectLocation(library, trace->definitions.locations[i].id);
	OTF2_Reader_OpenDefFiles(library);
	for (size_t i = 0; i < trace->definitions.nr_locations; i++) {
		OTF2_DefReader *reader = OTF2_Reader_GetDefReader(
			library, trace->definitions.locations[i].id);

		if (!reader)
			continue;
		OTF2_Reader_ReadAllLocalDefinitions(library, reader, &nr);
		OTF2_Reader_CloseDefReader(library, reader);
	}
	OTF2_Reader_CloseDefFiles(library);
	OTF2_Reader_OpenEvtFiles(library);
	return library;
}

/* ---------------------------------------------------------------------- threads --- */

static void *read_some(void *unused)
{
	OTF2_Reader *library = read_location == read_by_library ? open_library() : NULL;
	uint64_t nr = 0, sum = 0;

	(void)unused;
	for (size_t i; (i = atomic_fetch_add(&next_location, 1)) < trace->definitions.nr_locations;)
		nr += read_location(library, (uint32_t)i, &sum);
	nr_all += nr;
	sum_all += sum;
	if (library)
		OTF2_Reader_Close(library);
	return NULL;
}

static double processor_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	const int nr_threads = argc == 4 ? atoi(argv[3]) : 0;
	pthread_t threads[64];
	uint64_t start;
	double processor;

	if (nr_threads < 1 || nr_threads > 64)
		return 2;
	read_location = !strcmp(argv[1], "decoder")  ? read_by_decoder
			: !strcmp(argv[1], "events") ? read_events
						     : read_by_library;
	if (measure_trace_open(argv[2], &findings, &trace) != MEASURE_OK) {
		fprintf(stderr, "%s\n", measure_trace_error());
		return 2;
	}
	start = bench_now();
	processor = processor_time();
	for (int i = 0; i < nr_threads; i++)
		pthread_create(&threads[i], NULL, read_some, NULL);
	for (int i = 0; i < nr_threads; i++)
		pthread_join(threads[i], NULL);
	printf("events %llu\nseconds %f\nprocessor %f\n", (unsigned long long)nr_all,
		(double)(bench_now() - start) / 1e9, processor_time() - processor);
	fprintf(stderr, "sum %llu\n", (unsigned long long)sum_all);
	measure_trace_close(trace);
	return 0;
}
