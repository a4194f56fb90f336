#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>

#include "commands/Command.h"
#include "commands/PictureArguments.h"
#include "commands/Screen.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

/// `haloscope render`: the window's picture.
namespace haloscope {
namespace {

namespace fs = std::filesystem;

/// stb writes PNG, whatever the name says.
void expectPng(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  if (extension != ".png") {
    throw InputError(trf("-o {}: pictures are written as PNG; give a name that ends in .png", path.string()));
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder)) {
    throw InputError(trf("-o {}: there is no folder {}", path.string(), folder.string()));
  }
}

CommandRun addRender(CLI::App& command) {
  const auto options = std::make_shared<PictureArguments>();
  options->addTo(command);
  options->addWindow(command);
  command.add_option("-o,--output", options->picture.output, tr("PNG file to write"))->required();
  return [options](const CommandContext& context) {
    expectPng(options->picture.output);
    const WindowPicture picture = options->prepare(context);
    context.screen.draw(picture.state, picture.options);
    return ExitCode::Good;
  };
}

}  // namespace

extern const Command renderCommand{"render", trMark("Draw the window to a PNG file; needs no display"), addRender};

}  // namespace haloscope
