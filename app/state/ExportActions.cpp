#include "state/ExportActions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

struct FormatEnding {
  std::string_view ending;
  ExportFormat format;
};
constexpr std::array kFormats = {FormatEnding{".png", ExportFormat::Png}};

}  // namespace

ExportFormat exportFormat(const fs::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* const found = std::ranges::find(kFormats, ending, &FormatEnding::ending);
  if (found == kFormats.end()) {
    std::string endings;
    for (const FormatEnding& one : kFormats) { endings.append(endings.empty() ? "" : ", ").append(one.ending); }
    throw InputError(trf("{}: the name's ending chooses the format, one of {}", path.string(), endings));
  }
  return found->format;
}

void expectExportable(const AppState& /*state*/, const ExportPlan& plan) {
  const fs::path folder = plan.output.has_parent_path() ? plan.output.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw InputError(trf("{}: there is no folder {}", plan.output.string(), folder.string()));
  }
}

}  // namespace haloscope
