#include "questions/Origin.h"

#include "language/Text.h"

namespace haloscope::questions {

namespace {

const char* shortLabel(Origin origin) {
  switch (origin) {
    case Origin::Executed:
      return tr("executed");
    case Origin::Launch:
      return tr("from the launch");
    case Origin::Header:
      return tr("by the header's formula");
    case Origin::Definition:
      return tr("by the kernel's definition, not executed");
    case Origin::Text:
      return tr("from the kernel's text");
    case Origin::Compiler:
      return tr("by NVIDIA's compiler");
    case Origin::Recorded:
      return tr("recorded on a GPU");
    case Origin::DataSheet:
      return tr("by the data sheet");
  }
  return "";
}

}  // namespace

const char* name(Origin origin) {
  switch (origin) {
    case Origin::Executed:
      return "executed";
    case Origin::Launch:
      return "launch";
    case Origin::Header:
      return "header";
    case Origin::Definition:
      return "definition";
    case Origin::Text:
      return "text";
    case Origin::Compiler:
      return "compiler";
    case Origin::Recorded:
      return "recorded";
    case Origin::DataSheet:
      return "data_sheet";
  }
  return "";
}

std::vector<std::string> names(const Origins& origins) {
  std::vector<std::string> list;
  for (const Origin origin : origins) { list.emplace_back(name(origin)); }
  return list;
}

const char* sentence(Origin origin) {
  switch (origin) {
    case Origin::Executed:
      return tr("Computed by executing the kernel.");
    case Origin::Launch:
      return tr("From the launch: its sizes, tunables, grid and arrays.");
    case Origin::Header:
      return tr("By the formula in the kernel's header, not executed.");
    case Origin::Definition:
      return tr("By the definition in the kernel's header: at these sizes it cannot be traced.");
    case Origin::Text:
      return tr("From the statements of the kernel.");
    case Origin::Compiler:
      return tr("By NVIDIA's compiler, for sm_90.");
    case Origin::Recorded:
      return tr("Recorded on an NVIDIA H200, not computed here.");
    case Origin::DataSheet:
      return tr("From the GPU's data sheet.");
  }
  return "";
}

std::string label(const Origins& origins) {
  if (origins.empty()) { return tr("calculated"); }
  std::string text;
  for (const Origin origin : origins) {
    // What is executed depends on its launch in any case.
    if (origin == Origin::Launch && origins.contains(Origin::Executed)) { continue; }
    text += (text.empty() ? "" : ", ") + std::string(shortLabel(origin));
  }
  return text;
}

}  // namespace haloscope::questions
