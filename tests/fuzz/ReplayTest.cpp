#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "OpenedText.h"
#include "TextMutator.h"
#include "tests/kernels/Sampled.h"

// What the fuzzers do, without their coverage: the repository's own kernels, what once broke the program, and a few
// hundred changes of both.

namespace haloscope::fuzz {
namespace {

namespace fs = std::filesystem;

struct Seed {
  std::string name, text;
};

std::vector<Seed> seedsIn(const fs::path& folder) {
  std::vector<Seed> seeds;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cu") { continue; }
    std::ifstream in(entry.path(), std::ios::binary);
    seeds.push_back({entry.path().string(), {std::istreambuf_iterator<char>(in), {}}});
  }
  std::ranges::sort(seeds, {}, &Seed::name);
  return seeds;
}

std::vector<Seed> ownKernels() {
  std::vector<Seed> seeds;
  for (const char* folder : {"/kernels", "/tests/kernels/styles", "/assets/buglab"}) {
    const std::vector<Seed> more = seedsIn(std::string(HALOSCOPE_SOURCE_DIR) + folder);
    seeds.insert(seeds.end(), more.begin(), more.end());
  }
  return seeds;
}

TEST(Replay, EveryKernelOfTheRepositoryCanBeChecked) {
  const auto seeds = test::everyNthOfEachFolder(ownKernels(), 3, "texts", [](const Seed& seed) { return seed.name; });
  ASSERT_GT(seeds.size(), 50U);
  std::size_t checked = 0;
  for (const Seed& seed : seeds) {
    SCOPED_TRACE(seed.name);
    Opened opened;
    ASSERT_NO_THROW(opened = openText(seed.text));
    // A program whose only kernels are templates has instances where it is executed.
    if (seed.text.find("template") == std::string::npos) { EXPECT_GT(opened.kernels, 0U); }
    ASSERT_NO_THROW(openHeader(seed.text));
    checked += opened.checked;
  }
  EXPECT_GT(checked, seeds.size() / 2) << "most are small enough to be run here";
}

TEST(Replay, WhatOnceBrokeTheProgramGivesAMessage) {
  for (const Seed& seed : seedsIn(HALOSCOPE_TEST_DIR "/regressions")) {
    SCOPED_TRACE(seed.name);
    Opened opened;
    EXPECT_NO_THROW(opened = openText(seed.text));
    EXPECT_TRUE(!opened.messages.empty() || opened.checked > 0);
    EXPECT_NO_THROW(openHeader(seed.text));
  }
}

TEST(Replay, ChangedKernelsAreOpenedOrRefused) {
  const std::vector<Seed> seeds = ownKernels();
  const TextMutator mutator(readDictionary(HALOSCOPE_TEST_DIR "/cuda.dict"));
  const auto begin = std::chrono::steady_clock::now();
  std::size_t kernels = 0;
  for (unsigned i = 0; i < 300; ++i) {
    std::string text = mutator.mutated(seeds[i * 7 % seeds.size()].text, i);
    if (i % 4 == 0) { text = mutator.joined(text, seeds[i * 11 % seeds.size()].text, i); }
    SCOPED_TRACE("case " + std::to_string(i) + ":\n" + text);
    EXPECT_NO_THROW(openHeader(text));
    Opened opened;
    EXPECT_NO_THROW(opened = openText(text));
    kernels += opened.kernels;
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(6)) { break; }  // on a slow machine
  }
  EXPECT_GT(kernels, 0U);
}

TEST(TextMutator, TheSameSeedGivesTheSameText) {
  const TextMutator mutator({"word"});
  const std::string text = "/* haloscope\na: 1\n*/\nint f(int x) {\n  return x + 1;\n}\n";
  bool differs = false;
  for (unsigned seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(mutator.mutated(text, seed), mutator.mutated(text, seed));
    EXPECT_EQ(mutator.joined(text, "float g;\n", seed), mutator.joined(text, "float g;\n", seed));
    differs = differs || mutator.mutated(text, seed) != text;
    EXPECT_NO_THROW(static_cast<void>(mutator.mutated("", seed)));
    EXPECT_NO_THROW(static_cast<void>(mutator.joined("", "", seed)));
  }
  EXPECT_TRUE(differs);
}

TEST(TextMutator, TokensAreWordsNumbersAndMarks) {
  const std::vector<std::string_view> tokens = tokensOf("k<<<1, n>>>(a+=2); // b");
  const std::vector<std::string_view> expected{"k", "<<<", "1", ",", "n", ">>>", "(",
                                               "a", "+=",  "2", ")", ";", "//",  "b"};
  EXPECT_EQ(tokens, expected);
}

TEST(TextMutator, ADictionaryIsReadAsLibFuzzerReadsIt) {
  const std::vector<std::string> words = readDictionary(HALOSCOPE_TEST_DIR "/cuda.dict");
  EXPECT_NE(std::ranges::find(words, "__global__"), words.end());
  EXPECT_NE(std::ranges::find(words, "/* haloscope\n"), words.end());
  EXPECT_NE(std::ranges::find(words, "'\\0'"), words.end());
}

}  // namespace
}  // namespace haloscope::fuzz
