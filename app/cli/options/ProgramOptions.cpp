#include "options/ProgramOptions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <system_error>

#include "language/Text.h"
#include "options/GpuOption.h"
#include "process/NamedFiles.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{256} << 20;
/// Not for users, who write the arguments after --.
constexpr const char* kArguments = "--program-arguments";
constexpr const char *kFile = "--file", *kGpus = "--gpus", *kNoHost = "--no-host";

}  // namespace

void ProgramOptions::addTo(CLI::App& command) {
  command.add_option(kArguments, arguments)->group("");
  command
      .add_option(
          kFile, files,
          tr("NAME[=PATH]: an executed program can open a copy of this file under this name; it opens no other"))
      ->allow_extra_args(false);
  command.add_option(kGpus, gpus, tr("GPUs that an executed program sees (1; 2 if it moves data between GPUs)"))
      ->check(CLI::Range(1U, running::kMostDevices));
  command.footer(tr("-- ARGUMENTS    at the end: the arguments of the program that is executed"));
}

void ProgramOptions::addWithNoHostTo(CLI::App& command) {
  addTo(command);
  command
      .add_flag(kNoHost, noHost,
                tr("Do not execute the host code of opened files: propose launches from their kernels"))
      ->excludes(command.get_option(kFile));
}

std::string ProgramOptions::given() const {
  if (!arguments.empty()) { return fmt::format("-- {}", fmt::join(arguments, " ")); }
  return files.empty() ? std::string() : trf("--file {}", files.front());
}

void ProgramOptions::expectNone(const std::string& id) const {
  if (const std::string option = given(); !option.empty()) {
    throw InputError(trf("{}: {} is a kernel on its own, without a program that could use this option", option, id));
  }
}

std::vector<running::NamedFile> ProgramOptions::readFiles() const {
  if (files.size() > process::kMaxNamedFiles) {
    throw InputError(
        trf("--file is given {} times; at most {} files can be named", files.size(), process::kMaxNamedFiles));
  }
  std::vector<running::NamedFile> all;
  for (const std::string& text : files) {
    const std::size_t equals = text.find('=');
    running::NamedFile file{.name = text.substr(0, equals), .bytes = {}};
    const std::filesystem::path path = equals == std::string::npos ? text : text.substr(equals + 1);
    if (file.name.empty()) {
      throw InputError(trf("--file {}: write NAME=PATH; NAME is what the program opens", text));
    }
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
      throw InputError(trf("--file {}: there is no file {}", text, path.string()));
    }
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (error || bytes > kMaxBytes) {
      throw InputError(trf("--file {}: {} is larger than {} MiB, the most that a program is given", text, path.string(),
                           kMaxBytes >> 20));
    }
    file.bytes.resize(bytes);
    std::ifstream in(path, std::ios::binary);
    in.read(reinterpret_cast<char*>(file.bytes.data()), static_cast<std::streamsize>(bytes));
    if (!in) { throw InputError(trf("--file {}: {} cannot be read", text, path.string())); }
    all.push_back(std::move(file));
  }
  return all;
}

running::RunOptions ProgramOptions::runOptions(const measuring::GpuSpec& gpu) const {
  running::RunOptions options = haloscope::runOptions(gpu);
  options.arguments = arguments;
  options.device.count = gpus;
  options.files = readFiles();
  options.budget = budget;
  return options;
}

void giveArguments(CLI::App& command, const std::vector<std::string>& arguments) {
  CLI::Option* const option = command.get_option_no_throw(kArguments);
  if (option == nullptr) {
    throw InputError(trf("-- {}: \"{}\" executes no program that would take arguments", fmt::join(arguments, " "),
                         command.get_name()));
  }
  const CLI::Option* const noHost = command.get_option_no_throw(kNoHost);
  if (noHost != nullptr && noHost->count() > 0) {
    throw InputError(trf("-- {}: with --no-host no program is executed", fmt::join(arguments, " ")));
  }
  for (const std::string& one : arguments) { option->add_result(one); }
  option->run_callback();
}

}  // namespace haloscope
