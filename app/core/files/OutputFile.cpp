#include "files/OutputFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "files/FileText.h"
#include "language/Text.h"

namespace haloscope {

namespace fs = std::filesystem;

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(path_, error);
  target_ = error ? path_ : resolved;
  struct stat before{};
  if (::stat(target_.c_str(), &before) == 0) {
    mode_ = before.st_mode & 07777U;
    if (!S_ISREG(before.st_mode)) {  // a device or a pipe, which no file may replace; opening a folder fails
      file_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
      if (file_ < 0) { fail(); }
      return;
    }
  }
  std::string temporary = (target_.parent_path() / ("." + target_.filename().string() + ".XXXXXX")).string();
  file_ = ::mkstemp(temporary.data());
  if (file_ < 0) {
    fail();
  } else {
    temporary_ = temporary;
  }
}

OutputFile::~OutputFile() { drop(); }

void OutputFile::fail() {
  if (problem_.empty()) { problem_ = trf("{} could not be written: {}", path_.string(), std::strerror(errno)); }
}

void OutputFile::drop() {
  if (file_ >= 0) { ::close(std::exchange(file_, -1)); }
  if (!temporary_.empty()) { ::unlink(std::exchange(temporary_, {}).c_str()); }
}

bool OutputFile::write(std::string_view bytes) {
  while (!bytes.empty() && problem_.empty()) {
    const ssize_t now = ::write(file_, bytes.data(), bytes.size());
    if (now < 0 && errno == EINTR) { continue; }
    if (now <= 0) {
      fail();
      break;
    }
    bytes.remove_prefix(static_cast<std::size_t>(now));
  }
  return problem_.empty();
}

std::string OutputFile::commit() {
  const bool replaces = !temporary_.empty();
  if (problem_.empty() && replaces && (::fsync(file_) != 0 || ::fchmod(file_, static_cast<mode_t>(mode_)) != 0)) {
    fail();
  }
  if (file_ >= 0 && ::close(std::exchange(file_, -1)) != 0) { fail(); }
  if (problem_.empty() && replaces && ::rename(temporary_.c_str(), target_.c_str()) != 0) { fail(); }
  if (problem_.empty() && replaces) {
    temporary_.clear();
    syncFolder(target_.parent_path());
  }
  drop();
  return problem_;
}

}  // namespace haloscope
