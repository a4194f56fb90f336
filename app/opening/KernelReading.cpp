#include "opening/KernelReading.h"

#include <algorithm>

namespace haloscope::opening {

namespace {

/// A kernel in a header belongs to the opened program. The text may be that of either.
OpenedFile openAgain(const Request& request) {
  const KernelFile& file = request.file;
  if (file.includedBy.empty() || file.includedBy == file.path) {
    return openText(file.path, file.text, request.overrides);
  }
  LaunchOverrides overrides = request.overrides;
  overrides.headerTexts[file.path.lexically_normal()] = file.text;
  return openFile(file.includedBy, overrides);
}

}  // namespace

ReadKernel readKernel(const Request& request) {
  const KernelFile& file = request.file;
  if (file.text.find("/* haloscope") != std::string::npos) {
    ReadKernel read{{KernelFile::parse(file.id, file.path, file.text), {}, {}, {}}, {}};
    read.proposed.file.chapter = file.chapter;
    return read;
  }
  const OpenedFile student = openAgain(request);
  const auto refused = std::ranges::find(student.unread, file.kernel, &UnreadKernel::kernel);
  if (refused != student.unread.end()) { throw refused->errors.front(); }
  if (student.kernels.empty()) {
    if (!student.unread.empty()) { throw student.unread.front().errors.front(); }
    if (student.diagnostics.empty()) { throw SourceError(file.path.string(), {}, "there is no kernel in this file"); }
    throw SourceError(file.path.string(), student.diagnostics.front().where, student.diagnostics.front().message);
  }
  ReadKernel read;
  for (const ProposedKernel& kernel : student.kernels) { read.kernels.push_back(kernel.file.kernel); }
  const auto wanted = std::ranges::find(read.kernels, file.kernel);
  const auto index = wanted == read.kernels.end() ? 0 : wanted - read.kernels.begin();
  read.proposed = student.kernels[static_cast<std::size_t>(index)];
  read.proposed.file.id = file.id;
  read.proposed.file.chapter = file.chapter;
  return read;
}

}  // namespace haloscope::opening
