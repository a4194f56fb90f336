#include "files/FileText.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <system_error>

#include "files/OutputFile.h"

namespace haloscope {

namespace fs = std::filesystem;

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
  OutputFile file(path);
  file.write(text);
  return file.commit();
}

}  // namespace haloscope
