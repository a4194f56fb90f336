#include "documents/FileText.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "language/Text.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

bool writeAll(int file, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t now = ::write(file, text.data() + written, text.size() - written);
    if (now < 0 && errno == EINTR) { continue; }
    if (now <= 0) { return false; }
    written += static_cast<std::size_t>(now);
  }
  return ::fsync(file) == 0;
}

}  // namespace

std::optional<std::string> readWhole(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) { return std::nullopt; }
  std::ifstream in(path, std::ios::binary);
  if (!in) { return std::nullopt; }
  std::ostringstream out;
  out << in.rdbuf();
  return in.bad() ? std::nullopt : std::optional(out.str());
}

void syncFolder(const fs::path& folder) {
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) { return; }
  ::fsync(file);
  ::close(file);
}

std::string replaceWhole(const fs::path& path, const std::string& text) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(path, error);
  const fs::path& target = error ? path : resolved;
  const auto failed = [&] { return trf("{} could not be written: {}", path.string(), std::strerror(errno)); };
  struct stat before{};
  const bool exists = ::stat(target.c_str(), &before) == 0;
  const mode_t mode = exists ? before.st_mode & 07777U : 0644U;
  std::string temporary = (target.parent_path() / ("." + target.filename().string() + ".XXXXXX")).string();
  const int file = ::mkstemp(temporary.data());
  if (file < 0) { return failed(); }
  const bool good = writeAll(file, text) && ::fchmod(file, mode) == 0;
  std::string problem = good ? std::string() : failed();
  if (::close(file) != 0 && problem.empty()) { problem = failed(); }
  if (problem.empty() && ::rename(temporary.c_str(), target.c_str()) != 0) { problem = failed(); }
  if (!problem.empty()) {
    ::unlink(temporary.c_str());
  } else {
    syncFolder(target.parent_path());
  }
  return problem;
}

}  // namespace haloscope
