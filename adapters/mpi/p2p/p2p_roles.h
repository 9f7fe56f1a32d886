/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of messages, and of the completion of requests of every kind; for calls/wrappers.c. */
#ifndef MEASURE_MPI_P2P_ROLES_H
#define MEASURE_MPI_P2P_ROLES_H

#include "completion.h"
#include "p2p.h"

#define BEFORE_SEND(kind)                                                                          \
	const measure_region_t region =                                                            \
		measure_send_before(call, count, type, dest, tag, comm, MEASURE_PENDING_##kind)
#define AFTER_SEND(kind) measure_send_after(region, result)

#define BEFORE_RECV                                                                                \
	MPI_Status own_status;                                                                     \
	status = measure_status_or_own(status, &own_status);                                       \
	const measure_region_t region = measure_recv_before(call, source, tag, comm)
#define AFTER_RECV measure_recv_after(region, result, comm, status)

#define BEFORE_SENDRECV(recvcount_, recvtype_, recvtag_)                                           \
	MPI_Status own_status;                                                                     \
	status = measure_status_or_own(status, &own_status);                                       \
	const measure_region_t region = measure_sendrecv_before(                                   \
		call, count, type, dest, tag, recvcount_, recvtype_, source, recvtag_, comm)
#define AFTER_SENDRECV(recvcount_, recvtype_, recvtag_)                                            \
	measure_recv_after(region, result, comm, status)

#define BEFORE_ISEND(is_synchronous)                                                               \
	const struct measure_start start = measure_isend_before(call, count, type, dest, tag, comm)
#define AFTER_ISEND(is_synchronous)                                                                \
	measure_start_after(start, result, MEASURE_REQUEST_SEND, dest, tag, is_synchronous, request)

#define BEFORE_IRECV const struct measure_start start = measure_irecv_before(call, source, comm)
#define AFTER_IRECV                                                                                \
	measure_start_after(start, result, MEASURE_REQUEST_RECEIVE, source, tag, false, request)

#define BEFORE_ISENDRECV(recvcount_, recvtype_)                                                    \
	struct measure_isendrecv isendrecv =                                                       \
		measure_isendrecv_before(call, count, type, dest, tag, source, recvtag, comm)
#define AFTER_ISENDRECV(recvcount_, recvtype_)                                                     \
	measure_isendrecv_after(&isendrecv, result, recvcount_, recvtype_, request)

#define BEFORE_PROBE const measure_region_t region = measure_recv_before(call, source, tag, comm)
#define AFTER_PROBE  measure_plain_after(region)

#define BEFORE_MPROBE(flag_, waits)                                                                \
	const measure_region_t region = (waits) ? measure_recv_before(call, source, tag, comm)     \
						: measure_plain_before(call)
#define AFTER_MPROBE(flag_, waits) measure_mprobe_after(region, result, flag_, comm, message)

#define BEFORE_MRECV                                                                               \
	MPI_Status own_status;                                                                     \
	status = measure_status_or_own(status, &own_status);                                       \
	const struct measure_matched_receive matched = measure_mrecv_before(call, message)
#define AFTER_MRECV measure_mrecv_after(&matched, result, message, status)

#define BEFORE_IMRECV                                                                              \
	const struct measure_matched_receive matched = measure_mrecv_before(call, message)
#define AFTER_IMRECV measure_imrecv_after(&matched, result, message, request)

#define BEFORE_SEND_INIT(count_) const measure_region_t region = measure_plain_before(call)
#define AFTER_SEND_INIT(count_)                                                                    \
	measure_send_init_after(region, result, count_, type, dest, tag, comm, request)

#define BEFORE_RECV_INIT const measure_region_t region = measure_plain_before(call)
#define AFTER_RECV_INIT  measure_recv_init_after(region, result, source, comm, request)

#define BEFORE_PRECV_INIT const measure_region_t region = measure_plain_before(call)
#define AFTER_PRECV_INIT                                                                           \
	measure_precv_init_after(                                                                  \
		region, result, partitions *count, type, source, tag, comm, request)

#define BEFORE_START(count_, requests_)                                                            \
	const measure_region_t region = measure_start_all_before(call, count_, requests_)
#define AFTER_START(count_, requests_) measure_start_all_after(region, result, count_, requests_)

/* ----------------------------------------------------------------- completion --- */

#define BEFORE_WAIT_ALL(count_, requests_, statuses_, flag_)                                       \
	struct measure_wait wait;                                                                  \
	statuses_ = measure_wait_before(&wait, call,                                               \
		(flag_) == &measure_true ? MEASURE_WAITS_FOR_ALL : MEASURE_WAITS_FOR_NONE, count_, \
		requests_, statuses_, count_)
#define AFTER_WAIT_ALL(count_, requests_, statuses_, flag_)                                        \
	measure_wait_all_after(&wait, result, flag_)

#define BEFORE_WAIT_ANY(flag_)                                                                     \
	struct measure_wait wait;                                                                  \
	status = measure_wait_before(&wait, call,                                                  \
		(flag_) == &measure_true ? MEASURE_WAITS_FOR_ANY : MEASURE_WAITS_FOR_NONE, count,  \
		requests, status, 1)
#define AFTER_WAIT_ANY(flag_) measure_wait_any_after(&wait, result, index, flag_)

#define BEFORE_WAIT_SOME(waits)                                                                    \
	struct measure_wait wait;                                                                  \
	statuses = measure_wait_before(&wait, call, waits, count, requests, statuses, count)
#define AFTER_WAIT_SOME(waits) measure_wait_some_after(&wait, result, outcount, indices)

#define BEFORE_GET_STATUS                                                                          \
	MPI_Status own_status;                                                                     \
	status = measure_status_or_own(status, &own_status);                                       \
	const measure_region_t region = measure_plain_before(call)
#define AFTER_GET_STATUS measure_get_status_after(region, result, request, flag, status)

#define BEFORE_CANCEL const measure_region_t region = measure_cancel_before(call, request)
#define AFTER_CANCEL  measure_plain_after(region)

#define BEFORE_REQUEST_FREE                                                                        \
	struct measure_wait wait;                                                                  \
	measure_request_free_before(&wait, call, request)
#define AFTER_REQUEST_FREE measure_request_free_after(&wait)

#endif
