// A libcuda.so.1 for tests on machines without a GPU: device memory is host memory. Kernels are known by their names:
// addOne does out[i] = in[i] + 1; on request those of hardware/DeviceFields.cpp and the 7-point sweeps of the catalogue
// do what their texts say; any other does nothing. It checks what a real driver checks only by crashing: unknown
// addresses, copies beyond an allocation, objects that were never made, and answers "not ready" at the first question.
//
// The environment variable HALOSCOPE_FAKE selects what goes wrong, as NAME=NUMBER separated by commas:
//   init, retain, register, map, glDevices  the call gives this error
//   version   of the driver, 12040 for 12.4
//   count     of GPUs
//   glDevice  the only GPU that OpenGL draws on
//   fault     what the next kernel gives, and every call after it, as after a fault on a real GPU
//   endless   1: the next kernel never ends, and every wait for it lasts forever
//   free      MiB of device memory that are free
//   sweeps    1: kernels named "stencil" do a 7-point sweep in float, and those of DeviceFields.cpp work; 2: these
//   alone wrong     the so-manieth of them leaves one wrong element twice     ... does two steps

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using Result = int;
constexpr Result kSuccess = 0, kInvalidValue = 1, kNotFound = 500, kNotReady = 600;
constexpr Result kAlreadyMapped = 208, kNotMapped = 211;
constexpr std::size_t kMappedBytes = std::size_t{16} << 20;

struct State {
  std::mutex mutex;
  std::map<std::uint64_t, std::size_t> allocations;
  std::set<void*> objects;
  std::map<void*, int> questions;               ///< times a stream or an event was asked since it got work
  std::map<void*, std::uint64_t> coefficients;  ///< of a module
  Result fault = 0;                             ///< what a kernel did: every call gives it from then on
  bool endless = false;                         ///< a kernel runs that never ends
  void* context = nullptr;
  std::map<void*, std::uint64_t> mapped;  ///< OpenGL's buffers
};

State& state() {
  static State one;
  return one;
}

/// What HALOSCOPE_FAKE has under this name.
int setting(const std::string& name, int otherwise) {
  const char* const all = std::getenv("HALOSCOPE_FAKE");
  const std::string text = all == nullptr ? "" : std::string(",") + all;
  const std::size_t at = text.find("," + name + "=");
  return at == std::string::npos ? otherwise : std::atoi(text.c_str() + at + name.size() + 2);
}

enum class Work { Nothing, AddOne, Fill, Compare, Pick, Sweep };
struct Function {
  Work work = Work::Nothing;
  void* module = nullptr;
  int first = 0;  ///< its parameter `in`, behind a tensor map if it takes one
  int sweep = 0;  ///< the first, second … that was loaded since HALOSCOPE_FAKE changed
};

/// What a kernel of this name does.
Work workOf(const std::string& name) {
  const auto is = [&](const char* word) { return name.find(word) != std::string::npos; };
  if (is("addOne")) { return Work::AddOne; }
  if (setting("sweeps", 0) == 0) { return Work::Nothing; }  // their arrays may be larger than this machine
  if (is("4fill")) { return Work::Fill; }
  if (is("7compare")) { return Work::Compare; }
  if (is("4pick")) { return Work::Pick; }
  return is("7stencil") && setting("sweeps", 0) == 1 ? Work::Sweep : Work::Nothing;
}

template <typename T>
T parameter(void** parameters, int index) {
  T value{};
  std::memcpy(&value, parameters[index], sizeof value);
  return value;
}

template <typename T>
T* pointer(void** parameters, int index) {
  return reinterpret_cast<T*>(parameter<std::uint64_t>(parameters, index));
}

float filledValue(std::uint64_t index) {
  auto bits = static_cast<std::uint32_t>(index) * 2654435761U;
  bits ^= bits >> 15U;
  bits *= 2246822519U;
  bits ^= bits >> 13U;
  return static_cast<float>(static_cast<std::int32_t>(bits)) * (1.0F / 2147483648.0F);
}

/// One 7-point sweep of n points a side; the border keeps its value.
void sweep(const float* in, float* out, std::int64_t n, const float* c) {
  for (std::int64_t z = 1; z + 1 < n; ++z) {
    for (std::int64_t y = 1; y + 1 < n; ++y) {
      const float* row = in + (z * n + y) * n;
      float* to = out + (z * n + y) * n;
      for (std::int64_t x = 1; x + 1 < n; ++x) {
        to[x] = c[0] * row[x] + c[1] * row[x - 1] + c[2] * row[x + 1] + c[3] * row[x - n] + c[4] * row[x + n] +
                c[5] * row[x - n * n] + c[6] * row[x + n * n];
      }
    }
  }
}

void sweepAsAsked(const Function& function, void** parameters) {
  const auto* in = pointer<const float>(parameters, function.first);
  auto* out = pointer<float>(parameters, function.first + 1);
  const auto n = static_cast<std::int64_t>(parameter<int>(parameters, function.first + 2));
  const auto count = static_cast<std::size_t>(n * n * n);
  const auto* c = reinterpret_cast<const float*>(state().coefficients[function.module]);
  if (function.sweep == setting("twice", 0)) {
    std::vector<float> between(in, in + count);
    sweep(in, between.data(), n, c);
    sweep(between.data(), out, n, c);
  } else {
    sweep(in, out, n, c);
  }
  if (function.sweep == setting("wrong", 0)) { out[count / 2 + static_cast<std::size_t>(n / 2)] += 0.25F; }
}

/// Whether these bytes lie in an allocation, or in a constant of a module.
bool known(std::uint64_t address, std::size_t bytes) {
  auto after = state().allocations.upper_bound(address);
  if (after == state().allocations.begin()) { return false; }
  --after;
  return address + bytes <= after->first + after->second;
}

void* makeObject(const void* work = nullptr) {
  void* object = std::malloc(1);
  state().objects.insert(object);
  (void)work;
  return object;
}

Result dropObject(void* object) {
  if (state().objects.erase(object) == 0) { return kInvalidValue; }
  state().questions.erase(object);
  std::free(object);
  return kSuccess;
}

Result ask(void* object) {
  if (state().fault != 0) { return state().fault; }
  if (state().endless) { return kNotReady; }
  if (object != nullptr && !state().objects.contains(object)) { return kInvalidValue; }
  return state().questions[object]++ == 0 ? kNotReady : kSuccess;
}

std::uint64_t allocate(std::size_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(std::malloc(bytes));
  state().allocations[address] = bytes;
  return address;
}

}  // namespace

#define FAKE extern "C" __attribute__((visibility("default"))) Result
#define LOCK const std::scoped_lock lock(state().mutex)
// Nearly every call of a process whose kernel faulted gives that fault.
#define LOCK_AND_LIVE \
  LOCK;               \
  if (state().fault != 0) { return state().fault; }

FAKE cuGetErrorString(Result, const char** text) {
  *text = "fake trouble";
  return kSuccess;
}
FAKE cuInit(unsigned) { return setting("init", kSuccess); }
FAKE cuDriverGetVersion(int* version) {
  *version = setting("version", 13000);
  return kSuccess;
}
FAKE cuDeviceGetCount(int* count) {
  *count = setting("count", 1);
  return kSuccess;
}
FAKE cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return kSuccess;
}
FAKE cuDeviceGetName(char* name, int length, int device) {
  std::snprintf(name, static_cast<std::size_t>(length), device == 0 ? "Fake GPU" : "Second fake GPU");
  return kSuccess;
}
FAKE cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = std::size_t{1} << 31;
  return kSuccess;
}
FAKE cuDeviceGetAttribute(int* value, int attribute, int) {
  static const std::map<int, int> values{{8, 49152}, {13, 1500000}, {16, 4}, {36, 2000000}, {37, 256},  {38, 1 << 22},
                                         {39, 2048}, {75, 9},       {76, 0}, {81, 167936},  {82, 65536}};
  const auto found = values.find(attribute);
  *value = found == values.end() ? 0 : found->second;
  return kSuccess;
}
FAKE cuDeviceGetUuid_v2(void* uuid, int) {
  std::memset(uuid, 0xfa, 16);
  return kSuccess;
}
FAKE cuDeviceGetPCIBusId(char* text, int length, int) {
  std::snprintf(text, static_cast<std::size_t>(length), "0000:01:00.0");
  return kSuccess;
}
FAKE cuDevicePrimaryCtxRetain(void** context, int) {
  LOCK_AND_LIVE;
  if (const Result error = setting("retain", kSuccess); error != kSuccess) { return error; }
  if (state().context == nullptr) { state().context = makeObject(); }
  *context = state().context;
  return kSuccess;
}
FAKE cuDevicePrimaryCtxRelease_v2(int) { return kSuccess; }
FAKE cuCtxSetCurrent(void* context) {
  LOCK;
  return state().objects.contains(context) ? kSuccess : kInvalidValue;
}
FAKE cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  *free = *total = static_cast<std::size_t>(setting("free", 64)) << 20;
  return kSuccess;
}
FAKE cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  LOCK_AND_LIVE;
  if (bytes == 0 || bytes > static_cast<std::size_t>(setting("free", 1024)) << 20) { return 2; }
  *address = allocate(bytes);
  return kSuccess;
}
FAKE cuMemFree_v2(std::uint64_t address) {
  LOCK_AND_LIVE;
  if (state().allocations.erase(address) == 0) { return kInvalidValue; }
  std::free(reinterpret_cast<void*>(address));
  return kSuccess;
}
FAKE cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  *memory = std::malloc(bytes);
  return kSuccess;
}
FAKE cuMemFreeHost(void* memory) {
  std::free(memory);
  return kSuccess;
}
FAKE cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  LOCK_AND_LIVE;
  if (!known(to, bytes)) { return kInvalidValue; }
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return kSuccess;
}
FAKE cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  LOCK_AND_LIVE;
  if (!known(from, bytes)) { return kInvalidValue; }
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return kSuccess;
}
FAKE cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void*) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}
FAKE cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void*) {
  LOCK_AND_LIVE;
  if (!known(to, bytes) || !known(from, bytes)) { return kInvalidValue; }
  std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return kSuccess;
}
FAKE cuTensorMapEncodeTiled(void* map, int, unsigned, void* array, const std::uint64_t*, const std::uint64_t*,
                            const std::uint32_t*, const std::uint32_t*, int, int, int, int) {
  std::memcpy(map, &array, sizeof array);  // no kernel reads it here
  return 0;
}
FAKE cuMemsetD8Async(std::uint64_t to, unsigned char value, std::size_t bytes, void*) {
  LOCK_AND_LIVE;
  if (!known(to, bytes)) { return kInvalidValue; }
  std::memset(reinterpret_cast<void*>(to), value, bytes);
  return kSuccess;
}
FAKE cuModuleLoadData(void** module, const void* image) {
  LOCK_AND_LIVE;
  if (std::memcmp(image, "\177ELF", 4) != 0) { return 200; }
  *module = makeObject();
  return kSuccess;
}
FAKE cuModuleUnload(void* module) {
  LOCK_AND_LIVE;
  return dropObject(module);
}
FAKE cuModuleGetFunction(void** function, void* module, const char* name) {
  LOCK;
  if (!state().objects.contains(module) || std::strlen(name) == 0) { return kNotFound; }
  static std::string asked;
  static int sweeps = 0;
  const char* const now = std::getenv("HALOSCOPE_FAKE");
  if (asked != (now == nullptr ? "" : now)) {
    asked = now == nullptr ? "" : now;
    sweeps = 0;
  }
  static std::deque<Function> functions;
  Function& made = functions.emplace_back(
      Function{.work = workOf(name), .module = module, .first = std::strstr(name, "CUtensorMap") == nullptr ? 0 : 1});
  if (made.work == Work::Sweep) { made.sweep = ++sweeps; }
  *function = &made;
  return kSuccess;
}
FAKE cuModuleGetGlobal_v2(std::uint64_t* address, std::size_t* bytes, void* module, const char* name) {
  LOCK;
  // Seven coefficients, but for what an instrumented text has: pointers, a number, three numbers. Mangled names.
  const std::string_view of(name);
  const auto names = [&](const char* word) { return of.find(word) != std::string_view::npos; };
  *bytes = names("5words") || names("6counts") ? 8 : names("8capacity") ? 4 : names("5focus") ? 12 : 28;
  *address = allocate(*bytes);
  state().coefficients[module] = *address;
  return kSuccess;
}
FAKE cuFuncGetAttribute(int* value, int attribute, void*) {
  *value = attribute == 0 ? 1024 : attribute == 4 ? 16 : 0;
  return kSuccess;
}
FAKE cuFuncSetAttribute(void*, int attribute, int) { return attribute == 8 ? kSuccess : kInvalidValue; }
FAKE cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, std::size_t) {
  *blocks = 2048 / std::max(threads, 1);
  return kSuccess;
}
FAKE cuLaunchKernel(void* function, unsigned gridX, unsigned, unsigned, unsigned blockX, unsigned, unsigned, unsigned,
                    void* stream, void** parameters, void**) {
  LOCK_AND_LIVE;
  state().questions[stream] = 0;
  // A kernel's fault shows at the next call that looks.
  state().fault = setting("fault", kSuccess);
  state().endless = setting("endless", 0) != 0;
  const Function& of = *static_cast<Function*>(function);
  switch (of.work) {
    case Work::Nothing:
      return kSuccess;
    case Work::AddOne:
      break;
    case Work::Fill: {  // in float
      auto* array = pointer<float>(parameters, 0);
      const auto elements = parameter<std::uint64_t>(parameters, 1);
      if (!known(reinterpret_cast<std::uint64_t>(array), 4 * elements)) { return kSuccess; }  // of another type
      for (std::uint64_t i = 0; i < elements; ++i) { array[i] = filledValue(i); }
      return kSuccess;
    }
    case Work::Compare: {
      auto* found = pointer<std::uint64_t>(parameters, 4);
      const auto elements = parameter<std::uint64_t>(parameters, 2);
      double largest = 0;
      for (std::uint64_t i = 0; i < elements; ++i) {
        const double apart = std::abs(static_cast<double>(pointer<const float>(parameters, 0)[i]) -
                                      pointer<const float>(parameters, 1)[i]);
        largest = std::max(largest, apart);
        if (!(apart <= parameter<double>(parameters, 3))) { ++found[1]; }
      }
      std::memcpy(found, &largest, sizeof largest);
      return kSuccess;
    }
    case Work::Pick:
      for (std::uint64_t i = 0; i < parameter<std::uint64_t>(parameters, 3); ++i) {
        pointer<double>(parameters, 2)[i] =
            pointer<const float>(parameters, 0)[pointer<const std::uint64_t>(parameters, 1)[i]];
      }
      return kSuccess;
    case Work::Sweep:
      sweepAsAsked(of, parameters);
      return kSuccess;
  }
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  int count = 0;
  std::memcpy(&in, parameters[0], sizeof in);
  std::memcpy(&out, parameters[1], sizeof out);
  std::memcpy(&count, parameters[2], sizeof count);
  const auto length = static_cast<std::size_t>(count) * static_cast<std::size_t>(count);
  if (gridX * blockX < length || !known(in, 4 * length) || !known(out, 4 * length)) { return 700; }
  for (std::size_t i = 0; i < length; ++i) {
    reinterpret_cast<float*>(out)[i] = reinterpret_cast<const float*>(in)[i] + 1;
  }
  return kSuccess;
}
FAKE cuStreamCreate(void** stream, unsigned) {
  LOCK_AND_LIVE;
  *stream = makeObject();
  return kSuccess;
}
FAKE cuStreamDestroy_v2(void* stream) {
  LOCK;
  return dropObject(stream);
}
FAKE cuStreamQuery(void* stream) {
  LOCK;
  return ask(stream);
}
FAKE cuStreamSynchronize(void* stream) {
  for (;;) {
    {
      LOCK_AND_LIVE;
      if (!state().endless) { break; }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  LOCK;
  state().questions[stream] = 1;
  for (auto& [object, asked] : state().questions) { asked = 1; }
  return kSuccess;
}
FAKE cuEventCreate(void** event, unsigned) {
  LOCK_AND_LIVE;
  *event = makeObject();
  return kSuccess;
}
FAKE cuEventDestroy_v2(void* event) {
  LOCK;
  return dropObject(event);
}
FAKE cuEventRecord(void* event, void*) {
  LOCK_AND_LIVE;
  state().questions[event] = 0;
  return state().objects.contains(event) ? kSuccess : kInvalidValue;
}
FAKE cuEventQuery(void* event) {
  LOCK;
  return ask(event);
}
FAKE cuEventElapsedTime(float* milliseconds, void* begin, void* end) {
  LOCK;
  *milliseconds = 0.5F;
  return state().objects.contains(begin) && state().objects.contains(end) ? kSuccess : kInvalidValue;
}

// OpenGL: known to run on the GPU that HALOSCOPE_FAKE names. Buffers are mapped if it says map=0, and never really
// shared: OpenGL does not see what is written there.
FAKE cuGLGetDevices_v2(unsigned* count, int* devices, unsigned, int) {
  *count = 1;
  *devices = setting("glDevice", -1);
  return *devices < 0 ? setting("glDevices", 100) : kSuccess;
}
FAKE cuGraphicsGLRegisterBuffer(void** resource, unsigned, unsigned) {
  LOCK_AND_LIVE;
  *resource = makeObject();
  return setting("register", kSuccess);
}
FAKE cuGraphicsUnregisterResource(void* resource) {
  LOCK_AND_LIVE;
  return dropObject(resource);
}
FAKE cuGraphicsMapResources(unsigned, void** resource, void*) {
  LOCK_AND_LIVE;
  if (const Result error = setting("map", 999); error != kSuccess) { return error; }
  if (!state().objects.contains(*resource)) { return kInvalidValue; }
  if (state().mapped.contains(*resource)) { return kAlreadyMapped; }
  state().mapped[*resource] = allocate(kMappedBytes);
  return kSuccess;
}
FAKE cuGraphicsUnmapResources(unsigned, void** resource, void*) {
  LOCK_AND_LIVE;
  const auto mapped = state().mapped.find(*resource);
  if (mapped == state().mapped.end()) { return kNotMapped; }
  state().allocations.erase(mapped->second);  // writing there from now on is an error
  std::free(reinterpret_cast<void*>(mapped->second));
  state().mapped.erase(mapped);
  return kSuccess;
}
FAKE cuGraphicsResourceGetMappedPointer_v2(std::uint64_t* address, std::size_t* bytes, void* resource) {
  LOCK_AND_LIVE;
  const auto mapped = state().mapped.find(resource);
  if (mapped == state().mapped.end()) { return kNotMapped; }
  *address = mapped->second;
  *bytes = kMappedBytes;
  return kSuccess;
}
