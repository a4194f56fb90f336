#pragma once

namespace haloscope::host {

/// NCCL for the GPUs of one process. What is sent is copied in the receiver's stream once both streams have come to it,
/// and both go on when it has arrived: events say so, as a program would.
inline constexpr char kNcclHeader[] = R"cuda(#ifndef HALOSCOPE_NCCL
#define HALOSCOPE_NCCL
#include <stdio.h>
#include <stdlib.h>
#include <vector>
#define NCCL_MAJOR 2
#define NCCL_MINOR 27
#define NCCL_VERSION_CODE 22700
#define NCCL_UNIQUE_ID_BYTES 128
typedef struct { char internal[NCCL_UNIQUE_ID_BYTES]; } ncclUniqueId;
typedef enum { ncclSuccess, ncclUnhandledCudaError, ncclSystemError, ncclInternalError, ncclInvalidArgument, ncclInvalidUsage, ncclRemoteError, ncclInProgress } ncclResult_t;
typedef enum {
  ncclInt8, ncclChar = 0, ncclUint8, ncclInt32, ncclInt = 2, ncclUint32, ncclInt64, ncclUint64, ncclFloat16, ncclHalf = 6,
  ncclFloat32, ncclFloat = 7, ncclFloat64, ncclDouble = 8, ncclBfloat16
} ncclDataType_t;
struct haloscope_nccl_world { int ranks, left; std::vector<int> devices; };
struct haloscope_nccl_comm { haloscope_nccl_world *world; int rank; };
typedef haloscope_nccl_comm *ncclComm_t;
// A half of a transfer, which waits for the other one.
struct haloscope_nccl_half {
  ncclComm_t comm; int peer; bool sends; void *data; size_t bytes; cudaStream_t stream; haloscope_place at; void *event; int other;
};
inline std::vector<haloscope_nccl_half> haloscope_nccl_halves;
inline int haloscope_nccl_depth = 0;
inline const haloscope_place haloscope_nccl_silent = {nullptr, 0};

// A stream may be a GPU's default stream.
struct haloscope_nccl_on {
  int before = haloscope_device_used();
  explicit haloscope_nccl_on(const haloscope_nccl_half &one) { haloscope_use_device(one.comm->world->devices[one.comm->rank]); }
  ~haloscope_nccl_on() { haloscope_use_device(before); }
};
inline void haloscope_nccl_record(haloscope_nccl_half &one) {
  const haloscope_nccl_on on(one);
  if (!one.event) one.event = haloscope_create(2, 0, haloscope_nccl_silent);
  haloscope_record(one.event, one.stream, haloscope_nccl_silent);
}
inline void haloscope_nccl_wait(const haloscope_nccl_half &one, const haloscope_nccl_half &other) {
  const haloscope_nccl_on on(one);
  haloscope_wait(one.stream, other.event, haloscope_nccl_silent);
}
[[noreturn]] inline void haloscope_nccl_fail(const haloscope_nccl_half &one, const char *what) {
  fprintf(stderr, "NCCL: rank %d %s rank %d %s\n", one.comm->rank, one.sends ? "sends to" : "receives from", one.peer, what);
  abort();
}
inline ncclResult_t haloscope_nccl_run() {
  std::vector<haloscope_nccl_half> all;
  all.swap(haloscope_nccl_halves);
  for (size_t i = 0; i < all.size(); ++i) {
    haloscope_nccl_half &to = all[i];
    for (size_t j = 0; j < all.size() && !to.sends && to.other < 0; ++j) {
      haloscope_nccl_half &from = all[j];
      if (!from.sends || from.other >= 0 || from.comm->world != to.comm->world || from.comm->rank != to.peer || from.peer != to.comm->rank) continue;
      if (from.bytes != to.bytes) haloscope_nccl_fail(to, "another number of bytes than that one sends");
      to.other = (int)j, from.other = (int)i;
    }
  }
  for (haloscope_nccl_half &one : all) if (one.other >= 0) haloscope_nccl_record(one);
  ncclResult_t result = ncclSuccess;
  for (haloscope_nccl_half &one : all) {
    if (one.sends || one.other < 0) continue;
    const haloscope_nccl_half &from = all[one.other];
    haloscope_nccl_wait(one, from);
    const haloscope_nccl_on on(one);
    const haloscope_rows rows = {one.data, one.bytes, from.data, one.bytes, one.bytes, 1};
    if (haloscope_copy(&rows, cudaMemcpyDeviceToDevice, 2, one.stream, one.at)) result = ncclUnhandledCudaError;
  }
  for (haloscope_nccl_half &one : all) if (!one.sends && one.other >= 0) haloscope_nccl_record(one);
  for (const haloscope_nccl_half &one : all) if (one.sends && one.other >= 0) haloscope_nccl_wait(one, all[one.other]);
  for (haloscope_nccl_half &one : all) {
    if (one.other < 0) haloscope_nccl_halves.push_back(one);
    else haloscope_destroy(2, one.event, haloscope_nccl_silent);
  }
  return result;
}

inline size_t haloscope_nccl_size(ncclDataType_t type) {
  const size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return (unsigned)type < sizeof sizes / sizeof *sizes ? sizes[type] : 0;
}
inline ncclResult_t haloscope_nccl_add(void *data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream, bool sends, haloscope_place at) {
  if (!comm || peer < 0 || peer >= comm->world->ranks || !haloscope_nccl_size(type)) return ncclInvalidArgument;
  haloscope_nccl_halves.push_back({comm, peer, sends, data, count * haloscope_nccl_size(type), stream, at, nullptr, -1});
  return haloscope_nccl_depth > 0 ? ncclSuccess : haloscope_nccl_run();
}
HALOSCOPE_CALL ncclResult_t ncclSend(const void *data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream, HALOSCOPE_AT) {
  return haloscope_nccl_add((void *)data, count, type, peer, comm, stream, true, at);
}
HALOSCOPE_CALL ncclResult_t ncclRecv(void *data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream, HALOSCOPE_AT) {
  return haloscope_nccl_add(data, count, type, peer, comm, stream, false, at);
}
inline ncclResult_t ncclGroupStart() { return ++haloscope_nccl_depth, ncclSuccess; }
inline ncclResult_t ncclGroupEnd() {
  if (haloscope_nccl_depth == 0) return ncclInvalidUsage;
  return --haloscope_nccl_depth > 0 ? ncclSuccess : haloscope_nccl_run();
}
inline ncclResult_t ncclCommInitAll(ncclComm_t *comms, int ranks, const int *devices) {
  if (ranks < 1) return ncclInvalidArgument;
  haloscope_nccl_world *world = new haloscope_nccl_world{ranks, ranks, {}};
  for (int i = 0; i < ranks; ++i) {
    const int device = devices ? devices[i] : i;
    if (!haloscope_has_device(device)) return ncclInvalidArgument;
    world->devices.push_back(device), comms[i] = new haloscope_nccl_comm{world, i};
  }
  return ncclSuccess;
}
inline ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  for (const haloscope_nccl_half &one : haloscope_nccl_halves)
    if (one.comm == comm) haloscope_nccl_fail(one, one.sends ? "what that one never receives" : "what that one never sends");
  if (--comm->world->left == 0) delete comm->world;
  return delete comm, ncclSuccess;
}
inline ncclResult_t ncclCommFinalize(ncclComm_t) { return ncclSuccess; }
inline ncclResult_t ncclCommCount(const ncclComm_t comm, int *count) { return *count = comm->world->ranks, ncclSuccess; }
inline ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank) { return *rank = comm->rank, ncclSuccess; }
inline ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device) { return *device = comm->world->devices[comm->rank], ncclSuccess; }
inline ncclResult_t ncclGetVersion(int *version) { return *version = NCCL_VERSION_CODE, ncclSuccess; }
inline const char *ncclGetErrorString(ncclResult_t result) {
  const char *texts[] = {"no error", "unhandled cuda error", "unhandled system error", "internal error", "invalid argument", "invalid usage", "remote process exited or there was a network error", "NCCL operation in progress"};
  return (unsigned)result < sizeof texts / sizeof *texts ? texts[result] : "unknown result code";
}
#endif
)cuda";

}  // namespace haloscope::host
