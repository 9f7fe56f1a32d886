/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the events of a test archive. */
#include "config.h"

#include "made_archive_internal.h"

static OTF2_ErrorCode write_message(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_MPI_SEND:
		return OTF2_EvtWriter_MpiSend(
			writer, NULL, e->time, e->peer, e->ref, e->tag, e->sent);
	case MEASURE_EVENT_MPI_ISEND:
		return OTF2_EvtWriter_MpiIsend(
			writer, NULL, e->time, e->peer, e->ref, e->tag, e->sent, e->number);
	case MEASURE_EVENT_MPI_ISEND_COMPLETE:
		return OTF2_EvtWriter_MpiIsendComplete(writer, NULL, e->time, e->number);
	case MEASURE_EVENT_MPI_RECV:
		return OTF2_EvtWriter_MpiRecv(
			writer, NULL, e->time, e->peer, e->ref, e->tag, e->received);
	case MEASURE_EVENT_MPI_IRECV_REQUEST:
		return OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, e->time, e->number);
	case MEASURE_EVENT_MPI_IRECV:
		return OTF2_EvtWriter_MpiIrecv(
			writer, NULL, e->time, e->peer, e->ref, e->tag, e->received, e->number);
	case MEASURE_EVENT_MPI_REQUEST_CANCELLED:
		return OTF2_EvtWriter_MpiRequestCancelled(writer, NULL, e->time, e->number);
	default:
		return OTF2_ERROR_INVALID_ARGUMENT;
	}
}

static OTF2_ErrorCode write_collective(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_MPI_COLLECTIVE_BEGIN:
		return OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, e->time);
	case MEASURE_EVENT_MPI_COLLECTIVE_END:
		return OTF2_EvtWriter_MpiCollectiveEnd(
			writer, NULL, e->time, e->op, e->ref, e->peer, e->sent, e->received);
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_REQUEST:
		return OTF2_EvtWriter_NonBlockingCollectiveRequest(
			writer, NULL, e->time, e->number);
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE:
		return OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, NULL, e->time, e->op,
			e->ref, e->peer, e->sent, e->received, e->number);
	case MEASURE_EVENT_COMM_CREATE:
		return OTF2_EvtWriter_CommCreate(writer, NULL, e->time, e->ref);
	default:
		return write_message(writer, e);
	}
}

static OTF2_ErrorCode write_file_event(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_IO_CREATE_HANDLE:
		return OTF2_EvtWriter_IoCreateHandle(writer, NULL, e->time, e->ref, e->op, 0, 0);
	case MEASURE_EVENT_IO_DESTROY_HANDLE:
		return OTF2_EvtWriter_IoDestroyHandle(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_IO_DUPLICATE_HANDLE:
		return OTF2_EvtWriter_IoDuplicateHandle(
			writer, NULL, e->time, e->ref, (uint32_t)e->number, 0);
	case MEASURE_EVENT_IO_SEEK:
		return OTF2_EvtWriter_IoSeek(writer, NULL, e->time, e->ref, 0, e->op, 0);
	case MEASURE_EVENT_IO_OPERATION_BEGIN:
		return OTF2_EvtWriter_IoOperationBegin(
			writer, NULL, e->time, e->ref, e->op, e->tag, e->sent, e->number);
	case MEASURE_EVENT_IO_OPERATION_ISSUED:
		return OTF2_EvtWriter_IoOperationIssued(writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_IO_OPERATION_COMPLETE:
		return OTF2_EvtWriter_IoOperationComplete(
			writer, NULL, e->time, e->ref, e->received, e->number);
	default:
		return write_collective(writer, e);
	}
}

static OTF2_ErrorCode write_operation(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_RMA_PUT:
		return OTF2_EvtWriter_RmaPut(
			writer, NULL, e->time, e->ref, e->peer, e->sent, e->number);
	case MEASURE_EVENT_RMA_GET:
		return OTF2_EvtWriter_RmaGet(
			writer, NULL, e->time, e->ref, e->peer, e->received, e->number);
	case MEASURE_EVENT_RMA_ATOMIC:
		return OTF2_EvtWriter_RmaAtomic(writer, NULL, e->time, e->ref, e->peer, e->op,
			e->sent, e->received, e->number);
	case MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING:
		return OTF2_EvtWriter_RmaOpCompleteBlocking(
			writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_RMA_OP_COMPLETE_NON_BLOCKING:
		return OTF2_EvtWriter_RmaOpCompleteNonBlocking(
			writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE:
		return OTF2_EvtWriter_RmaOpCompleteRemote(writer, NULL, e->time, e->ref, e->number);
	default:
		return write_file_event(writer, e);
	}
}

static OTF2_ErrorCode write_window(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_RMA_WIN_CREATE:
		return OTF2_EvtWriter_RmaWinCreate(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_RMA_WIN_DESTROY:
		return OTF2_EvtWriter_RmaWinDestroy(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_RMA_COLLECTIVE_BEGIN:
		return OTF2_EvtWriter_RmaCollectiveBegin(writer, NULL, e->time);
	case MEASURE_EVENT_RMA_COLLECTIVE_END:
		return OTF2_EvtWriter_RmaCollectiveEnd(writer, NULL, e->time, e->op, e->tag, e->ref,
			e->peer, e->sent, e->received);
	case MEASURE_EVENT_RMA_GROUP_SYNC:
		return OTF2_EvtWriter_RmaGroupSync(
			writer, NULL, e->time, e->tag, e->ref, (OTF2_GroupRef)e->number);
	case MEASURE_EVENT_RMA_REQUEST_LOCK:
		return OTF2_EvtWriter_RmaRequestLock(
			writer, NULL, e->time, e->ref, e->peer, e->number, e->op);
	case MEASURE_EVENT_RMA_ACQUIRE_LOCK:
		return OTF2_EvtWriter_RmaAcquireLock(
			writer, NULL, e->time, e->ref, e->peer, e->number, e->op);
	case MEASURE_EVENT_RMA_RELEASE_LOCK:
		return OTF2_EvtWriter_RmaReleaseLock(
			writer, NULL, e->time, e->ref, e->peer, e->number);
	default:
		return write_operation(writer, e);
	}
}

static OTF2_ErrorCode write_thread(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	switch (e->kind) {
	case MEASURE_EVENT_THREAD_FORK:
		return OTF2_EvtWriter_ThreadFork(writer, NULL, e->time, e->op, 2);
	case MEASURE_EVENT_THREAD_JOIN:
		return OTF2_EvtWriter_ThreadJoin(writer, NULL, e->time, e->op);
	case MEASURE_EVENT_THREAD_TEAM_BEGIN:
		return OTF2_EvtWriter_ThreadTeamBegin(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_THREAD_TEAM_END:
		return OTF2_EvtWriter_ThreadTeamEnd(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_THREAD_TASK_CREATE:
		return OTF2_EvtWriter_ThreadTaskCreate(
			writer, NULL, e->time, e->ref, e->peer, e->tag);
	case MEASURE_EVENT_THREAD_TASK_SWITCH:
		return OTF2_EvtWriter_ThreadTaskSwitch(
			writer, NULL, e->time, e->ref, e->peer, e->tag);
	case MEASURE_EVENT_THREAD_TASK_COMPLETE:
		return OTF2_EvtWriter_ThreadTaskComplete(
			writer, NULL, e->time, e->ref, e->peer, e->tag);
	case MEASURE_EVENT_PARAMETER_UNSIGNED_INT:
		return OTF2_EvtWriter_ParameterUnsignedInt(
			writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_THREAD_ACQUIRE_LOCK:
		return OTF2_EvtWriter_ThreadAcquireLock(
			writer, NULL, e->time, e->op, e->peer, (uint32_t)e->number);
	case MEASURE_EVENT_THREAD_RELEASE_LOCK:
		return OTF2_EvtWriter_ThreadReleaseLock(
			writer, NULL, e->time, e->op, e->peer, (uint32_t)e->number);
	case MEASURE_EVENT_THREAD_CREATE:
		return OTF2_EvtWriter_ThreadCreate(writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_THREAD_WAIT:
		return OTF2_EvtWriter_ThreadWait(writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_THREAD_BEGIN:
		return OTF2_EvtWriter_ThreadBegin(writer, NULL, e->time, e->ref, e->number);
	case MEASURE_EVENT_THREAD_END:
		return OTF2_EvtWriter_ThreadEnd(writer, NULL, e->time, e->ref, e->number);
	default:
		return write_window(writer, e);
	}
}

static OTF2_ErrorCode write_metric(OTF2_EvtWriter *writer, const struct measure_event *e)
{
	const OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
	const OTF2_MetricValue values[] = {{.unsigned_int = 1}, {.unsigned_int = 2}};

	return OTF2_EvtWriter_Metric(writer, NULL, e->time, e->ref, e->peer, types, values);
}

static OTF2_ErrorCode write_event(
	OTF2_EvtWriter *writer, const struct measure_event *e, OTF2_AttributeList *attributes)
{
	switch (e->kind) {
	case MEASURE_EVENT_ENTER:
		return OTF2_EvtWriter_Enter(writer, attributes, e->time, e->ref);
	case MEASURE_EVENT_LEAVE:
		return OTF2_EvtWriter_Leave(writer, attributes, e->time, e->ref);
	case MEASURE_EVENT_CALLING_CONTEXT_ENTER:
		return OTF2_EvtWriter_CallingContextEnter(writer, NULL, e->time, e->ref, 1);
	case MEASURE_EVENT_CALLING_CONTEXT_SAMPLE:
		return OTF2_EvtWriter_CallingContextSample(
			writer, NULL, e->time, e->ref, e->peer, 0);
	case MEASURE_EVENT_CALLING_CONTEXT_LEAVE:
		return OTF2_EvtWriter_CallingContextLeave(writer, NULL, e->time, e->ref);
	case MEASURE_EVENT_METRIC:
		return write_metric(writer, e);
	case MEASURE_EVENT_MEASUREMENT_ON_OFF:
		return OTF2_EvtWriter_MeasurementOnOff(writer, NULL, e->time, OTF2_MEASUREMENT_OFF);
	case MEASURE_EVENT_PROGRAM_BEGIN:
		return OTF2_EvtWriter_ProgramBegin(writer, NULL, e->time, e->ref, 0, NULL);
	case MEASURE_EVENT_PROGRAM_END:
		return OTF2_EvtWriter_ProgramEnd(writer, NULL, e->time, (int64_t)e->number);
	default:
		return write_thread(writer, e);
	}
}

/* Attributes hold a value of a type that is not the defined one when asked to. */
bool t_write_events(const struct t_archive *archive, OTF2_Archive *otf2)
{
	OTF2_EvtWriter *writers[T_NR_LOCATIONS];
	OTF2_AttributeList *attributes = OTF2_AttributeList_New();
	bool is_fine = true;

	OTF2_Archive_OpenEvtFiles(otf2);
	for (int i = 0; i < T_NR_LOCATIONS; i++)
		writers[i] = OTF2_Archive_GetEvtWriter(otf2, t_location_ids[i]);
	for (size_t i = 0; i < archive->nr_events; i++) {
		if (archive->has_attribute && archive->events[i].event.kind == MEASURE_EVENT_ENTER)
			OTF2_AttributeList_AddInt8(attributes, T_ATTRIBUTE, 1);
		if (archive->events[i].event.is_refused)
			OTF2_AttributeList_AddUint64(attributes, T_REFUSED, 2);
		is_fine &= write_event(writers[archive->events[i].location],
				   &archive->events[i].event, attributes) == OTF2_SUCCESS;
	}
	for (int i = 0; i < T_NR_LOCATIONS; i++)
		OTF2_Archive_CloseEvtWriter(otf2, writers[i]);
	OTF2_Archive_CloseEvtFiles(otf2);
	OTF2_AttributeList_Delete(attributes);
	return is_fine;
}
