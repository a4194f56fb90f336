#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "book/Figure.h"
#include "options/CliForward.h"
#include "options/GpuOption.h"

namespace haloscope {

/// The options of all figures in one command. Each belongs to some of them.
class PictureFigures {
 public:
  /// `this` must outlive the command.
  void addTo(CLI::App& command);
  /// Throws InputError for an option that was given to the command and that this figure does not have; empty: no
  /// figure.
  void expectOptionsOf(const std::string& figure) const;
  /// Puts a figure in front. Throws InputError for what the kernel does not have.
  void show(const std::string& figure, FigurePicture& of) const;

 private:
  /// The options of the command from this one on belong to these figures.
  void note(CLI::App& command, std::size_t first, const std::vector<std::string>& figures);

  std::map<std::string, std::unique_ptr<FigureCommand>> commands_;
  std::vector<std::pair<const CLI::Option*, std::vector<std::string>>> options_;
  GpuOption gpu_;
};

}  // namespace haloscope
