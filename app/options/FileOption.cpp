#include "options/FileOption.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "host/NamedFiles.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{256} << 20;

}  // namespace

void FileOption::addTo(CLI::App& command) {
  command
      .add_option("--file", given,
                  "NAME[=PATH]: the program can open a copy of this file under this name; it opens no other")
      ->allow_extra_args(false);
}

std::vector<running::NamedFile> FileOption::read() const {
  if (given.size() > host::kMaxNamedFiles) {
    throw InputError(
        fmt::format("--file is given {} times; at most {} files can be named", given.size(), host::kMaxNamedFiles));
  }
  std::vector<running::NamedFile> files;
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    running::NamedFile file{.name = text.substr(0, equals), .bytes = {}};
    const std::filesystem::path path = equals == std::string::npos ? text : text.substr(equals + 1);
    std::error_code error;
    const std::uintmax_t bytes =
        std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path, error) : kMaxBytes + 1;
    if (file.name.empty() || error || bytes > kMaxBytes) {
      throw InputError(fmt::format("--file {}: {} is no file of at most {} MiB", text, path.string(), kMaxBytes >> 20));
    }
    file.bytes.resize(bytes);
    std::ifstream in(path, std::ios::binary);
    in.read(reinterpret_cast<char*>(file.bytes.data()), static_cast<std::streamsize>(bytes));
    if (!in) { throw InputError(fmt::format("--file {}: {} cannot be read", text, path.string())); }
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace haloscope
