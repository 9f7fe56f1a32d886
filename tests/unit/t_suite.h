/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the main() of every CUnit program does: one suite, its result as exit status. */
#ifndef T_SUITE_H
#define T_SUITE_H

#include <CUnit/Basic.h>
#include <stdbool.h>

/* `tests` ends in CU_TEST_INFO_NULL; `set_up` and `clear_up` run once around all, or are NULL. */
static inline int t_suite(const char *name, CU_InitializeFunc set_up, CU_CleanupFunc clear_up,
	CU_TestInfo *tests)
{
	CU_SuiteInfo suites[] = {
		{.pName = name, .pInitFunc = set_up, .pCleanupFunc = clear_up, .pTests = tests},
		CU_SUITE_INFO_NULL,
	};
	bool is_good = false;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return 1;
	if (CU_register_suites(suites) == CUE_SUCCESS) {
		CU_basic_set_mode(CU_BRM_NORMAL);
		is_good = CU_basic_run_tests() == CUE_SUCCESS && CU_get_number_of_failures() == 0;
	}
	CU_cleanup_registry();
	return is_good ? 0 : 1;
}

#endif
