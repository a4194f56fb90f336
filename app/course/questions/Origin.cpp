#include "questions/Origin.h"

#include <array>
#include <cstddef>

#include "language/Text.h"

namespace haloscope::questions {

namespace {

struct OriginWords {
  const char* name;   ///< in JSON
  const char* label;  ///< before a number
  const char* sentence;
};

/// In the order of Origin.
constexpr auto kOrigins = std::to_array<OriginWords>({
    {"executed", trMark("executed"), trMark("Computed by executing the kernel.")},
    {"launch", trMark("from the launch"), trMark("From the launch: its sizes, tunables, grid and arrays.")},
    {"header", trMark("by the header's formula"), trMark("By the formula in the kernel's header, not executed.")},
    {"definition", trMark("by the kernel's definition, not executed"),
     trMark("By the definition in the kernel's header: at these sizes it cannot be traced.")},
    {"text", trMark("from the kernel's text"), trMark("From the statements of the kernel.")},
    {"compiler", trMark("by NVIDIA's compiler"), trMark("By NVIDIA's compiler, for sm_90.")},
    {"recorded", trMark("recorded on a GPU"), trMark("Recorded on an NVIDIA H200, not computed here.")},
    {"data_sheet", trMark("by the data sheet"), trMark("From the GPU's data sheet.")},
});

const OriginWords& wordsOf(Origin origin) { return kOrigins.at(static_cast<std::size_t>(origin)); }

}  // namespace

const char* name(Origin origin) { return wordsOf(origin).name; }

std::vector<std::string> names(const Origins& origins) {
  std::vector<std::string> list;
  for (const Origin origin : origins) { list.emplace_back(name(origin)); }
  return list;
}

const char* sentence(Origin origin) { return tr(wordsOf(origin).sentence); }

std::string label(const Origins& origins) {
  if (origins.empty()) { return tr("calculated"); }
  std::string text;
  for (const Origin origin : origins) {
    // What is executed depends on its launch in any case.
    if (origin == Origin::Launch && origins.contains(Origin::Executed)) { continue; }
    text += std::string(text.empty() ? "" : ", ") + tr(wordsOf(origin).label);
  }
  return text;
}

}  // namespace haloscope::questions
