#include "running/ProgramFiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "program/SourceLocation.h"

namespace haloscope::running {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed in the end.
class ProgramFilesTest : public testing::Test {
 protected:
  ProgramFilesTest()
      : folder_(fs::temp_directory_path() /
                ("haloscope-program-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ProgramFilesTest() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  static std::vector<std::string> namesOf(const ProgramFiles& files) {
    std::vector<std::string> names;
    for (const host::HostProgram::File& one : files.program.files) { names.push_back(one.name); }
    return names;
  }

  fs::path folder_;
};

TEST_F(ProgramFilesTest, AFileIsAProgramWithTheHeadersThatItIncludes) {
  write("a.cu", "#include \"b.cuh\"\nint main() {}\n");
  write("b.cuh", "int b;\n");
  write("c.cu", "int main() {}\n");

  const ProgramFiles files = readProgram(folder_ / "a.cu");
  EXPECT_THAT(namesOf(files), testing::ElementsAre("a.cu"));
  EXPECT_THAT(files.program.headers, testing::ElementsAre(testing::Key("b.cuh")));
}

/// A header in a folder beside the program's, in a program named from its own folder, as most are.
TEST_F(ProgramFilesTest, AHeaderBesideTheFolderIsOneHeader) {
  write("src/filters/a.cu", "#include \"signals/wave.h\"\nint main() {}\n");
  write("src/signals/wave.h", "int wave;\n");
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "src" / "filters");

  const ProgramFiles files = readProgram("a.cu");
  fs::current_path(before);
  EXPECT_THAT(files.program.headers, testing::ElementsAre(testing::Pair("signals/wave.h", "int wave;\n")));
}

TEST_F(ProgramFilesTest, AFolderIsOneProgramOfItsSources) {
  write("main.cu", "int main() {}\n");
  write("src/kernels.cu", "#include \"kernels.cuh\"\n");
  write("src/kernels.cuh", "void f();\n");
  write("src/io.cpp", "");
  write("build/copy.cu", "int main() {}\n");
  write(".hidden/main.cu", "int main() {}\n");
  write("notes.txt", "int main() {}\n");

  EXPECT_THAT(namesOf(readProgram(folder_)), testing::UnorderedElementsAre("main.cu", "src/kernels.cu", "src/io.cpp"));
}

TEST_F(ProgramFilesTest, SeveralProgramsAreNamed) {
  write("one.cu", "int main() {}\n");
  write("two.cu", "int main(int argc, char** argv) { return argc; }\n");
  try {
    static_cast<void>(readProgram(folder_));
    FAIL() << "two programs are read as one";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("2 programs"));
    EXPECT_THAT(error.what(), testing::HasSubstr("one.cu, two.cu"));
  }
}

TEST_F(ProgramFilesTest, AFolderWithoutMainIsRead) {
  write("kernels.cu", "__global__ void f() {}\n");
  EXPECT_THAT(namesOf(readProgram(folder_)), testing::ElementsAre("kernels.cu"));
}

TEST_F(ProgramFilesTest, WhatCannotBeReadIsAnError) {
  EXPECT_THROW(static_cast<void>(readProgram(folder_)), InputError) << "no source";
  EXPECT_THROW(static_cast<void>(readProgram(folder_ / "none.cu")), InputError);
}

TEST(DefinesMain, ReadsCodeNotWords) {
  EXPECT_TRUE(definesMain("int main() { return 0; }"));
  EXPECT_TRUE(definesMain("int\nmain(int argc, char **argv)\n{\n}\n"));
  EXPECT_TRUE(definesMain("auto main() -> int { }"));
  EXPECT_FALSE(definesMain("int main();"));
  EXPECT_FALSE(definesMain("// int main() {}\n/* int main() {} */"));
  EXPECT_FALSE(definesMain("const char* text = \"int main() {}\";"));
  EXPECT_FALSE(definesMain("void f() { main(); if (main()) {} }"));
  EXPECT_FALSE(definesMain("int domain() { return 0; }"));
  EXPECT_FALSE(definesMain("namespace n { int main() { return 0; } }"));
  EXPECT_FALSE(definesMain(""));
}

}  // namespace
}  // namespace haloscope::running
