/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the template of the page is, and whether a file is a page that was made of it. */
#ifndef MEASURE_REPORT_PAGE_TEMPLATE_H
#define MEASURE_REPORT_PAGE_TEMPLATE_H

#include <limits.h>
#include <stdbool.h>

#define MEASURE_PAGE_TEMPLATE "report-page.html"

/* Beside the tool in a build tree, where it was installed to, or in $MEASURE_DATADIR. False: it is
 * not there; `path` is where it should be. */
bool measure_page_template_find(char path[PATH_MAX]);

/* Is there a page of measure-report at this path? */
bool measure_page_is_one(const char *path);

#endif
