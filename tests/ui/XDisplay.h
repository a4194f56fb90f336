#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "render/Image.h"

namespace haloscope::test {

/// A display of its own without a screen (Xvfb), for as long as the object lives.
class XDisplay {
 public:
  /// Throws std::runtime_error when there is no Xvfb, or it does not start.
  XDisplay(int width, int height);
  ~XDisplay();
  XDisplay(const XDisplay&) = delete;
  XDisplay& operator=(const XDisplay&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }  ///< for DISPLAY: ":7"
  [[nodiscard]] render::Image screenshot() const;

 private:
  /// False if the number is taken.
  bool start(int number, int width, int height);

  std::filesystem::path folder_;  ///< where Xvfb keeps its screen, as a file
  std::string name_;
  pid_t server_ = -1;
};

/// A program that runs alongside the test; killed at the end if it is still running.
class ChildProcess {
 public:
  /// `environment`: "NAME=VALUE" lines added to the test's own. Throws std::runtime_error.
  ChildProcess(const std::vector<std::string>& command, const std::vector<std::string>& environment);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Waits at most so long. The exit status; -1 if it still runs, 128 + the signal if one ended it.
  int wait(double seconds);
  [[nodiscard]] bool runs();
  /// What it has printed to both outputs.
  [[nodiscard]] std::string output() const;

 private:
  std::filesystem::path log_;
  pid_t pid_ = -1;
  int status_ = -1;
};

/// True if the program can be found in PATH.
[[nodiscard]] bool inPath(const std::string& program);

}  // namespace haloscope::test
