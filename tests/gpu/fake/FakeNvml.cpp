// A libnvidia-ml.so.1 for tests: what it tells is written in the environment variable FAKE_NVML, as
// "clock MHz,power mW,throttle reasons,other process" of which each may be left out.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

namespace {

unsigned long long setting(int which) {
  const char* text = std::getenv("FAKE_NVML");
  std::istringstream words(text == nullptr ? "" : text);
  std::string word;
  for (int i = 0; i <= which; ++i) { std::getline(words, word, ','); }
  return words ? std::strtoull(word.c_str(), nullptr, 10) : 0;
}

struct ProcessInfo {
  unsigned pid;
  unsigned long long usedMemory;
  unsigned gpuInstance, computeInstance;
};
struct ProcessSample {
  unsigned pid;
  unsigned long long microseconds;
  unsigned sm, memory, encoder, decoder;
};

}  // namespace

#define FAKE extern "C" __attribute__((visibility("default"))) int

FAKE nvmlInit_v2() { return 0; }
FAKE nvmlShutdown() { return 0; }
FAKE nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** handle) {
  static int device = 0;
  *handle = &device;
  return std::strcmp(bus, "0000:01:00.0") == 0 ? 0 : 6;
}
FAKE nvmlSystemGetDriverVersion(char* text, unsigned length) {
  std::snprintf(text, length, "580.1");
  return 0;
}
FAKE nvmlDeviceGetClockInfo(void*, int type, unsigned* clock) {
  *clock = static_cast<unsigned>(setting(0));
  return type == 1 ? 0 : 2;
}
FAKE nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = static_cast<unsigned>(setting(1));
  return 0;
}
FAKE nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = setting(2);
  return 0;
}
FAKE nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, ProcessInfo* infos) {
  // This one, one that only holds memory, and the other if there is one.
  infos[0] = {static_cast<unsigned>(getpid()), 1, 0, 0};
  infos[1] = {4, 1, 0, 0};
  infos[2] = {static_cast<unsigned>(setting(3)), 1, 0, 0};
  *count = setting(3) == 0 ? 2 : 3;
  return 0;
}
FAKE nvmlDeviceGetProcessUtilization(void*, ProcessSample* samples, unsigned* count, unsigned long long) {
  samples[0] = {static_cast<unsigned>(getpid()), 1, 90, 5, 0, 0};
  samples[1] = {static_cast<unsigned>(setting(3)), 1, 10, 5, 0, 0};
  *count = 2;
  return 0;
}
