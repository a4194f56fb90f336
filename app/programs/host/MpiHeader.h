#pragma once

namespace haloscope::host {

/// MPI as one rank, in C and in C++: what is sent to it waits until it is received.
inline constexpr char kMpiHeader[] = R"cuda(#ifndef HALOSCOPE_MPI
#define HALOSCOPE_MPI
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define HALOSCOPE_MPI_CALL static inline __attribute__((unused))
#define MPI_VERSION 3
#define MPI_SUBVERSION 1
typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Info, MPI_Group, MPI_Errhandler;
typedef long MPI_Aint;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR, bytes; } MPI_Status;
typedef struct haloscope_mpi_request *MPI_Request;
enum { MPI_COMM_NULL, MPI_COMM_WORLD, MPI_COMM_SELF };
enum { MPI_SUCCESS, MPI_ERR_COMM = 5, MPI_ERR_OTHER = 15 };
enum { MPI_ANY_SOURCE = -1, MPI_PROC_NULL = -2, MPI_ANY_TAG = -1, MPI_UNDEFINED = -32766, MPI_ROOT = -3 };
enum { MPI_MAX_PROCESSOR_NAME = 256, MPI_MAX_ERROR_STRING = 512, MPI_COMM_TYPE_SHARED = 1, MPI_INFO_NULL = 0, MPI_ERRORS_RETURN = 1, MPI_ERRORS_ARE_FATAL = 2 };
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
typedef enum { MPI_OP_NULL, MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_LOR, MPI_BAND, MPI_BOR, MPI_MAXLOC, MPI_MINLOC } haloscope_mpi_op;
// A type of the language is its size; others are in a table.
#define HALOSCOPE_MPI_TYPE(NUMBER, TYPE) ((NUMBER) * 64 + (int)sizeof(TYPE))
#define MPI_DATATYPE_NULL 0
#define MPI_CHAR HALOSCOPE_MPI_TYPE(1, char)
#define MPI_BYTE HALOSCOPE_MPI_TYPE(2, char)
#define MPI_SIGNED_CHAR HALOSCOPE_MPI_TYPE(3, char)
#define MPI_UNSIGNED_CHAR HALOSCOPE_MPI_TYPE(4, char)
#define MPI_SHORT HALOSCOPE_MPI_TYPE(5, short)
#define MPI_UNSIGNED_SHORT HALOSCOPE_MPI_TYPE(6, short)
#define MPI_INT HALOSCOPE_MPI_TYPE(7, int)
#define MPI_UNSIGNED HALOSCOPE_MPI_TYPE(8, int)
#define MPI_LONG HALOSCOPE_MPI_TYPE(9, long)
#define MPI_UNSIGNED_LONG HALOSCOPE_MPI_TYPE(10, long)
#define MPI_LONG_LONG HALOSCOPE_MPI_TYPE(11, long long)
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_UNSIGNED_LONG_LONG HALOSCOPE_MPI_TYPE(12, long long)
#define MPI_FLOAT HALOSCOPE_MPI_TYPE(13, float)
#define MPI_DOUBLE HALOSCOPE_MPI_TYPE(14, double)
#define MPI_C_BOOL HALOSCOPE_MPI_TYPE(15, char)
#define MPI_INT32_T MPI_INT
#define MPI_UINT32_T MPI_UNSIGNED
#define MPI_INT64_T MPI_LONG
#define MPI_UINT64_T MPI_UNSIGNED_LONG
#define MPI_UINT8_T MPI_UNSIGNED_CHAR
#define MPI_FLOAT_INT HALOSCOPE_MPI_TYPE(16, struct { float a; int b; })
#define MPI_DOUBLE_INT HALOSCOPE_MPI_TYPE(17, double[2])
#define MPI_IN_PLACE ((void *)-1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_REQUEST_NULL ((MPI_Request)0)
#define MPI_BOTTOM ((void *)0)

enum { haloscope_mpi_own = 4096, haloscope_mpi_most = 256 };
struct haloscope_mpi_blocks { long blocks, bytes, stride; };  // the last block counts towards the extent, too
struct haloscope_mpi_message { int tag; size_t bytes; char *data; struct haloscope_mpi_message *next; };
struct haloscope_mpi_request { void *to; int count, tag, waits; MPI_Datatype type; };
static struct {
  struct haloscope_mpi_blocks types[haloscope_mpi_most];
  int count, begun, over;
  struct haloscope_mpi_message *messages;
} haloscope_mpi __attribute__((unused));

HALOSCOPE_MPI_CALL struct haloscope_mpi_blocks haloscope_mpi_blocks_of(MPI_Datatype type) {
  struct haloscope_mpi_blocks one = {1, type % 64, type % 64};
  return type >= haloscope_mpi_own ? haloscope_mpi.types[type - haloscope_mpi_own] : one;
}
HALOSCOPE_MPI_CALL long haloscope_mpi_size(MPI_Datatype type) { const struct haloscope_mpi_blocks one = haloscope_mpi_blocks_of(type); return one.blocks * one.bytes; }
HALOSCOPE_MPI_CALL long haloscope_mpi_extent(MPI_Datatype type) { const struct haloscope_mpi_blocks one = haloscope_mpi_blocks_of(type); return one.blocks ? (one.blocks - 1) * one.stride + one.bytes : 0; }
HALOSCOPE_MPI_CALL void haloscope_mpi_move(void *to, const void *from, size_t bytes) {
  if (bytes == 0 || to == from) return;
#ifdef HALOSCOPE_CALL
  if (haloscope_memory_kind(to) == 2 || haloscope_memory_kind(from) == 2) { cudaMemcpy(to, from, bytes, cudaMemcpyDefault); return; }
#endif
  memmove(to, from, bytes);
}
HALOSCOPE_MPI_CALL void haloscope_mpi_pack(char *to, const void *from, int count, MPI_Datatype type) {
  const struct haloscope_mpi_blocks one = haloscope_mpi_blocks_of(type);
  if (one.blocks == 1) { haloscope_mpi_move(to, from, (size_t)count * one.bytes); return; }
  for (int i = 0; i < count; ++i)
    for (long b = 0; b < one.blocks; ++b, to += one.bytes) haloscope_mpi_move(to, (const char *)from + i * haloscope_mpi_extent(type) + b * one.stride, (size_t)one.bytes);
}
HALOSCOPE_MPI_CALL void haloscope_mpi_unpack(void *to, const char *from, size_t bytes, MPI_Datatype type) {
  const struct haloscope_mpi_blocks one = haloscope_mpi_blocks_of(type);
  if (one.blocks == 1) { haloscope_mpi_move(to, from, bytes); return; }
  for (long i = 0; (size_t)((i + 1) * one.bytes) <= bytes; ++i)
    haloscope_mpi_move((char *)to + i / one.blocks * haloscope_mpi_extent(type) + i % one.blocks * one.stride, from + i * one.bytes, (size_t)one.bytes);
}
HALOSCOPE_MPI_CALL int haloscope_mpi_collect(const void *from, int count, MPI_Datatype type, void *to, MPI_Datatype as) {
  const size_t bytes = (size_t)count * haloscope_mpi_size(type);
  if (from == MPI_IN_PLACE || to == MPI_IN_PLACE || bytes == 0) return MPI_SUCCESS;
  char *packed = (char *)malloc(bytes);
  haloscope_mpi_pack(packed, from, count, type), haloscope_mpi_unpack(to, packed, bytes, as);
  return free(packed), MPI_SUCCESS;
}
HALOSCOPE_MPI_CALL void haloscope_mpi_told(MPI_Status *status, int source, int tag, size_t bytes) {
  if (status) status->MPI_SOURCE = source, status->MPI_TAG = tag, status->MPI_ERROR = MPI_SUCCESS, status->bytes = (int)bytes;
}

HALOSCOPE_MPI_CALL int MPI_Init(int *argc, char ***argv) { return (void)argc, (void)argv, haloscope_mpi.begun = 1, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Init_thread(int *argc, char ***argv, int wanted, int *given) { return *given = wanted, MPI_Init(argc, argv); }
HALOSCOPE_MPI_CALL int MPI_Initialized(int *is) { return *is = haloscope_mpi.begun, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Finalized(int *is) { return *is = haloscope_mpi.over, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Finalize(void) { return haloscope_mpi.over = 1, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Abort(MPI_Comm comm, int status) { (void)comm; exit(status); }
HALOSCOPE_MPI_CALL int MPI_Comm_rank(MPI_Comm comm, int *rank) { return (void)comm, *rank = 0, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Comm_size(MPI_Comm comm, int *size) { return (void)comm, *size = 1, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *other) { return *other = comm, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm *other) { return (void)key, *other = colour == MPI_UNDEFINED ? MPI_COMM_NULL : comm, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *other) { return (void)type, (void)key, (void)info, *other = comm, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Comm_free(MPI_Comm *comm) { return *comm = MPI_COMM_NULL, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) { return (void)comm, (void)handler, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Get_processor_name(char *name, int *length) { return strcpy(name, "haloscope"), *length = (int)strlen(name), MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Error_string(int error, char *text, int *length) { return *length = sprintf(text, "MPI error %d", error), MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Barrier(MPI_Comm comm) { return (void)comm, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL double MPI_Wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
HALOSCOPE_MPI_CALL double MPI_Wtick(void) { return 1e-9; }

HALOSCOPE_MPI_CALL int haloscope_mpi_type(MPI_Datatype *type, long blocks, long bytes, long stride) {
  if (haloscope_mpi.count == haloscope_mpi_most) return MPI_ERR_OTHER;
  const struct haloscope_mpi_blocks one = {blocks, bytes, stride};
  haloscope_mpi.types[haloscope_mpi.count] = one;
  return *type = haloscope_mpi_own + haloscope_mpi.count++, MPI_SUCCESS;
}
HALOSCOPE_MPI_CALL int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype *type) { return haloscope_mpi_type(type, 1, count * haloscope_mpi_size(of), count * haloscope_mpi_size(of)); }
HALOSCOPE_MPI_CALL int MPI_Type_vector(int blocks, int length, int stride, MPI_Datatype of, MPI_Datatype *type) {
  return haloscope_mpi_type(type, blocks, length * haloscope_mpi_size(of), stride * haloscope_mpi_size(of));
}
HALOSCOPE_MPI_CALL int MPI_Type_create_hvector(int blocks, int length, MPI_Aint stride, MPI_Datatype of, MPI_Datatype *type) { return haloscope_mpi_type(type, blocks, length * haloscope_mpi_size(of), stride); }
HALOSCOPE_MPI_CALL int MPI_Type_commit(MPI_Datatype *type) { return (void)type, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Type_free(MPI_Datatype *type) { return *type = MPI_DATATYPE_NULL, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Type_size(MPI_Datatype type, int *size) { return *size = (int)haloscope_mpi_size(type), MPI_SUCCESS; }

HALOSCOPE_MPI_CALL int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm) { return (void)data, (void)count, (void)type, (void)root, (void)comm, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) { return (void)op, (void)comm, haloscope_mpi_collect(from, count, type, to, type); }
HALOSCOPE_MPI_CALL int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) { return (void)root, MPI_Allreduce(from, to, count, type, op, comm); }
HALOSCOPE_MPI_CALL int MPI_Scan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) { return MPI_Allreduce(from, to, count, type, op, comm); }
HALOSCOPE_MPI_CALL int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int counts, MPI_Datatype as, MPI_Comm comm) { return (void)counts, (void)comm, haloscope_mpi_collect(from, count, type, to, as); }
HALOSCOPE_MPI_CALL int MPI_Alltoall(const void *from, int count, MPI_Datatype type, void *to, int counts, MPI_Datatype as, MPI_Comm comm) { return MPI_Allgather(from, count, type, to, counts, as, comm); }
HALOSCOPE_MPI_CALL int MPI_Gather(const void *from, int count, MPI_Datatype type, void *to, int counts, MPI_Datatype as, int root, MPI_Comm comm) { return (void)root, MPI_Allgather(from, count, type, to, counts, as, comm); }
HALOSCOPE_MPI_CALL int MPI_Scatter(const void *from, int count, MPI_Datatype type, void *to, int counts, MPI_Datatype as, int root, MPI_Comm comm) { return (void)root, MPI_Allgather(from, count, type, to, counts, as, comm); }
HALOSCOPE_MPI_CALL int MPI_Allgatherv(const void *from, int count, MPI_Datatype type, void *to, const int *counts, const int *at, MPI_Datatype as, MPI_Comm comm) {
  return (void)counts, (void)comm, haloscope_mpi_collect(from, count, type, to == MPI_IN_PLACE ? to : (char *)to + at[0] * haloscope_mpi_extent(as), as);
}
HALOSCOPE_MPI_CALL int MPI_Gatherv(const void *from, int count, MPI_Datatype type, void *to, const int *counts, const int *at, MPI_Datatype as, int root, MPI_Comm comm) {
  return (void)root, MPI_Allgatherv(from, count, type, to, counts, at, as, comm);
}
HALOSCOPE_MPI_CALL int MPI_Scatterv(const void *from, const int *counts, const int *at, MPI_Datatype type, void *to, int count, MPI_Datatype as, int root, MPI_Comm comm) {
  return (void)count, (void)root, (void)comm, haloscope_mpi_collect((const char *)from + at[0] * haloscope_mpi_extent(type), counts[0], type, to, as);
}

HALOSCOPE_MPI_CALL int MPI_Send(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  (void)comm;
  if (to == MPI_PROC_NULL) return MPI_SUCCESS;
  if (to != 0) { fprintf(stderr, "MPI: there is no rank %d, because there is one rank\n", to); abort(); }
  struct haloscope_mpi_message *one = (struct haloscope_mpi_message *)malloc(sizeof *one), **last = &haloscope_mpi.messages;
  one->tag = tag, one->bytes = (size_t)count * haloscope_mpi_size(type), one->next = NULL, one->data = (char *)malloc(one->bytes + 1);
  haloscope_mpi_pack(one->data, from, count, type);
  while (*last) last = &(*last)->next;
  return *last = one, MPI_SUCCESS;
}
HALOSCOPE_MPI_CALL int MPI_Ssend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { return MPI_Send(from, count, type, to, tag, comm); }
HALOSCOPE_MPI_CALL int haloscope_mpi_taken(void *to, int count, MPI_Datatype type, int tag, MPI_Status *status) {
  for (struct haloscope_mpi_message **at = &haloscope_mpi.messages; *at; at = &(*at)->next) {
    struct haloscope_mpi_message *one = *at;
    if (tag != MPI_ANY_TAG && one->tag != tag) continue;
    const size_t most = (size_t)count * haloscope_mpi_size(type), bytes = one->bytes < most ? one->bytes : most;
    haloscope_mpi_unpack(to, one->data, bytes, type);
    haloscope_mpi_told(status, 0, one->tag, bytes);
    *at = one->next;
    return free(one->data), free(one), 1;
  }
  return 0;
}
HALOSCOPE_MPI_CALL int MPI_Recv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
  (void)comm;
  if (from == MPI_PROC_NULL) return haloscope_mpi_told(status, MPI_PROC_NULL, MPI_ANY_TAG, 0), MPI_SUCCESS;
  if (haloscope_mpi_taken(to, count, type, tag, status)) return MPI_SUCCESS;
  fprintf(stderr, "MPI: a message with the tag %d is waited for that nothing has sent, because there is one rank\n", tag);
  abort();
}
HALOSCOPE_MPI_CALL int MPI_Sendrecv(const void *from, int count, MPI_Datatype type, int dest, int tag, void *to, int most, MPI_Datatype as, int source, int tagOf, MPI_Comm comm, MPI_Status *status) {
  MPI_Send(from, count, type, dest, tag, comm);
  return MPI_Recv(to, most, as, source, tagOf, comm, status);
}
HALOSCOPE_MPI_CALL int MPI_Sendrecv_replace(void *data, int count, MPI_Datatype type, int dest, int tag, int source, int tagOf, MPI_Comm comm, MPI_Status *status) {
  return MPI_Sendrecv(data, count, type, dest, tag, data, count, type, source, tagOf, comm, status);
}
HALOSCOPE_MPI_CALL int haloscope_mpi_asked(MPI_Request *request, void *to, int count, MPI_Datatype type, int tag, int waits) {
  *request = (MPI_Request)malloc(sizeof **request);
  (*request)->to = to, (*request)->count = count, (*request)->type = type, (*request)->tag = tag, (*request)->waits = waits;
  return MPI_SUCCESS;
}
HALOSCOPE_MPI_CALL int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  MPI_Send(from, count, type, to, tag, comm);
  return haloscope_mpi_asked(request, NULL, 0, MPI_BYTE, tag, 0);
}
HALOSCOPE_MPI_CALL int MPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
  return (void)comm, haloscope_mpi_asked(request, to, count, type, tag, from != MPI_PROC_NULL);
}
HALOSCOPE_MPI_CALL int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  MPI_Request one = *request;
  if (!one) return MPI_SUCCESS;
  if (one->waits) MPI_Recv(one->to, one->count, one->type, 0, one->tag, MPI_COMM_WORLD, status);
  else haloscope_mpi_told(status, MPI_PROC_NULL, one->tag, 0);
  return free(one), *request = MPI_REQUEST_NULL, MPI_SUCCESS;
}
HALOSCOPE_MPI_CALL int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
  for (int i = 0; i < count; ++i) MPI_Wait(&requests[i], statuses ? &statuses[i] : NULL);
  return MPI_SUCCESS;
}
HALOSCOPE_MPI_CALL int MPI_Test(MPI_Request *request, int *done, MPI_Status *status) { return *done = 1, MPI_Wait(request, status); }
HALOSCOPE_MPI_CALL int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) { return *count = status->bytes / (int)haloscope_mpi_size(type), MPI_SUCCESS; }

HALOSCOPE_MPI_CALL int MPI_Dims_create(int ranks, int dimensions, int *sizes) {
  (void)ranks;
  for (int i = 0; i < dimensions; ++i) if (sizes[i] == 0) sizes[i] = 1;
  return MPI_SUCCESS;
}
// A bit for each dimension that closes to a ring.
static int haloscope_mpi_rings __attribute__((unused));
HALOSCOPE_MPI_CALL int MPI_Cart_create(MPI_Comm comm, int dimensions, const int *sizes, const int *rings, int reorder, MPI_Comm *cart) {
  (void)sizes, (void)reorder, haloscope_mpi_rings = 0;
  for (int i = 0; i < dimensions && i < 31; ++i) haloscope_mpi_rings |= rings[i] ? 1 << i : 0;
  return *cart = comm, MPI_SUCCESS;
}
HALOSCOPE_MPI_CALL int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int *at) {
  (void)comm, (void)rank;
  for (int i = 0; i < most; ++i) at[i] = 0;
  return MPI_SUCCESS;
}
HALOSCOPE_MPI_CALL int MPI_Cart_rank(MPI_Comm comm, const int *at, int *rank) { return (void)comm, (void)at, *rank = 0, MPI_SUCCESS; }
HALOSCOPE_MPI_CALL int MPI_Cart_shift(MPI_Comm comm, int dimension, int by, int *source, int *to) {
  (void)comm;
  const int other = by == 0 || (haloscope_mpi_rings >> dimension & 1) ? 0 : MPI_PROC_NULL;
  return *source = *to = other, MPI_SUCCESS;
}
#endif
)cuda";

}  // namespace haloscope::host
