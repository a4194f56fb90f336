#pragma once

/// What takes the place of CUDA's headers where the host half of a program is compiled: the runtime's types
/// (RuntimeTypes.h), and here its functions as calls of those in Runtime.h. Most have a last parameter,
/// `haloscope_place`, that the compiler fills in with the place of the call.
namespace haloscope::host {

inline constexpr char kRuntimeFunctions[] = R"cuda(
// The place of a call. As a default argument, the built-ins give the caller's.
struct haloscope_place { const char *file; int line; };
#define HALOSCOPE_AT haloscope_place at = {__builtin_FILE(), __builtin_LINE()}
struct haloscope_rows { void *destination; size_t destinationPitch; const void *source; size_t sourcePitch, width, height; };
// See VariableArrays.h.
template <typename T, typename... Values>
void haloscope_assign(T *first, size_t bytes, Values... values) {
  const T all[] = {static_cast<T>(values)..., T()};
  for (size_t i = 0; i < bytes / sizeof(T); ++i) first[i] = all[i < sizeof...(values) ? i : sizeof...(values)];
}
extern "C" {
void *haloscope_allocate(size_t bytes, int memory, haloscope_place at);
void *haloscope_allocate_in(size_t bytes, void *stream, haloscope_place at);
int haloscope_fail(int error);
int haloscope_failure(void);
void haloscope_register(void *memory, size_t bytes, haloscope_place at);
int haloscope_free(void *memory, int host, haloscope_place at);
int haloscope_free_in(void *memory, void *stream, haloscope_place at);
int haloscope_copy(const haloscope_rows *rows, int kind, int asynchronous, void *stream, haloscope_place at);
int haloscope_fill(void *memory, size_t pitch, int value, size_t width, size_t height, int asynchronous, void *stream, haloscope_place at);
// How: whether it is to the symbol, and whether it is asynchronous.
int haloscope_symbol_copy(const void *symbol, void *host, size_t bytes, size_t offset, const int *how, void *stream, haloscope_place at);
void *haloscope_symbol_address(const void *symbol, haloscope_place at);
void haloscope_configure(const unsigned *grid, const unsigned *block, size_t shared, void *stream, haloscope_place at);
// How: whether it is cooperative; the blocks of a cluster along x, y and z, or zeros.
int haloscope_launch(const void *kernel, const unsigned *grid, const unsigned *block, void **arguments, size_t shared,
                     void *stream, const unsigned *how, haloscope_place at);
int haloscope_synchronize(int what, const void *object, haloscope_place at);
void *haloscope_create(int what, unsigned flags, haloscope_place at);
int haloscope_destroy(int what, void *object, haloscope_place at);
int haloscope_record(void *event, void *stream, haloscope_place at);
int haloscope_wait(void *stream, void *event, haloscope_place at);
int haloscope_elapsed(float *milliseconds, void *start, void *end, haloscope_place at);
int haloscope_error(int clear, haloscope_place at);
int haloscope_set_attribute(const void *kernel, int attribute, int value, haloscope_place at);
long long haloscope_kernel_property(const void *kernel, const char *name, long long threads, long long shared);
long long haloscope_property(const char *name);
void haloscope_use_device(int device);
int haloscope_device_used(void);
void haloscope_enable_peer(int device, haloscope_place at);
void haloscope_device_name(char *name, size_t bytes);
int haloscope_memory_kind(const void *memory);
[[noreturn]] void haloscope_unsupported(const char *function, haloscope_place at);
}
#define HALOSCOPE_CALL inline __attribute__((always_inline))
#define HALOSCOPE_RUNTIME HALOSCOPE_CALL cudaError_t

// An error that no other process needs to know of.
inline cudaError_t haloscope_failed(cudaError_t error) { return (cudaError_t)haloscope_fail(error); }

// Memory. 0: on the device, 1: managed, 2: the host's, page-locked.
HALOSCOPE_RUNTIME haloscope_allocated(void **p, size_t bytes, int memory, haloscope_place at) {
  *p = haloscope_allocate(bytes, memory, at);
  return *p || !bytes ? cudaSuccess : (cudaError_t)haloscope_failure();
}
#define HALOSCOPE_ALLOCATING(NAME, PARAMETERS, MEMORY) \
  HALOSCOPE_RUNTIME NAME(void **p, size_t bytes PARAMETERS, HALOSCOPE_AT) { return haloscope_allocated(p, bytes, MEMORY, at); } \
  template <class T> HALOSCOPE_RUNTIME NAME(T **p, size_t bytes PARAMETERS, HALOSCOPE_AT) { \
    return haloscope_allocated((void **)p, bytes, MEMORY, at); }
#define HALOSCOPE_NOTHING
#define HALOSCOPE_FLAGS , unsigned int
#define HALOSCOPE_NO_FLAGS , unsigned int = 0
#define HALOSCOPE_ATTACH , unsigned int = cudaMemAttachGlobal
HALOSCOPE_ALLOCATING(cudaMalloc, HALOSCOPE_NOTHING, 0)
HALOSCOPE_ALLOCATING(cudaMallocManaged, HALOSCOPE_ATTACH, 1)
HALOSCOPE_ALLOCATING(cudaMallocHost, HALOSCOPE_NO_FLAGS, 2)
HALOSCOPE_ALLOCATING(cudaHostAlloc, HALOSCOPE_FLAGS, 2)
template <class T> HALOSCOPE_RUNTIME cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream, HALOSCOPE_AT) {
  *p = (T *)haloscope_allocate_in(bytes, stream, at);
  return *p || !bytes ? cudaSuccess : (cudaError_t)haloscope_failure();
}
constexpr size_t haloscope_pitch(size_t width) { return (width + 511) / 512 * 512; }
template <class T> HALOSCOPE_RUNTIME cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height, HALOSCOPE_AT) {
  *pitch = haloscope_pitch(width);
  return haloscope_allocated((void **)p, *pitch * height, 0, at);
}
HALOSCOPE_RUNTIME cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent, HALOSCOPE_AT) {
  p->pitch = haloscope_pitch(extent.width), p->xsize = extent.width, p->ysize = extent.height;
  return haloscope_allocated(&p->ptr, p->pitch * extent.height * extent.depth, 0, at);
}
HALOSCOPE_RUNTIME cudaFree(void *p, HALOSCOPE_AT) { return (cudaError_t)haloscope_free(p, 0, at); }
HALOSCOPE_RUNTIME cudaFreeAsync(void *p, cudaStream_t stream, HALOSCOPE_AT) { return (cudaError_t)haloscope_free_in(p, stream, at); }
HALOSCOPE_RUNTIME cudaFreeHost(void *p, HALOSCOPE_AT) { return (cudaError_t)haloscope_free(p, 1, at); }
HALOSCOPE_RUNTIME cudaHostRegister(void *p, size_t bytes, unsigned int, HALOSCOPE_AT) { return haloscope_register(p, bytes, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaHostUnregister(void *p, HALOSCOPE_AT) { return (cudaError_t)haloscope_free(p, 1, at); }
template <class T> HALOSCOPE_RUNTIME cudaHostGetDevicePointer(T **p, void *host, unsigned int) { return *p = (T *)host, cudaSuccess; }
HALOSCOPE_RUNTIME cudaMemGetInfo(size_t *free, size_t *total) {
  return *total = (size_t)haloscope_property("totalGlobalMem"), *free = *total - *total / 32, cudaSuccess;
}
HALOSCOPE_RUNTIME cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaStreamAttachMemAsync(cudaStream_t, void *, size_t = 0, unsigned int = cudaMemAttachSingle) { return cudaSuccess; }
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *p) {
  *attributes = {(cudaMemoryType)haloscope_memory_kind(p), 0, (void *)p, (void *)p};
  if (attributes->type == cudaMemoryTypeDevice) attributes->hostPointer = nullptr;
  if (attributes->type == cudaMemoryTypeUnregistered) attributes->devicePointer = nullptr;
  return cudaSuccess;
}

HALOSCOPE_RUNTIME haloscope_copied(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                                   int kind, int asynchronous, cudaStream_t stream, haloscope_place at) {
  haloscope_rows rows = {to, toPitch, from, fromPitch, width, height};
  return (cudaError_t)haloscope_copy(&rows, kind, asynchronous, stream, at);
}
HALOSCOPE_RUNTIME cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, HALOSCOPE_AT) {
  return haloscope_copied(to, bytes, from, bytes, bytes, 1, kind, 0, 0, at);
}
HALOSCOPE_RUNTIME cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = 0, HALOSCOPE_AT) {
  return haloscope_copied(to, bytes, from, bytes, bytes, 1, kind, 1, stream, at);
}
HALOSCOPE_RUNTIME cudaMemcpyPeer(void *to, int, const void *from, int, size_t bytes, HALOSCOPE_AT) {
  return haloscope_copied(to, bytes, from, bytes, bytes, 1, cudaMemcpyDeviceToDevice, 0, 0, at);
}
HALOSCOPE_RUNTIME cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t stream = 0, HALOSCOPE_AT) {
  return haloscope_copied(to, bytes, from, bytes, bytes, 1, cudaMemcpyDeviceToDevice, 1, stream, at);
}
HALOSCOPE_RUNTIME cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                               cudaMemcpyKind kind, HALOSCOPE_AT) {
  if (width > toPitch || width > fromPitch) return haloscope_failed(cudaErrorInvalidPitchValue);
  return haloscope_copied(to, toPitch, from, fromPitch, width, height, kind, 0, 0, at);
}
HALOSCOPE_RUNTIME cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                                    cudaMemcpyKind kind, cudaStream_t stream = 0, HALOSCOPE_AT) {
  if (width > toPitch || width > fromPitch) return haloscope_failed(cudaErrorInvalidPitchValue);
  return haloscope_copied(to, toPitch, from, fromPitch, width, height, kind, 1, stream, at);
}
inline cudaError_t haloscope_copied_3d(const cudaMemcpy3DParms *p, int asynchronous, cudaStream_t stream, haloscope_place at) {
  // Of an array positions are in texels, and if there is one, so is the width.
  const cudaPitchedPtr from = p->srcArray ? haloscope_rows_of(p->srcArray) : p->srcPtr;
  const cudaPitchedPtr to = p->dstArray ? haloscope_rows_of(p->dstArray) : p->dstPtr;
  const size_t fromTexel = p->srcArray ? p->srcArray->texel : 1, toTexel = p->dstArray ? p->dstArray->texel : 1;
  const size_t width = p->extent.width * (p->srcArray ? fromTexel : toTexel);
  for (size_t z = 0; z < p->extent.depth; ++z) {
    const cudaError_t error = haloscope_copied(
        (char *)to.ptr + ((p->dstPos.z + z) * to.ysize + p->dstPos.y) * to.pitch + p->dstPos.x * toTexel, to.pitch,
        (char *)from.ptr + ((p->srcPos.z + z) * from.ysize + p->srcPos.y) * from.pitch + p->srcPos.x * fromTexel, from.pitch,
        width, p->extent.height, p->kind, asynchronous, stream, at);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
HALOSCOPE_RUNTIME cudaMemcpy3D(const cudaMemcpy3DParms *p, HALOSCOPE_AT) { return haloscope_copied_3d(p, 0, 0, at); }
HALOSCOPE_RUNTIME cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream = 0, HALOSCOPE_AT) { return haloscope_copied_3d(p, 1, stream, at); }
HALOSCOPE_RUNTIME cudaMemset(void *p, int value, size_t bytes, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_fill(p, bytes, value, bytes, 1, 0, 0, at);
}
HALOSCOPE_RUNTIME cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream = 0, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_fill(p, bytes, value, bytes, 1, 1, stream, at);
}
HALOSCOPE_RUNTIME cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_fill(p, pitch, value, width, height, 0, 0, at);
}
HALOSCOPE_RUNTIME cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream = 0, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_fill(p, pitch, value, width, height, 1, stream, at);
}
HALOSCOPE_RUNTIME cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_fill(p.ptr, p.pitch, value, extent.width, extent.height * extent.depth, 0, 0, at);
}
inline cudaError_t haloscope_symbol_copied(const void *symbol, const void *host, size_t bytes, size_t offset, int toSymbol,
                                           int asynchronous, cudaStream_t stream, haloscope_place at) {
  const int how[2] = {toSymbol, asynchronous};
  return (cudaError_t)haloscope_symbol_copy(symbol, (void *)host, bytes, offset, how, stream, at);
}
template <class T> HALOSCOPE_RUNTIME cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                                        cudaMemcpyKind = cudaMemcpyHostToDevice, HALOSCOPE_AT) {
  return haloscope_symbol_copied((const void *)&symbol, from, bytes, offset, 1, 0, 0, at);
}
template <class T> HALOSCOPE_RUNTIME cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                                             cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t stream = 0, HALOSCOPE_AT) {
  return haloscope_symbol_copied((const void *)&symbol, from, bytes, offset, 1, 1, stream, at);
}
template <class T> HALOSCOPE_RUNTIME cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                          cudaMemcpyKind = cudaMemcpyDeviceToHost, HALOSCOPE_AT) {
  return haloscope_symbol_copied((const void *)&symbol, to, bytes, offset, 0, 0, 0, at);
}
template <class T> HALOSCOPE_RUNTIME cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                               cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0, HALOSCOPE_AT) {
  return haloscope_symbol_copied((const void *)&symbol, to, bytes, offset, 0, 1, stream, at);
}
template <class P, class T> HALOSCOPE_RUNTIME cudaGetSymbolAddress(P **p, const T &symbol, HALOSCOPE_AT) {
  return (*p = (P *)haloscope_symbol_address((const void *)&symbol, at)) ? cudaSuccess : cudaErrorInvalidSymbol;
}
template <class T> HALOSCOPE_RUNTIME cudaGetSymbolSize(size_t *bytes, const T &) { return *bytes = sizeof(T), cudaSuccess; }

// Launches.
extern "C" {
inline unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0, HALOSCOPE_AT) {
  haloscope_configure(&grid.x, &block.x, shared, stream, at);
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
// The functions that launch a kernel call this one, and Clang looks for it by its name.
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);
}
template <class F> HALOSCOPE_RUNTIME haloscope_launched(haloscope_place at, int cooperative, F *kernel, dim3 grid, dim3 block,
                                                        void **arguments, size_t shared = 0, cudaStream_t stream = 0) {
  const unsigned how[4] = {(unsigned)cooperative, 0, 0, 0};
  return (cudaError_t)haloscope_launch((const void *)kernel, &grid.x, &block.x, arguments, shared, stream, how, at);
}
#define HALOSCOPE_HERE haloscope_place{__builtin_FILE(), __builtin_LINE()}
#define cudaLaunchKernel(...) haloscope_launched(HALOSCOPE_HERE, 0, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(...) haloscope_launched(HALOSCOPE_HERE, 1, __VA_ARGS__)
template <class T> struct haloscope_itself { typedef T type; };
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative,
  cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6, cudaLaunchAttributePriority = 8
};
union cudaLaunchAttributeValue {
  char pad[64]; int cooperative, priority, programmaticStreamSerializationAllowed;
  struct { unsigned int x, y, z; } clusterDim;
};
struct cudaLaunchAttribute { cudaLaunchAttributeID id; char pad[4]; cudaLaunchAttributeValue val; };
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim; size_t dynamicSmemBytes; cudaStream_t stream; cudaLaunchAttribute *attrs; unsigned int numAttrs;
};
template <class... P> inline cudaError_t haloscope_launched_with(haloscope_place at, const cudaLaunchConfig_t *config,
                                                                 void (*kernel)(P...), typename haloscope_itself<P>::type... arguments) {
  unsigned how[4] = {};
  for (unsigned int i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttributeValue &value = config->attrs[i].val;
    if (config->attrs[i].id == cudaLaunchAttributeCooperative) how[0] = (unsigned)value.cooperative;
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
      how[1] = value.clusterDim.x, how[2] = value.clusterDim.y, how[3] = value.clusterDim.z;
  }
  void *pointers[] = {(void *)&arguments..., nullptr};
  return (cudaError_t)haloscope_launch((const void *)kernel, &config->gridDim.x, &config->blockDim.x, pointers,
                                       config->dynamicSmemBytes, config->stream, how, at);
}
#define cudaLaunchKernelEx(...) haloscope_launched_with(HALOSCOPE_HERE, __VA_ARGS__)
template <class F> HALOSCOPE_RUNTIME cudaFuncSetAttribute(F *kernel, cudaFuncAttribute attribute, int value, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_set_attribute((const void *)kernel, attribute, value, at);
}
template <class F> HALOSCOPE_RUNTIME cudaFuncSetCacheConfig(F *, cudaFuncCache) { return cudaSuccess; }
template <class F> HALOSCOPE_RUNTIME cudaFuncSetSharedMemConfig(F *, cudaSharedMemConfig) { return cudaSuccess; }
template <class F> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *kernel) {
  *attributes = {};
  attributes->sharedSizeBytes = (size_t)haloscope_kernel_property((const void *)kernel, "sharedSizeBytes", 0, 0);
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;
  attributes->binaryVersion = attributes->ptxVersion =
      (int)(haloscope_property("major") * 10 + haloscope_property("minor"));
  return cudaSuccess;
}
template <class F> HALOSCOPE_RUNTIME cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *kernel, int threads, size_t shared) {
  return *blocks = (int)haloscope_kernel_property((const void *)kernel, "blocksPerMultiprocessor", threads, (long long)shared), cudaSuccess;
}
template <class F> HALOSCOPE_RUNTIME cudaOccupancyMaxPotentialBlockSize(int *grid, int *threads, F *kernel, size_t shared = 0, int limit = 0) {
  *threads = limit > 0 && limit < 1024 ? limit : 1024;
  *grid = (int)(haloscope_property("multiProcessorCount") *
                haloscope_kernel_property((const void *)kernel, "blocksPerMultiprocessor", *threads, (long long)shared));
  return cudaSuccess;
}
template <class F> HALOSCOPE_RUNTIME cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, F *kernel, int threads, size_t shared, unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared);
}
template <class F> HALOSCOPE_RUNTIME cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *threads, F *kernel, size_t shared = 0, int limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, threads, kernel, shared, limit);
}
// The largest block, in whole warps, of the fewest blocks that keep the most threads resident.
template <class S, class F> inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *threads, F *kernel, S sharedOf, int limit = 0) {
  long long most = 0;
  *grid = *threads = 0;
  for (int size = limit > 0 && limit < 1024 ? limit : 1024; size > 0; size = (size - 1) / 32 * 32) {
    const long long blocks = haloscope_kernel_property((const void *)kernel, "blocksPerMultiprocessor", size, (long long)sharedOf(size));
    if (blocks * size <= most) continue;
    most = blocks * size, *threads = size, *grid = (int)(haloscope_property("multiProcessorCount") * blocks);
  }
  return cudaSuccess;
}
template <class S, class F> inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *threads, F *kernel, S sharedOf, int limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, threads, kernel, sharedOf, limit);
}
template <class F> inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, F *kernel, int blocks, int) {
  const long long own = haloscope_kernel_property((const void *)kernel, "sharedSizeBytes", 0, 0);
  const long long most = haloscope_property("sharedMemPerBlock"), each = haloscope_property("sharedMemPerMultiprocessor") / (blocks > 0 ? blocks : 1);
  return *bytes = (size_t)((each < most ? each : most) > own ? (each < most ? each : most) - own : 0), cudaSuccess;
}

// Waiting. 0: for the device, 1: a stream, 2: an event.
HALOSCOPE_RUNTIME cudaDeviceSynchronize(HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(0, nullptr, at); }
HALOSCOPE_RUNTIME cudaThreadSynchronize(HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(0, nullptr, at); }
HALOSCOPE_RUNTIME cudaStreamSynchronize(cudaStream_t stream, HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(1, stream, at); }
HALOSCOPE_RUNTIME cudaStreamQuery(cudaStream_t stream, HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(1, stream, at); }
HALOSCOPE_RUNTIME cudaEventSynchronize(cudaEvent_t event, HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(2, event, at); }
HALOSCOPE_RUNTIME cudaEventQuery(cudaEvent_t event, HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(2, event, at); }
HALOSCOPE_RUNTIME cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int = 0, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_wait(stream, event, at);
}
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
extern "C" int haloscope_capture_call(const void *stream, cudaHostFn_t function, void *data, haloscope_place at);
// What is in a stream is done when it is asked for: its host functions are called at once.
HALOSCOPE_RUNTIME cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data, HALOSCOPE_AT) {
  if (haloscope_capture_call(stream, function, data, at)) return cudaSuccess;
  const cudaError_t error = (cudaError_t)haloscope_synchronize(1, stream, at);
  return function(data), error;
}
HALOSCOPE_RUNTIME cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned int, HALOSCOPE_AT) {
  const cudaError_t error = (cudaError_t)haloscope_synchronize(1, stream, at);
  return function(stream, error, data), cudaSuccess;
}
HALOSCOPE_RUNTIME cudaStreamCreate(cudaStream_t *stream, HALOSCOPE_AT) { return *stream = (cudaStream_t)haloscope_create(1, 0, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags, HALOSCOPE_AT) { return *stream = (cudaStream_t)haloscope_create(1, flags, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int, HALOSCOPE_AT) { return *stream = (cudaStream_t)haloscope_create(1, flags, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaStreamDestroy(cudaStream_t stream, HALOSCOPE_AT) { return (cudaError_t)haloscope_destroy(1, stream, at); }
HALOSCOPE_RUNTIME cudaEventCreate(cudaEvent_t *event, HALOSCOPE_AT) { return *event = (cudaEvent_t)haloscope_create(2, 0, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int, HALOSCOPE_AT) { return *event = (cudaEvent_t)haloscope_create(2, 0, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaEventDestroy(cudaEvent_t event, HALOSCOPE_AT) { return (cudaError_t)haloscope_destroy(2, event, at); }
HALOSCOPE_RUNTIME cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0, HALOSCOPE_AT) { return (cudaError_t)haloscope_record(event, stream, at); }
HALOSCOPE_RUNTIME cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_elapsed(milliseconds, start, end, at);
}
HALOSCOPE_RUNTIME cudaGetLastError(HALOSCOPE_AT) { return (cudaError_t)haloscope_error(1, at); }
HALOSCOPE_RUNTIME cudaPeekAtLastError(HALOSCOPE_AT) { return (cudaError_t)haloscope_error(0, at); }

// The devices, which are all alike.
inline bool haloscope_has_device(int device) { return device >= 0 && device < haloscope_property("deviceCount"); }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
  if (!haloscope_has_device(device)) return haloscope_failed(cudaErrorInvalidDevice);
  *p = {};
  haloscope_device_name(p->name, sizeof p->name);
#define HALOSCOPE_PROPERTY(NAME) p->NAME = (decltype(p->NAME))haloscope_property(#NAME)
  HALOSCOPE_PROPERTY(totalGlobalMem); HALOSCOPE_PROPERTY(sharedMemPerBlock); HALOSCOPE_PROPERTY(regsPerBlock);
  HALOSCOPE_PROPERTY(clockRate); HALOSCOPE_PROPERTY(major); HALOSCOPE_PROPERTY(minor);
  HALOSCOPE_PROPERTY(multiProcessorCount); HALOSCOPE_PROPERTY(memoryClockRate); HALOSCOPE_PROPERTY(memoryBusWidth);
  HALOSCOPE_PROPERTY(l2CacheSize); HALOSCOPE_PROPERTY(maxThreadsPerMultiProcessor);
  HALOSCOPE_PROPERTY(sharedMemPerMultiprocessor); HALOSCOPE_PROPERTY(regsPerMultiprocessor);
  HALOSCOPE_PROPERTY(sharedMemPerBlockOptin); HALOSCOPE_PROPERTY(maxBlocksPerMultiProcessor);
#undef HALOSCOPE_PROPERTY
  p->warpSize = 32, p->maxThreadsPerBlock = 1024, p->totalConstMem = 65536, p->memPitch = 2147483647;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->textureAlignment = 512, p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->managedMemory = 1;
  p->concurrentManagedAccess = p->cooperativeLaunch = p->deviceOverlap = 1, p->asyncEngineCount = 2;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp p;
  const cudaError_t error = cudaGetDeviceProperties(&p, device);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrTotalConstantMemory: *value = (int)p.totalConstMem; break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = (int)p.sharedMemPerMultiprocessor; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = (int)p.sharedMemPerBlockOptin; break;
    case cudaDevAttrManagedMemory: case cudaDevAttrConcurrentManagedAccess: case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
    default: *value = 0;
  }
  return error;
}
HALOSCOPE_RUNTIME cudaGetDeviceCount(int *count) { return *count = (int)haloscope_property("deviceCount"), cudaSuccess; }
HALOSCOPE_RUNTIME cudaSetDevice(int device) {
  return haloscope_has_device(device) ? (haloscope_use_device(device), cudaSuccess) : haloscope_failed(cudaErrorInvalidDevice);
}
HALOSCOPE_RUNTIME cudaGetDevice(int *device) { return *device = haloscope_device_used(), cudaSuccess; }
HALOSCOPE_RUNTIME cudaChooseDevice(int *device, const cudaDeviceProp *) { return *device = 0, cudaSuccess; }
HALOSCOPE_RUNTIME cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceReset(HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(3, nullptr, at); }
HALOSCOPE_RUNTIME cudaThreadExit(HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(3, nullptr, at); }
HALOSCOPE_RUNTIME cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceGetLimit(size_t *value, cudaLimit) { return *value = 1024, cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceGetStreamPriorityRange(int *least, int *greatest) { return *least = *greatest = 0, cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceCanAccessPeer(int *can, int one, int other) {
  return *can = one != other && haloscope_has_device(one) && haloscope_has_device(other), cudaSuccess;
}
HALOSCOPE_RUNTIME cudaDeviceEnablePeerAccess(int peer, unsigned int, HALOSCOPE_AT) {
  if (!haloscope_has_device(peer) || peer == haloscope_device_used()) return haloscope_failed(cudaErrorInvalidDevice);
  return haloscope_enable_peer(peer, at), cudaSuccess;
}
HALOSCOPE_RUNTIME cudaRuntimeGetVersion(int *version) { return *version = CUDART_VERSION, cudaSuccess; }
HALOSCOPE_RUNTIME cudaDriverGetVersion(int *version) { return *version = CUDA_VERSION, cudaSuccess; }
inline void cudaProfilerStart() {}
inline void cudaProfilerStop() {}

// Refused by name, at the call.
#define HALOSCOPE_REFUSED(NAME) \
  template <class... T> inline cudaError_t haloscope_refused_##NAME(haloscope_place at, T &&...) { haloscope_unsupported(#NAME, at); }
HALOSCOPE_REFUSED(cudaMallocMipmappedArray) HALOSCOPE_REFUSED(cudaMemcpy2DArrayToArray)
HALOSCOPE_REFUSED(cudaIpcGetMemHandle)
#define cudaMallocMipmappedArray(...) haloscope_refused_cudaMallocMipmappedArray(HALOSCOPE_HERE, __VA_ARGS__)
#define cudaMemcpy2DArrayToArray(...) haloscope_refused_cudaMemcpy2DArrayToArray(HALOSCOPE_HERE, __VA_ARGS__)
#define cudaIpcGetMemHandle(...) haloscope_refused_cudaIpcGetMemHandle(HALOSCOPE_HERE, __VA_ARGS__)

// Device built-ins that the host half names: in default arguments, templates and __host__ __device__ functions.
extern __device__ const uint3 threadIdx;
extern __device__ const uint3 blockIdx;
extern __device__ const dim3 blockDim;
extern __device__ const dim3 gridDim;
constexpr int warpSize = 32;
__device__ void __syncthreads();
__device__ void __syncwarp(unsigned int = 0xffffffff);
#define HALOSCOPE_MINMAX(T) \
  HALOSCOPE_BOTH T min(T a, T b) { return b < a ? b : a; } HALOSCOPE_BOTH T max(T a, T b) { return a < b ? b : a; }
HALOSCOPE_MINMAX(int) HALOSCOPE_MINMAX(unsigned int) HALOSCOPE_MINMAX(long) HALOSCOPE_MINMAX(unsigned long)
HALOSCOPE_MINMAX(long long) HALOSCOPE_MINMAX(unsigned long long) HALOSCOPE_MINMAX(float) HALOSCOPE_MINMAX(double)
#undef HALOSCOPE_MINMAX
#define HALOSCOPE_MINMAX(R, A, B) \
  HALOSCOPE_BOTH R min(A a, B b) { return min((R)a, (R)b); } HALOSCOPE_BOTH R min(B a, A b) { return min((R)a, (R)b); } \
  HALOSCOPE_BOTH R max(A a, B b) { return max((R)a, (R)b); } HALOSCOPE_BOTH R max(B a, A b) { return max((R)a, (R)b); }
HALOSCOPE_MINMAX(unsigned int, int, unsigned int) HALOSCOPE_MINMAX(unsigned long, long, unsigned long)
HALOSCOPE_MINMAX(unsigned long long, long long, unsigned long long) HALOSCOPE_MINMAX(double, float, double)
#undef HALOSCOPE_MINMAX
HALOSCOPE_BOTH float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
HALOSCOPE_BOTH double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
HALOSCOPE_BOTH float rsqrt(float x) { return rsqrtf(x); }
HALOSCOPE_BOTH float fdividef(float a, float b) { return a / b; }
HALOSCOPE_BOTH float __fdividef(float a, float b) { return a / b; }
HALOSCOPE_BOTH float __saturatef(float x) { return x < 0 ? 0.0f : x > 1 ? 1.0f : x; }
HALOSCOPE_BOTH int __mul24(int a, int b) { return a * b; }
template <class T> HALOSCOPE_BOTH T __ldg(const T *p) { return *p; }
)cuda";

}  // namespace haloscope::host
