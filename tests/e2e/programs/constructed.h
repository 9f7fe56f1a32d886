/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A shared library with an instrumented constructor. */
#ifndef TESTS_E2E_CONSTRUCTED_H
#define TESTS_E2E_CONSTRUCTED_H

int constructed(void);

#endif
