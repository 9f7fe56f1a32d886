/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A run that is reported: its archive, read and analyzed. One is in memory at a time. */
#ifndef MEASURE_BIN_MEASURE_REPORT_REPORT_RUN_H
#define MEASURE_BIN_MEASURE_REPORT_REPORT_RUN_H

#include "analysis/compare/compared_run.h"
#include "analysis/efficiency/efficiency.h"
#include "bin/common/corrected_waits.h"
#include "report/page_contacts.h"
#include "report/tasks/report_tasks.h"
#include "report_options.h"

struct report_run {
	unsigned number; /* in the order of the command line */
	char *name;      /* of the archive, for people */
	struct measure_findings findings;
	struct measure_trace *trace;
	/* An archive that holds a profile has corrected.waits.profile alone. */
	bool has_events;
	struct corrected_waits corrected;
	struct measure_efficiency efficiency;
	struct measure_page_contacts contacts;
	struct measure_report_tasks *tasks; /* NULL: there are none, or they are not wanted */
	measure_status_t status; /* of reading */
};

/* "run1" of "dir/run1/" and of "dir/run1/traces.otf2"; to be freed. */
char *report_name_of(const char *path);

/* False: it cannot be read, which has been said; there is nothing to be freed. */
bool report_run_read(struct report_run *run, const struct report_options *options, unsigned number);

/* Root causes, critical path, efficiencies. */
void report_run_analyze(struct report_run *run, const struct report_options *options);
void report_run_free(struct report_run *run);

#endif
