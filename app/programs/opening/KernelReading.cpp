#include "opening/KernelReading.h"

#include <algorithm>

#include "language/Text.h"

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
  if (KernelFile::hasHeader(file.text)) {
    ReadKernel read{{KernelFile::parse(file.id, file.path, file.text), {}, {}, {}}, {}, {}};
    read.proposed.file.chapter = file.chapter;
    return read;
  }
  const OpenedFile opened = openAgain(request);
  const auto refused = std::ranges::find(opened.unread, file.kernel, &UnreadKernel::kernel);
  if (refused != opened.unread.end()) { throw refused->errors.front(); }
  if (opened.kernels.empty()) {
    if (!opened.unread.empty()) { throw opened.unread.front().errors.front(); }
    if (opened.diagnostics.empty()) {
      throw SourceError(file.path.string(), {}, tr("there is no kernel in this file"));
    }
    throw SourceError(file.path.string(), opened.diagnostics.front().where, opened.diagnostics.front().message);
  }
  ReadKernel read;
  for (const ProposedKernel& kernel : opened.kernels) { read.kernels.push_back(kernel.file.kernel); }
  const auto wanted = std::ranges::find(read.kernels, file.kernel);
  const auto index = wanted == read.kernels.end() ? 0 : wanted - read.kernels.begin();
  read.proposed = opened.kernels[static_cast<std::size_t>(index)];
  for (const ProposedKernel& kernel : opened.kernels) {
    if (kernel.file.kernel != read.proposed.file.kernel) { read.others.push_back(kernel.file); }
  }
  read.proposed.file.id = file.id;
  read.proposed.file.chapter = file.chapter;
  return read;
}

}  // namespace haloscope::opening
