/* SPDX-License-Identifier: BSD-3-Clause
 *
 * odd_archive DIRECTORY KIND: writes a small OTF2 archive as no recorder would.
 *
 *	empty	two locations without events
 *	one	one event: an Enter that no Leave follows
 *	names	hostile names of everything, markers, metrics of each type
 *	late	times beyond 2^53 nanoseconds, at 3 GHz */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#define LATE   (UINT64_C(1) << 60)
#define LENGTH 3000
#define LONG   10000

enum { WORD_EMPTY, WORD_MACHINE, WORD_PROCESS, WORD_THREAD, WORD_REGION };
#define NR_HOSTILE 9

static const char *hostile[NR_HOSTILE] = {"quote \" and 'quote'", "two\nlines\r\n, tab\t",
	"</script><script>alert(1)</script>", "\xf0\x9f\x98\x80 emoji", "% %EventDef 0",
	"comma, comma", "no \xff UTF-8", "\\ backslash \\\"", NULL};

static OTF2_FlushType flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static OTF2_TimeStamp post_flush(void *data, OTF2_FileType type, OTF2_LocationRef location)
{
	(void)data, (void)type, (void)location;
	return 0;
}

static const OTF2_FlushCallbacks flushes = {flush, post_flush};

static void write_names(OTF2_GlobalDefWriter *out, int is_hostile)
{
	static char all[LONG + 1];

	memset(all, 'x', LONG);
	hostile[NR_HOSTILE - 1] = all;
	OTF2_GlobalDefWriter_WriteString(out, WORD_EMPTY, "");
	OTF2_GlobalDefWriter_WriteString(out, WORD_MACHINE, is_hostile ? hostile[2] : "machine");
	OTF2_GlobalDefWriter_WriteString(out, WORD_PROCESS, is_hostile ? hostile[0] : "process");
	OTF2_GlobalDefWriter_WriteString(out, WORD_THREAD, is_hostile ? hostile[1] : "thread");
	for (uint32_t i = 0; i < NR_HOSTILE; i++)
		OTF2_GlobalDefWriter_WriteString(
			out, WORD_REGION + i, is_hostile ? hostile[i] : "region");
}

static void write_definitions(OTF2_Archive *archive, const char *kind, uint64_t nr_events)
{
	const int is_hostile = strcmp(kind, "names") == 0, is_late = strcmp(kind, "late") == 0;
	OTF2_GlobalDefWriter *out = OTF2_Archive_GetGlobalDefWriter(archive);

	OTF2_GlobalDefWriter_WriteClockProperties(
		out, is_late ? 3000000000 : 1000000000, 0, is_late ? LATE + LENGTH : LENGTH, 0);
	write_names(out, is_hostile);
	for (uint32_t i = 0; i < NR_HOSTILE; i++)
		OTF2_GlobalDefWriter_WriteRegion(out, i, WORD_REGION + i, WORD_REGION + i,
			WORD_EMPTY, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
			OTF2_REGION_FLAG_NONE, WORD_REGION + i, i, i);
	for (uint32_t i = 0; i < 3; i++)
		OTF2_GlobalDefWriter_WriteMetricMember(out, i, WORD_REGION + i, WORD_EMPTY,
			OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,
			i == 0   ? OTF2_TYPE_INT64
			: i == 1 ? OTF2_TYPE_UINT64
				 : OTF2_TYPE_DOUBLE,
			OTF2_BASE_DECIMAL, 0, WORD_EMPTY);
	OTF2_GlobalDefWriter_WriteMetricClass(out, 0, 3, (OTF2_MetricMemberRef[]){0, 1, 2},
		OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_ABSTRACT);
	OTF2_GlobalDefWriter_WriteSystemTreeNode(
		out, 0, WORD_MACHINE, WORD_EMPTY, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	OTF2_GlobalDefWriter_WriteLocationGroup(out, 0, WORD_PROCESS,
		OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
	for (uint32_t i = 0; i < 2; i++)
		OTF2_GlobalDefWriter_WriteLocation(out, i, WORD_THREAD,
			OTF2_LOCATION_TYPE_CPU_THREAD, i == 0 ? nr_events : 0, 0);
	OTF2_Archive_CloseGlobalDefWriter(archive, out);
}

/* Each region in the one before, then the values of metrics. */
static void write_hostile_events(OTF2_EvtWriter *out)
{
	const OTF2_MetricValue values[] = {
		{.signed_int = -7}, {.unsigned_int = UINT64_MAX}, {.floating_point = 1.0 / 3}};

	for (uint32_t i = 0; i < NR_HOSTILE; i++)
		OTF2_EvtWriter_Enter(out, NULL, 100 + i, i);
	OTF2_EvtWriter_Metric(out, NULL, 500, 0, 3,
		(OTF2_Type[]){OTF2_TYPE_INT64, OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE}, values);
	for (uint32_t i = NR_HOSTILE; i-- > 0;)
		OTF2_EvtWriter_Leave(out, NULL, 1000 - i, i);
}

static void write_late_events(OTF2_EvtWriter *out)
{
	OTF2_EvtWriter_Enter(out, NULL, LATE, 0);
	OTF2_EvtWriter_Enter(out, NULL, LATE + 30, 1);
	OTF2_EvtWriter_Leave(out, NULL, LATE + 60, 1);
	OTF2_EvtWriter_Leave(out, NULL, LATE + LENGTH, 0);
}

static uint64_t write_events(OTF2_Archive *archive, const char *kind)
{
	uint64_t nr = 0;

	OTF2_Archive_OpenEvtFiles(archive);
	for (uint32_t i = 0; i < 2; i++) {
		OTF2_EvtWriter *out = OTF2_Archive_GetEvtWriter(archive, i);

		if (i == 0 && strcmp(kind, "one") == 0)
			OTF2_EvtWriter_Enter(out, NULL, 10, 0);
		else if (i == 0 && strcmp(kind, "names") == 0)
			write_hostile_events(out);
		else if (i == 0 && strcmp(kind, "late") == 0)
			write_late_events(out);
		if (i == 0)
			OTF2_EvtWriter_GetNumberOfEvents(out, &nr);
		OTF2_Archive_CloseEvtWriter(archive, out);
	}
	OTF2_Archive_CloseEvtFiles(archive);
	return nr;
}

static void write_markers(OTF2_Archive *archive)
{
	OTF2_MarkerWriter *out = OTF2_Archive_GetMarkerWriter(archive);

	OTF2_MarkerWriter_WriteDefMarker(out, 0, "group", hostile[0], OTF2_SEVERITY_NONE);
	OTF2_MarkerWriter_WriteMarker(out, 700, 0, 0, OTF2_MARKER_SCOPE_LOCATION, 1, hostile[1]);
	OTF2_MarkerWriter_WriteMarker(out, 300, 0, 0, OTF2_MARKER_SCOPE_GLOBAL, 0, hostile[2]);
	OTF2_Archive_CloseMarkerWriter(archive, out);
}

int main(int argc, char **argv)
{
	OTF2_Archive *archive;

	if (argc != 3)
		return 2;
	archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
		OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!archive)
		return 1;
	OTF2_Archive_SetFlushCallbacks(archive, &flushes, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenDefFiles(archive);
	for (uint32_t i = 0; i < 2; i++)
		OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, i));
	OTF2_Archive_CloseDefFiles(archive);
	write_definitions(archive, argv[2], write_events(archive, argv[2]));
	if (strcmp(argv[2], "names") == 0)
		write_markers(archive);
	return OTF2_Archive_Close(archive) == OTF2_SUCCESS ? 0 : 1;
}
