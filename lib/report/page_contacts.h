/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages and collective operations of a run: who was in contact with whom, and in which calls.
 * Kept while waits are read (waits.h), as nothing else has all of them. */
#ifndef MEASURE_REPORT_PAGE_CONTACTS_H
#define MEASURE_REPORT_PAGE_CONTACTS_H

#include "analysis/waits/waits.h"

struct measure_page_message {
	uint64_t send, receive; /* corrected times */
	uint64_t bytes;
	uint32_t from, to; /* locations */
	uint32_t send_call, receive_call;
	uint32_t tag, comm;
};

struct measure_page_member {
	uint64_t begin, end; /* of its calls; of the records where they are in none */
	uint32_t location;
	uint32_t begin_call, end_call;
};

struct measure_page_collective {
	size_t first; /* member */
	uint32_t nr_members;
	uint32_t root; /* location, or MEASURE_NONE */
	uint32_t path; /* of one of its calls, or MEASURE_NONE */
	uint32_t comm;
	uint8_t op; /* OTF2_CollectiveOp */
};

/* All zero is an empty one. */
struct measure_page_contacts {
	struct measure_call_table *tables; /* by location */
	MEASURE_GROWING(struct measure_page_message, messages);
	MEASURE_GROWING(struct measure_page_collective, collectives);
	MEASURE_GROWING(struct measure_page_member, members);
};

/* What fills it. */
struct measure_waits_observer measure_page_contacts_observer(
	struct measure_page_contacts *contacts);
void measure_page_contacts_free(struct measure_page_contacts *contacts);

#endif
