#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "ExecutedProgram.h"
#include "KernelLogs.h"
#include "KernelPrograms.h"
#include "ProgramMutator.h"
#include "program/SourceLocation.h"
#include "program/StoredProgram.h"
#include "tests/kernels/Sampled.h"

// Programs in their stored form: those of the repository are read as they were stored, and what is changed in them is
// refused, or can be executed without harm. So it is with what their blocks log on a GPU.

namespace haloscope::fuzz {
namespace {

namespace fs = std::filesystem;

/// Small texts with many different instructions, lowered once.
const std::vector<KernelProgram>& seeds() {
  static const std::vector<KernelProgram> kSeeds = [] {
    std::vector<KernelProgram> all;
    for (const fs::path& text : textsIn({"kernels/stencil", "tests/kernels/lowering"})) {
      for (KernelProgram& one : programsOf(text)) {
        if (one.program.code.size() < 400) { all.push_back(std::move(one)); }
      }
    }
    return all;
  }();
  return kSeeds;
}

TEST(StoredProgram, EveryKernelOfTheRepositoryIsReadAsItWasStored) {
  std::size_t count = 0;
  const auto texts = test::everyNthOfEachFolder(textsIn({"kernels", "assets", "tests"}), 4, "texts",
                                                [](const fs::path& path) { return path; });
  for (const fs::path& text : texts) {
    for (const auto& [name, program] : programsOf(text)) {
      SCOPED_TRACE(name);
      ++count;
      const std::vector<std::byte> bytes = store(program);
      Program read;
      ASSERT_NO_THROW(read = readProgram(bytes)) << print(program);
      EXPECT_EQ(print(read), print(program));
      EXPECT_TRUE(read == program);
      EXPECT_EQ(store(read), bytes);
    }
  }
  EXPECT_GT(count, 100U);
}

TEST(StoredProgram, EveryTruncationIsRefused) {
  const std::vector<std::byte> bytes = store(seeds().front().program);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(static_cast<void>(readProgram(std::span(bytes).first(size))), InputError) << size;
  }
}

TEST(StoredProgram, WhatOnceBrokeTheProgramIsRefusedOrExecuted) {
  std::size_t count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(HALOSCOPE_TEST_DIR "/regressions/stored")) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), {}};
    EXPECT_NO_THROW(executeStored(std::as_bytes(std::span(content))));
    ++count;
  }
  EXPECT_GT(count, 0U);
}

TEST(StoredProgram, ChangedProgramsAreRefusedOrExecuted) {
  ASSERT_FALSE(seeds().empty());  // which takes its time
  const auto begin = std::chrono::steady_clock::now();
  std::size_t executed = 0, recorded = 0;
  std::set<std::string> refusals;
  for (unsigned i = 0; i < 3000; ++i) {
    const KernelProgram& seed = seeds()[i * 7 % seeds().size()];
    SCOPED_TRACE(seed.name + ", case " + std::to_string(i));
    Program program = mutatedProgram(seed.program, i);
    if (i % 8 == 0) { program = joinedPrograms(program, seeds()[i * 11 % seeds().size()].program, i); }
    std::vector<std::byte> bytes = store(program);
    if (i % 4 == 0) { bytes = mutatedBytes(bytes, i); }
    ExecutedProgram result;
    EXPECT_NO_THROW(result = executeStored(bytes));
    executed += result.executed;
    recorded += result.steps > 0;
    refusals.insert(result.refusal);
    if (i > 300 && std::chrono::steady_clock::now() - begin > std::chrono::seconds(8)) { break; }  // on a slow machine
  }
  EXPECT_GT(executed, 0U);
  EXPECT_GT(recorded, 0U);
  EXPECT_GT(refusals.size(), 5U);
}

TEST(BlockLog, ChangedLogsAreReadOrRefused) {
  std::size_t read = 0, complete = 0;
  unsigned seed = 0;
  for (const fs::path& text : textsIn({"kernels/stencil", "tests/kernels/lowering"})) {
    for (const auto& [name, program] : programsOf(text)) {
      SCOPED_TRACE(name);
      LoggedKernel kernel;
      try {
        kernel = loggedKernel(text, program);
      } catch (const UserError&) { continue; }  // it cannot be recorded, or launched like this
      ASSERT_NO_THROW(complete += readBack(bytesOf(kernel)) > 0);
      for (int i = 0; i < 10; ++i) {
        try {
          read += readBack(bytesOf(mutatedLog(kernel, ++seed))) > 0;
        } catch (const InputError&) { continue; }
      }
    }
  }
  EXPECT_GT(complete, 20U);
  EXPECT_GT(read, 100U);
}

}  // namespace
}  // namespace haloscope::fuzz
