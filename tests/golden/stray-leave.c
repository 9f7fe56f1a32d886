/* SPDX-License-Identifier: BSD-3-Clause
 * Leaves without an enter, as after instrumentation was switched on in the middle. */
void __cyg_profile_func_exit(void *function, void *call_site);
int main(void);

__attribute__((no_instrument_function)) static void stray(void)
{
	__cyg_profile_func_exit((void *)stray, (void *)main);
}

static void work(void)
{
	stray();
}

int main(void)
{
	stray();
	work();
	stray();
	return 0;
}
