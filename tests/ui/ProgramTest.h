#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

/// The program as a script meets it: arguments in; standard output, standard error and an exit status out.
namespace haloscope {

namespace fs = std::filesystem;

struct Reply {
  int status = -1;
  std::string out, err;
};

class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest() : folder_(fs::path(::testing::TempDir()) / ("haloscope" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~ProgramTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  static std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  Reply run(const std::string& arguments, const std::string& environment = "env -u DISPLAY -u WAYLAND_DISPLAY") const {
    const fs::path out = folder_ / "out";
    const fs::path err = folder_ / "err";
    const std::string command =
        environment + " " HALOSCOPE_BINARY " " + arguments + " >" + out.string() + " 2>" + err.string();
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): the test's own words
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, read(out), read(err)};
  }

  fs::path folder_;
};

}  // namespace haloscope
