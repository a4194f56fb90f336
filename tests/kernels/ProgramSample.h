#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "program/Program.h"
#include "running/AllocationNames.h"
#include "running/ProgramRun.h"
#include "state/ProgramView.h"

/// A program's run made by hand: two arrays, a copy, `sweeps` launches that exchange them, a line printed before the
/// copy back.
namespace haloscope::test {

inline constexpr const char* kSampleText = R"(#include <cstdio>
#include <utility>
float host[32];
__global__ void sweep(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
int main() {
  float *a, *b;
  cudaMalloc((void**)&a, 128);
  cudaMalloc(&b, 128);
  cudaMemcpy(a, host, 128, cudaMemcpyHostToDevice);
  for (int t = 0; t < 4; ++t) { sweep<<<2, 32>>>(a, b); std::swap(a, b); }
  printf("done\n");
  cudaMemcpy(host, a, 128, cudaMemcpyDeviceToHost);
  cudaFree(a);
}
)";
/// Lines of the calls.
inline constexpr int kAllocations = 7, kCopyIn = 9, kLaunches = 10, kCopyOut = 12, kFree = 13;

class ProgramSample {
 public:
  using Kind = running::ProgramEvent::Kind;

  explicit ProgramSample(std::size_t sweeps) {
    for (const int line : {kAllocations, kAllocations + 1}) {
      note(Kind::Allocate, line).destination = allocate(line);
      run_.events.back().bytes = 128;
    }
    note(Kind::Copy, kCopyIn).destination = at(0);
    run_.events.back().bytes = 128;
    for (std::size_t t = 0; t < sweeps; ++t) { launch(t % 2, 1 - t % 2); }
    run_.output = "done\n";
    note(Kind::Copy, kCopyOut).source = at(sweeps % 2);
    run_.events.back().bytes = 128;
    note(Kind::Free, kFree).source = at(0);
    run_.allocations[0].freed = true;
    run_.end = running::ProgramEnd::Exited;
  }

  [[nodiscard]] running::ProgramRun& run() { return run_; }

  /// As a run that is to keep a launch ends.
  void keepLaunch() {
    auto program = std::make_shared<Program>();
    running::KeptLaunch kept;
    for (const char* name : {"in", "out"}) {
      MemoryObject object;
      object.name = name;
      object.space = MemorySpace::Global;
      program->objects.push_back(object);
      const auto id = static_cast<ObjectId>(program->objects.size() - 1);
      kept.launch.arrays.push_back({ValueType::F32, {32}, std::vector<std::byte>(128)});
      kept.pointers.push_back({.parameter = name, .object = id, .place = at(id)});
      kept.arrays.push_back(id);
    }
    kept.program = std::move(program);
    run_.kept = std::make_shared<const running::KeptLaunch>(std::move(kept));
    run_.end = running::ProgramEnd::Stopped;
  }

  [[nodiscard]] ShownProgram shown() const {
    ShownProgram program;
    program.title = "sample.cu";
    program.files = {.folder = "/work", .program = {.files = {{"sample.cu", kSampleText}}}};
    program.run = run_;
    program.device = {.name = "test GPU", .properties = {}, .bytesPerSecond = 1e9, .flopsPerSecond = 1e12};
    program.names = running::allocationNames(run_, program.files.program);
    program.timeline = ProgramTimeline(run_, program.names);
    return program;
  }

 private:
  static running::DevicePlace at(std::size_t allocation) {
    return {.allocation = static_cast<running::AllocationId>(allocation), .offset = 0};
  }

  running::DevicePlace allocate(int line) {
    running::Allocation one;
    one.id = static_cast<running::AllocationId>(run_.allocations.size());
    one.allocatedAt = {"sample.cu", line};
    one.label = run_.allocations.empty() ? "a" : "b";
    run_.allocations.push_back(std::move(one));
    return at(run_.allocations.size() - 1);
  }

  running::ProgramEvent& note(Kind kind, int line) {
    running::ProgramEvent event;
    event.kind = kind;
    event.at = {"sample.cu", line};
    event.printed = run_.output.size();
    return run_.events.emplace_back(std::move(event));
  }

  void launch(std::size_t in, std::size_t out) {
    note(Kind::Launch, kLaunches).launch = run_.launches.size();
    running::ProgramLaunch launch;
    launch.symbol = "_Z5sweepPKfPf";
    launch.kernel = "sweep";
    launch.file = "sample.cu";
    launch.configuration = {.grid = {2, 1, 1}, .block = {32, 1, 1}};
    launch.at = {"sample.cu", kLaunches};
    launch.pointers = {{.parameter = "in", .place = at(in), .reads = true, .writes = false},
                       {.parameter = "out", .place = at(out), .reads = false, .writes = true}};
    launch.executed = launch.checked = true;
    launch.blocks = launch.checkedBlocks = 2;
    launch.arrayBytes = 256;
    launch.facts = {.symbol = launch.symbol,
                    .instance = launch.kernel,
                    .configuration = launch.configuration,
                    .scalars = {},
                    .elements = {{"in", 32}, {"out", 32}}};
    run_.launches.push_back(std::move(launch));
  }

  running::ProgramRun run_;
};

}  // namespace haloscope::test
