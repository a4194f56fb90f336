#include "driver/DiskCache.h"
#include "program/ResourceFolder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "driver/Compiler.h"

/// What is kept on disk between two starts, and what NVRTC compiled among it. Needs no GPU.
namespace haloscope::gpu {
namespace {

namespace fs = std::filesystem;

class DiskCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("haloscope-cache-" + std::to_string(getpid()) + "-" + test->name());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static void makeOlder(const fs::path& path, int hours) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  }

  fs::path folder_;
};

TEST_F(DiskCacheTest, WhatWasWrittenIsReadByAnother) {
  const std::string content("two\0parts\n", 10);
  DiskCache(folder_, 1000).write("key", content);
  EXPECT_EQ(DiskCache(folder_, 1000).read("key"), content);
  EXPECT_EQ(DiskCache(folder_, 1000).read("other"), std::nullopt);
  EXPECT_EQ(entries(), 1U) << "no temporary file stays";
}

TEST_F(DiskCacheTest, ATruncatedAChangedOrAForeignFileIsNoEntryAndIsReplaced) {
  const DiskCache cache(folder_, 1000);
  cache.write("key", "content");
  const fs::path file = folder_ / "key";
  const auto size = fs::file_size(file);
  for (std::uintmax_t left = 0; left < size; ++left) {
    fs::resize_file(file, left);
    ASSERT_EQ(cache.read("key"), std::nullopt) << left << " of " << size << " bytes";
    cache.write("key", "content");
    ASSERT_EQ(cache.read("key"), "content");
  }
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(-1, std::ios::end).put('X');
  EXPECT_EQ(cache.read("key"), std::nullopt);
  std::ofstream(file) << "something else altogether, longer than the words before an entry and their fingerprint";
  EXPECT_EQ(cache.read("key"), std::nullopt);
  cache.write("key", "new");
  fs::copy_file(file, folder_ / "otherKey");
  EXPECT_EQ(cache.read("otherKey"), std::nullopt) << "an entry under another's name";
}

TEST_F(DiskCacheTest, TheLeastRecentlyUsedGoWhenItIsFull) {
  const DiskCache cache(folder_, 4000);
  const std::string content(900, 'x');
  for (const char* key : {"a", "b", "c"}) { cache.write(key, content); }
  makeOlder(folder_ / "a", 3);
  makeOlder(folder_ / "b", 2);
  makeOlder(folder_ / "c", 1);
  EXPECT_TRUE(cache.read("a")) << "and is used just now";
  cache.write("d", content);
  cache.write("e", content);
  EXPECT_TRUE(cache.read("a"));
  EXPECT_FALSE(cache.read("b"));
  EXPECT_TRUE(cache.read("e"));
  std::uintmax_t all = 0;
  for (const auto& entry : fs::directory_iterator(folder_)) { all += entry.file_size(); }
  EXPECT_LE(all, 4000U);
  cache.write("large", std::string(5000, 'x'));
  EXPECT_FALSE(cache.read("large"));
}

TEST_F(DiskCacheTest, AFolderThatCannotBeWrittenIsNoError) {
  std::ofstream(folder_.string()) << "a file where the folder should be";
  const DiskCache cache(folder_ / "below", 1000);
  cache.write("key", "content");
  EXPECT_EQ(cache.read("key"), std::nullopt);
  DiskCache().write("key", "content");
  EXPECT_EQ(DiskCache().read("key"), std::nullopt);
}

TEST_F(DiskCacheTest, TheFolderIsWhereTheEnvironmentSays) {
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::optional<std::string> kept = before == nullptr ? std::nullopt : std::optional<std::string>(before);
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(cacheFolder(), fs::path("/somewhere/haloscope"));
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_TRUE(cacheFolder().empty() || cacheFolder().is_absolute());
  kept ? setenv("XDG_CACHE_HOME", kept->c_str(), 1) : unsetenv("XDG_CACHE_HOME");
}

TEST(FingerprintTest, EveryPartAndEveryBorderCounts) {
  EXPECT_EQ(fingerprint({"a"}).size(), 64U);
  EXPECT_NE(fingerprint({"ab", "c"}), fingerprint({"a", "bc"}));
  EXPECT_NE(fingerprint({"a"}), fingerprint({"a", ""}));
  // $ printf '3:abc' | sha256sum
  EXPECT_EQ(fingerprint({"abc"}), "aab5f9ae99b2e38fb462025c8f72f570c9c811705d2a4277dc855d7fa293fe97");
}

class CompilerCacheTest : public DiskCacheTest {
 protected:
  void SetUp() override {
    DiskCacheTest::SetUp();
    try {
      compiler_.emplace(13000, DiskCache(folder_, std::uintmax_t{1} << 24U));
    } catch (const Unavailable& missing) { GTEST_SKIP() << missing.what(); }
  }
  [[nodiscard]] CompiledText compile(const KernelText& text, int capability = 90) const {
    return compiler_->compile(text, {"go"}, capability);
  }

  const KernelText text_{"a.cu", "__global__ void go(float* out) { out[0] = VALUE; }\n", {{"VALUE", "1"}}};
  std::optional<Compiler> compiler_;
};

TEST_F(CompilerCacheTest, ACachedCompileIsTheSameAndTakesAtMost20Milliseconds) {
  const CompiledText first = compile(text_);
  const auto begin = std::chrono::steady_clock::now();
  const CompiledText second = compile(text_);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(first.image, second.image);
  EXPECT_EQ(first.symbols, second.symbols);
  EXPECT_EQ(first.log, second.log);
  ASSERT_EQ(second.resources.size(), 1U);
  EXPECT_EQ(second.resources.begin()->first, first.symbols.at("go"));
  EXPECT_EQ(second.resources.begin()->second.registers, first.resources.begin()->second.registers);
  EXPECT_LE(took.count(), 20);
  RecordProperty("milliseconds", std::to_string(took.count()));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(CompilerCacheTest, EverythingThatMattersIsInTheKey) {
  (void)compile(text_);
  KernelText other = text_;
  other.defines["VALUE"] = "2";
  (void)compile(other);
  other = text_;
  other.text += "\n";
  (void)compile(other);
  other = text_;
  other.prologue = "__constant__ int more;\n";
  (void)compile(other);
  other = text_;
  other.headers["unused.h"] = "int x;\n";
  (void)compile(other);
  other = text_;
  other.file = "b.cu";  // it is in the lines that a profiler shows
  (void)compile(other);
  other = text_;
  other.registerLimit = 32;
  (void)compile(other);
  (void)compile(text_, 80);
  EXPECT_EQ(entries(), 8U);
  (void)compile(text_);
  EXPECT_EQ(entries(), 8U);
}

TEST_F(CompilerCacheTest, ABrokenEntryIsCompiledAgainAndReplaced) {
  const CompiledText first = compile(text_);
  const fs::path file = fs::directory_iterator(folder_)->path();
  fs::resize_file(file, fs::file_size(file) / 2);
  EXPECT_EQ(compile(text_).image, first.image);
  const DiskCache cache(folder_, std::uintmax_t{1} << 24U);
  EXPECT_TRUE(cache.read(file.filename()));
  cache.write(file.filename(), "no compiled text");
  EXPECT_EQ(compile(text_).image, first.image);
  EXPECT_NE(cache.read(file.filename()), "no compiled text");
}

TEST_F(CompilerCacheTest, ATextThatIsRejectedLeavesNothing) {
  KernelText wrong = text_;
  wrong.defines["VALUE"] = "missing";
  EXPECT_THROW((void)compile(wrong), NvrtcError);
  EXPECT_THROW((void)compile(wrong), NvrtcError);
  EXPECT_FALSE(fs::exists(folder_));
}

}  // namespace
}  // namespace haloscope::gpu
