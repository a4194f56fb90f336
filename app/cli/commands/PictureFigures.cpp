#include "commands/PictureFigures.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <span>

#include "language/Text.h"
#include "parts/FigureList.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

/// "layout", "opb, tail or registers"
std::string either(const std::vector<std::string>& figures) {
  if (figures.size() == 1) { return figures.front(); }
  return trf("{} or {}", fmt::join(std::span(figures).first(figures.size() - 1), ", "), figures.back());
}

}  // namespace

void PictureFigures::addTo(CLI::App& command) {
  std::vector<std::string> forGpu;
  for (std::size_t i = 0; i < figureParts().size(); ++i) {
    const Figure& figure = *figureParts()[i];
    const std::string id = listedFigures()[i].id;
    if (figure.forGpu) { forGpu.push_back(id); }
    const std::size_t before = command.get_options().size();
    commands_[id] = figure.command();
    commands_[id]->addOwn(command);
    note(command, before, {id});
  }
  const std::size_t before = command.get_options().size();
  gpu_.addTo(command);
  note(command, before, forGpu);
}

void PictureFigures::expectOptionsOf(const std::string& figure) const {
  for (const auto& [option, figures] : options_) {
    if (option->count() == 0 || std::ranges::find(figures, figure) != figures.end()) { continue; }
    throw InputError(figure.empty() ? trf("{} belongs to --figure {}", option->get_name(), either(figures))
                                    : trf("{}: the figure \"{}\" has no such option; it belongs to --figure {}",
                                          option->get_name(), figure, either(figures)));
  }
}

void PictureFigures::show(const std::string& figure, FigurePicture& of) const {
  of.state.view.tabs.bringToFront(Tab::Figures);
  of.state.figures.inFront = figure;
  if (gpu_.given()) { of.state.view.gpuSpec = gpu_.indexAmong(of.state.gpuSpecs); }
  commands_.at(figure)->prepare(of);
}

void PictureFigures::note(CLI::App& command, std::size_t first, const std::vector<std::string>& figures) {
  const std::vector<CLI::Option*> all = command.get_options();
  for (CLI::Option* option : std::span(all).subspan(first)) {
    option->description(trf("With --figure {}: {}", either(figures), option->get_description()));
    options_.emplace_back(option, figures);
  }
}

}  // namespace haloscope
