/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Uses OpenACC on several threads, and counts the events itself, by the same interface. Says on
 * stdout what a trace of it must contain: "count REGION N". */
#include <acc_prof.h>
#include <openacc.h>
#include <pthread.h>
#include <stdio.h>

#define N       1000
#define THREADS 3

static _Atomic int counts[acc_ev_last];

static void count(acc_prof_info *info, acc_event_info *event, acc_api_info *api)
{
	(void)event;
	(void)api;
	counts[info->event_type]++;
}

static void *work(void *data)
{
	float x[N];

	(void)data;
	for (int i = 0; i < N; i++)
		x[i] = (float)i;
	for (int k = 0; k < 10; k++) {
#pragma acc data copy(x)
		{
#pragma acc parallel loop
			for (int i = 0; i < N; i++)
				x[i] *= 2;
#pragma acc update self(x)
#pragma acc kernels async(1)
			for (int i = 0; i < N; i++)
				x[i] += 1;
#pragma acc wait
		}
	}
#pragma acc enter data copyin(x)
#pragma acc exit data delete(x)
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int event = acc_ev_none + 1; event < acc_ev_last; event++)
		acc_prof_register((acc_event_t)event, count, acc_reg);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("count compute %d\n", counts[acc_ev_compute_construct_start]);
	printf("count update %d\n", counts[acc_ev_update_start]);
	printf("count enter %d\n", counts[acc_ev_enter_data_start]);
	printf("count exit %d\n", counts[acc_ev_exit_data_start]);
	printf("count init %d\n", counts[acc_ev_device_init_start]);
	printf("count wait %d\n", counts[acc_ev_wait_start]);
	return 0;
}
