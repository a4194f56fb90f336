#include "judging/CheckedKernel.h"

namespace haloscope::judging {

SourceError atNowhere(const std::string& file, const std::string& message) { return {file, {}, message}; }

std::string withoutName(const std::string& message, const std::string& name) {
  return message.starts_with(name + ": ") ? message.substr(name.size() + 2) : message;
}

void checkKernel(const KernelFile& file, const Bindings& bindings, CheckedKernel& row, const std::stop_token& stop) {
  try {
    row.text = file;
    row.bindings = file.bind(bindings);
    row.report = checking::check(file, bindings, {.stop = stop});
    row.assumptions.insert(row.assumptions.end(), row.report->notes.begin(), row.report->notes.end());
    if (row.kernel.empty()) { row.kernel = row.report->kernel; }
  } catch (const SourceError& error) { row.errors.push_back(error); } catch (const InputError& error) {
    row.readable = true;
    row.errors.push_back(atNowhere(row.file, withoutName(error.what(), file.id)));
  }
}

}  // namespace haloscope::judging
