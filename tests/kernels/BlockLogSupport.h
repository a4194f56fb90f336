#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
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

/// A kernel's instrumented source, executed on the emulator.
class InstrumentedKernel {
 public:
  InstrumentedKernel(std::string path, const std::string& text, frontend::CompileOptions options,
                     const Program& program, const Launch& launch)
      : path_(std::move(path)),
        text_(frontend::instrument(path_, text, options)),
        options_(std::move(options)),
        program_(program),
        launch_(launch) {
    options_.kernel = program.kernel;
    options_.prologue += "#define HALOSCOPE_CLOCK() 0u\n";
    // To the emulator half is a number, not CUDA's class.
    options_.prologue += R"(namespace haloscope_log {
__device__ inline unsigned long long bits(_Float16 value) { return *(const unsigned short *)&value; }
}
)";
    options_.prologue += frontend::logPrelude();
    compile(6000);
  }

  /// What a block logs, with as many words a thread as it takes.
  Logged run(const Dim3& block) {
    Logged result = runOnce(block);
    const std::uint32_t longest = *std::ranges::max_element(result.log.counts);
    if (longest <= capacity_) { return result; }
    compile(longest);
    return runOnce(block);
  }

 private:
  void compile(std::uint32_t capacity) {
    capacity_ = capacity;
    options_.defines["HALOSCOPE_LOG_WORDS"] = std::to_string(capacity * launch_.configuration.threadsPerBlock());
    instrumented_ = frontend::compile(path_, text_.device.text, options_).program;
  }

  Logged runOnce(const Dim3& block) {
    Logged result{.text = text_, .log = {}};
    Launch run = launch_;
    run.arrays.assign(instrumented_.objects.size(), {});
    const auto set = [&](const char* name, const std::vector<std::uint32_t>& words) {
      const ObjectId id = instrumented_.findObject(name);
      ASSERT_NE(id, kNone) << name;
      run.arrays[id] = {ValueType::U32, {static_cast<std::int64_t>(words.size())}, bytesOf(words)};
      if (words.size() == 1) { run.arrays[id].extents = {}; }
    };
    for (ObjectId id = 0; id < instrumented_.objects.size(); ++id) {
      const ObjectId original = program_.findObject(instrumented_.objects[id].name);
      if (original != kNone) { run.arrays[id] = launch_.arrays[original]; }
      if (instrumented_.objects[id].space == MemorySpace::Global && original != kNone) {
        // As an integer, an emulator pointer is its distance from nullptr.
        result.log.places[original] = PackedPointer::pack(id, 0) - PackedPointer::kNull;
      }
    }
    set("words", std::vector<std::uint32_t>(std::size_t{capacity_} * launch_.configuration.threadsPerBlock()));
    set("counts", std::vector<std::uint32_t>(1024));
    set("capacity", {capacity_});
    set("focus", {block.x, block.y, block.z});
    simt::ExecuteOptions execute;
    execute.workers = 1;
    execute.onlyBlocks = {linear(block, launch_.configuration.grid)};
    const simt::ExecuteResult ran = simt::execute(instrumented_, run, {}, execute);
    EXPECT_EQ(ran.outcome, simt::Outcome::Finished) << ran.message;
    result.log.capacity = capacity_;
    result.log.words = wordsOf(run.arrays[instrumented_.findObject("words")].bytes);
    result.log.counts = wordsOf(run.arrays[instrumented_.findObject("counts")].bytes);
    return result;
  }

  std::string path_;
  frontend::InstrumentedText text_;
  frontend::CompileOptions options_;
  const Program& program_;
  const Launch& launch_;
  std::uint32_t capacity_ = 0;  ///< words a thread
  Program instrumented_;
};

inline Logged runInstrumented(const std::string& path, const std::string& text, const frontend::CompileOptions& options,
                              const Program& program, const Launch& launch, const Dim3& block) {
  return InstrumentedKernel(path, text, options, program, launch).run(block);
}

}  // namespace haloscope::test
