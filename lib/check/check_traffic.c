/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts what the processes moved: messages, collectives, one-sided operations, files. */
#include "config.h"

#include "check_internal.h"

const struct check_traffic_info check_traffic_infos[CHECK_NR_TRAFFIC] = {
#define TRAFFIC(NAME, id, word) {id, word},
#include "traffic.def"
#undef TRAFFIC
};

static struct check_traffic *traffic_of(struct check *check, uint8_t event_kind)
{
	switch (event_kind) {
	case MEASURE_EVENT_MPI_COLLECTIVE_END:
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE:
		return &check->traffic[CHECK_TRAFFIC_COLLECTIVE];
	case MEASURE_EVENT_RMA_PUT:
		return &check->traffic[CHECK_TRAFFIC_PUT];
	case MEASURE_EVENT_RMA_GET:
		return &check->traffic[CHECK_TRAFFIC_GET];
	case MEASURE_EVENT_RMA_ATOMIC:
		return &check->traffic[CHECK_TRAFFIC_ATOMIC];
	default:
		return NULL;
	}
}

void traffic_event(struct check *check, const struct measure_event *event)
{
	struct check_traffic *traffic = traffic_of(check, event->kind);

	if (!traffic)
		return;
	traffic->nr++;
	traffic->bytes_out += event->sent;
	traffic->bytes_in += event->received;
}

void traffic_finish(struct check *check, const struct measure_match *match)
{
	const struct measure_file_counts *files = measure_match_files(match);
	struct measure_message_counts sent = measure_match_messages(match, true);
	struct measure_message_counts received = measure_match_messages(match, false);

	check->traffic[CHECK_TRAFFIC_SENT] = (struct check_traffic){sent.nr, sent.bytes, 0};
	check->traffic[CHECK_TRAFFIC_RECEIVED] =
		(struct check_traffic){received.nr, 0, received.bytes};
	check->traffic[CHECK_TRAFFIC_FILES] = (struct check_traffic){files->nr_opened, 0, 0};
	check->traffic[CHECK_TRAFFIC_FILE_OPERATIONS] = (struct check_traffic){
		files->nr_operations, files->bytes_written, files->bytes_read};
}
