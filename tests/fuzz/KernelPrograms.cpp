#include "KernelPrograms.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "frontend/Frontend.h"

namespace haloscope::fuzz {

namespace fs = std::filesystem;

std::vector<KernelProgram> programsOf(const fs::path& text) {
  std::ifstream in(text, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  std::vector<KernelProgram> all;
  for (const frontend::KernelSummary& kernel : frontend::summarize(content).kernels) {
    if (!kernel.ready) { continue; }
    const frontend::CompileOptions options{.defines = {}, .kernel = kernel.symbol, .executed = true};
    try {
      all.push_back(
          {text.filename().string() + ":" + kernel.name, frontend::compile(text.string(), content, options).program});
    } catch (const frontend::CompileError&) { continue; }  // a mistake that is shown to the user
  }
  return all;
}

std::vector<fs::path> textsIn(const std::vector<std::string>& folders) {
  std::vector<fs::path> texts;
  for (const std::string& folder : folders) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(HALOSCOPE_SOURCE_DIR) / folder)) {
      if (entry.path().extension() == ".cu") { texts.push_back(entry.path()); }
    }
  }
  std::ranges::sort(texts);
  return texts;
}

}  // namespace haloscope::fuzz
