#include "XDisplay.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

namespace haloscope::test {

namespace fs = std::filesystem;

namespace {

fs::path temporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "haloscope-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) { throw std::runtime_error("no temporary folder can be made"); }
  return pattern;
}

// A 32-bit number of an X window dump, which Xvfb writes with the most significant byte first.
std::uint32_t number(const std::string& bytes, std::size_t index) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) { value = value << 8 | static_cast<unsigned char>(bytes.at(index * 4 + i)); }
  return value;
}

}  // namespace

XDisplay::XDisplay(int width, int height) : folder_(temporaryFolder()) {
  // Numbers far from those that people and xvfb-run take, and others for another test that runs at the same time.
  const int first = 200 + static_cast<int>(getpid() % 400) * 4;
  for (int number = first; number < first + 4; ++number) {
    if (start(number, width, height)) { return; }
  }
  throw std::runtime_error("Xvfb does not start");
}

bool XDisplay::start(int number, int width, int height) {
  std::array<int, 2> ready{};
  if (pipe(ready.data()) != 0) { throw std::runtime_error("no pipe"); }
  name_ = ":" + std::to_string(number);
  const std::string screen = std::to_string(width) + "x" + std::to_string(height) + "x24";
  const std::string readyEnd = std::to_string(ready[1]);
  server_ = fork();
  if (server_ == 0) {
    close(ready[0]);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    execlp("Xvfb", "Xvfb", name_.c_str(), "-displayfd", readyEnd.c_str(), "-screen", "0", screen.c_str(), "-fbdir",
           folder_.c_str(), "-nolisten", "tcp", "-noreset", static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ready[1]);
  // The server writes its number and a line end when clients may come; nothing comes if it could not start. It may
  // write them one after the other, and a pipe closed in between would end it.
  bool started = false;
  for (char letter = 0; !started && read(ready[0], &letter, 1) > 0;) { started = letter == '\n'; }
  close(ready[0]);
  if (!started) { waitpid(server_, nullptr, 0); }
  return started;
}

XDisplay::~XDisplay() {
  kill(server_, SIGTERM);
  waitpid(server_, nullptr, 0);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

render::Image XDisplay::screenshot() const {
  std::ifstream file(folder_ / "Xvfb_screen0", std::ios::binary);
  const std::string dump{std::istreambuf_iterator<char>(file), {}};
  // The header of XWDFile.h: its size, …, width, height, …, bytes a line, …, number of colours of 12 bytes each.
  const std::size_t headerBytes = number(dump, 0);
  const auto width = static_cast<int>(number(dump, 4));
  const auto height = static_cast<int>(number(dump, 5));
  const std::size_t lineBytes = number(dump, 12);
  const std::size_t start = headerBytes + std::size_t{number(dump, 19)} * 12;
  render::Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::size_t from = start + static_cast<std::size_t>(y) * lineBytes + static_cast<std::size_t>(x) * 4;
      const std::size_t to =
          (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 4;
      for (std::size_t c = 0; c < 3; ++c) { image.rgba[to + c] = static_cast<std::uint8_t>(dump.at(from + 2 - c)); }
      image.rgba[to + 3] = 255;
    }
  }
  return image;
}

ChildProcess::ChildProcess(const std::vector<std::string>& command, const std::vector<std::string>& environment)
    : log_(temporaryFolder() / "output") {
  std::vector<char*> arguments;
  for (const std::string& word : command) { arguments.push_back(const_cast<char*>(word.c_str())); }
  arguments.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0) { throw std::runtime_error("cannot start " + command.front()); }
  if (pid_ == 0) {
    const int log = open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    for (const std::string& variable : environment) { putenv(const_cast<char*>(variable.c_str())); }
    execvp(arguments.front(), arguments.data());
    _exit(127);
  }
}

ChildProcess::~ChildProcess() {
  if (runs()) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  fs::remove_all(log_.parent_path(), ignored);
}

int ChildProcess::wait(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (status_ < 0) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    } else if (std::chrono::steady_clock::now() >= end) {
      break;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  return status_;
}

bool ChildProcess::runs() { return wait(0) < 0; }

std::string ChildProcess::output() const {
  std::ifstream file(log_);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool inPath(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) { return true; }
  }
  return false;
}

}  // namespace haloscope::test
