/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The edits of violations.def as functions. */
#include "config.h"

#include "violations.h"

#include "trace/archive/definitions.h"

static void define_region(OTF2_GlobalDefWriter *writer, uint32_t id, uint32_t name,
	uint32_t begin_line, uint32_t end_line)
{
	OTF2_GlobalDefWriter_WriteRegion(writer, id, name, T_NAME, T_NAME,
		OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, T_NAME,
		begin_line, end_line);
}

static void define_group(OTF2_GlobalDefWriter *writer, uint32_t id, OTF2_GroupType type,
	OTF2_Paradigm paradigm, uint32_t nr, const uint64_t *members)
{
	OTF2_GlobalDefWriter_WriteGroup(
		writer, id, T_NAME, type, paradigm, OTF2_GROUP_FLAG_NONE, nr, members);
}

static void define_comm(OTF2_GlobalDefWriter *writer, uint32_t id, uint32_t group, uint32_t parent)
{
	OTF2_GlobalDefWriter_WriteComm(writer, id, T_NAME, group, parent, OTF2_COMM_FLAG_NONE);
}

static void define_twice(OTF2_GlobalDefWriter *writer)
{
	define_region(writer, T_MAIN, T_NAME, 1, 2);
}

static void define_unresolved(OTF2_GlobalDefWriter *writer)
{
	define_region(writer, 100, 999, 1, 2);
}

static void define_late(OTF2_GlobalDefWriter *writer)
{
	define_region(writer, 100, 500, 1, 2);
	OTF2_GlobalDefWriter_WriteString(writer, 500, "late");
}

static void define_lines(OTF2_GlobalDefWriter *writer)
{
	define_region(writer, 100, T_NAME, 20, 10);
}

static void define_without_paradigm(OTF2_GlobalDefWriter *writer)
{
	const uint64_t member = 0;

	define_group(
		writer, 100, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_PTHREAD, 1, &member);
	define_group(writer, 101, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_PTHREAD, 1, &member);
	define_comm(writer, 100, 101, OTF2_UNDEFINED_COMM);
}

static void define_truncated(OTF2_GlobalDefWriter *writer)
{
	const OTF2_AttributeValue nr = {.uint64 = 5};

	OTF2_GlobalDefWriter_WriteString(writer, 100, MEASURE_PROPERTY_LOST_TRUNCATED);
	OTF2_GlobalDefWriter_WriteLocationProperty(writer, 0, 100, OTF2_TYPE_UINT64, nr);
}

static void define_threadless(OTF2_GlobalDefWriter *writer)
{
	OTF2_GlobalDefWriter_WriteLocationGroup(writer, 100, T_NAME,
		OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
}

static void define_accelerator(OTF2_GlobalDefWriter *writer)
{
	OTF2_GlobalDefWriter_WriteLocationGroup(writer, 100, T_NAME,
		OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 0, OTF2_UNDEFINED_LOCATION_GROUP);
}

static void define_second_locations(OTF2_GlobalDefWriter *writer)
{
	const uint64_t member = 0;

	define_group(writer, 100, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, 1, &member);
}

static void define_members(OTF2_GlobalDefWriter *writer)
{
	const uint64_t members[] = {0, 2, 0};

	define_group(writer, 100, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 3, members);
}

static void define_comm_of_locations(OTF2_GlobalDefWriter *writer)
{
	define_comm(writer, 100, T_MPI_LOCATIONS, OTF2_UNDEFINED_COMM);
}

static void define_parent(OTF2_GlobalDefWriter *writer)
{
	define_comm(writer, 100, T_WORLD_GROUP, OTF2_UNDEFINED_COMM);
	define_comm(writer, 99, T_WORLD_GROUP, 100);
}

/* The second rank stands behind the end of the only dimension. */
static void define_coordinates(OTF2_GlobalDefWriter *writer)
{
	const OTF2_CartDimensionRef dimension = 0;

	OTF2_GlobalDefWriter_WriteCartDimension(writer, 0, T_NAME, 2, OTF2_CART_PERIODIC_FALSE);
	OTF2_GlobalDefWriter_WriteCartTopology(writer, 0, T_NAME, T_WORLD, 1, &dimension);
	for (uint32_t rank = 0; rank < 2; rank++)
		OTF2_GlobalDefWriter_WriteCartCoordinate(
			writer, 0, rank, 1, &(const uint32_t){rank * 2});
}

/* The second thread of rank 0, from its creation to the wait for its end. */
static void create_thread(struct t_archive *archive)
{
	t_add(archive, T_RANK0, 235, MEASURE_EVENT_THREAD_CREATE, T_TEAM)->number = 1;
	t_add(archive, T_THREAD, 236, MEASURE_EVENT_THREAD_BEGIN, T_TEAM)->number = 1;
	t_add(archive, T_THREAD, 290, MEASURE_EVENT_THREAD_END, T_TEAM)->number = 1;
	t_add(archive, T_RANK0, 292, MEASURE_EVENT_THREAD_WAIT, T_TEAM)->number = 1;
}

static void define_context(OTF2_GlobalDefWriter *writer)
{
	OTF2_GlobalDefWriter_WriteCallingContext(writer, 0, T_MAIN,
		OTF2_UNDEFINED_SOURCE_CODE_LOCATION, OTF2_UNDEFINED_CALLING_CONTEXT);
	OTF2_GlobalDefWriter_WriteInterruptGenerator(
		writer, 0, T_NAME, OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -3, 1);
}

static void offset(struct t_archive *archive, uint32_t location, uint64_t time, int64_t offset)
{
	archive->offsets[archive->nr_offsets++] = (struct t_offset){location, time, offset};
}

/* One more of the first message's tag. The other rank has them the other way round: by one thread,
 * so that only the other one can be why. */
static void message_of_thread(struct t_archive *archive, uint32_t location, uint64_t time,
	enum measure_event_kind kind, uint32_t peer)
{
	const struct measure_event first = *t_find(archive, T_RANK1, MEASURE_EVENT_MPI_RECV, 0);
	struct measure_event *event = t_add(archive, location, time, kind, first.ref);

	event->peer = peer;
	event->tag = first.tag;
	event->sent = event->received = first.received;
	if (kind == MEASURE_EVENT_MPI_SEND)
		event->sent += 1;
	else
		t_find(archive, T_RANK1, MEASURE_EVENT_MPI_RECV, 0)->received += 1;
}

#define VIOLATION(CHECK, edits)                                                                    \
	static enum measure_check break_##CHECK(struct t_archive *archive)                         \
	{                                                                                          \
		enum measure_check alternative = MEASURE_NR_CHECKS;                                \
                                                                                                   \
		edits return alternative;                                                          \
	}
#include "violations.def"
#undef VIOLATION

const struct t_violation t_violations[] = {
#define VIOLATION(CHECK, edits) {MEASURE_CHECK_##CHECK, break_##CHECK},
#include "violations.def"
#undef VIOLATION
};
const size_t t_nr_violations = sizeof(t_violations) / sizeof(t_violations[0]);
