/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The one status type. Whoever first decides that something is an error logs it
 * with its cause; callers only pass the status on. Outputs are valid only on MEASURE_OK. */
#ifndef MEASURE_API_STATUS_H
#define MEASURE_API_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum measure_status {
	MEASURE_OK = 0,
	MEASURE_ERROR_USAGE,	   /* the caller's arguments make no sense */
	MEASURE_ERROR_MEMORY,	   /* no memory, or the bound is reached */
	MEASURE_ERROR_IO,	   /* a system call on a file or socket failed */
	MEASURE_ERROR_FORMAT,	   /* data read does not have the expected form */
	MEASURE_ERROR_NOT_FOUND,   /* the thing asked for is not there */
	MEASURE_ERROR_EXISTS,	   /* somebody else was first */
	MEASURE_ERROR_UNSUPPORTED, /* this machine or build cannot do it */
	MEASURE_ERROR_OFF	   /* recording is off in this process */
} measure_status_t;

/* A short text for a status, without a full stop. Never NULL. Async-signal-safe. */
__attribute__((visibility("default"))) const char *measure_status_text(measure_status_t status);

#ifdef __cplusplus
}
#endif
#endif
