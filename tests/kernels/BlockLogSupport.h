#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/Frontend.h"
#include "program/BlockLog.h"
#include "program/Launch.h"
#include "simt/Executor.h"

namespace haloscope::test {

inline std::vector<std::byte> bytesOf(const std::vector<std::uint32_t>& words) {
  std::vector<std::byte> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

inline std::vector<std::uint32_t> wordsOf(const std::vector<std::byte>& bytes) {
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

struct Logged {
  frontend::InstrumentedText text;
  BlockLog log;
};

/// Runs the instrumented source on the emulator, with so many words for each thread.
inline Logged runInstrumented(const std::string& path, const std::string& text, const frontend::CompileOptions& options,
                              const Program& program, const Launch& launch, const Dim3& block, std::uint32_t capacity) {
  Logged result;
  result.text = frontend::instrument(path, text, options);
  const std::uint32_t threads = launch.configuration.threadsPerBlock();
  frontend::CompileOptions logged = options;
  logged.kernel = program.kernel;
  logged.defines["HALOSCOPE_LOG_WORDS"] = std::to_string(capacity * threads);
  logged.prologue += "#define HALOSCOPE_CLOCK() 0u\n";
  // To the emulator half is a number, not CUDA's class.
  logged.prologue += R"(namespace haloscope_log {
__device__ inline unsigned long long bits(_Float16 value) { return *(const unsigned short *)&value; }
}
)";
  logged.prologue += frontend::logPrelude();
  const Program instrumented = frontend::compile(path, result.text.device.text, logged).program;

  Launch run = launch;
  run.arrays.assign(instrumented.objects.size(), {});
  const auto set = [&](const char* name, const std::vector<std::uint32_t>& words) {
    const ObjectId id = instrumented.findObject(name);
    ASSERT_NE(id, kNone) << name;
    run.arrays[id] = {ValueType::U32, {static_cast<std::int64_t>(words.size())}, bytesOf(words)};
    if (words.size() == 1) { run.arrays[id].extents = {}; }
  };
  for (ObjectId id = 0; id < instrumented.objects.size(); ++id) {
    const ObjectId original = program.findObject(instrumented.objects[id].name);
    if (original != kNone) { run.arrays[id] = launch.arrays[original]; }
    if (instrumented.objects[id].space == MemorySpace::Global && original != kNone) {
      // As an integer, an emulator pointer is its distance from nullptr.
      result.log.places[original] = PackedPointer::pack(id, 0) - PackedPointer::kNull;
    }
  }
  set("words", std::vector<std::uint32_t>(std::size_t{capacity} * threads));
  set("counts", std::vector<std::uint32_t>(1024));
  set("capacity", {capacity});
  set("focus", {block.x, block.y, block.z});
  simt::ExecuteOptions execute;
  execute.workers = 1;
  execute.onlyBlocks = {linear(block, launch.configuration.grid)};
  const simt::ExecuteResult ran = simt::execute(instrumented, run, {}, execute);
  EXPECT_EQ(ran.outcome, simt::Outcome::Finished) << ran.message;
  result.log.capacity = capacity;
  result.log.words = wordsOf(run.arrays[instrumented.findObject("words")].bytes);
  result.log.counts = wordsOf(run.arrays[instrumented.findObject("counts")].bytes);
  return result;
}

/// ... with as many words as it takes.
inline Logged runInstrumented(const std::string& path, const std::string& text, const frontend::CompileOptions& options,
                              const Program& program, const Launch& launch, const Dim3& block) {
  constexpr std::uint32_t kFirst = 6000;
  Logged result = runInstrumented(path, text, options, program, launch, block, kFirst);
  const std::uint32_t longest = *std::ranges::max_element(result.log.counts);
  return longest <= kFirst ? result : runInstrumented(path, text, options, program, launch, block, longest);
}

}  // namespace haloscope::test
