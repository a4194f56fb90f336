#pragma once

#include "book/FigureKernel.h"
#include "catalogue/Catalogue.h"
#include "options/CliForward.h"
#include "options/GpuOption.h"
#include "options/PictureOptions.h"
#include "state/AppState.h"

namespace haloscope {

/// A picture in which a figure is in front.
struct FigurePicture {
  const KernelFile& file;
  const experiment::Experiment& recorded;  ///< the kernel, executed as chosen
  bool sized = false;                      ///< the command line gives the size of the problem
  AppState& state;
  PictureOptions& picture;
};

/// The options of a figure: those of `haloscope figure ID`, some of which `haloscope render --figure ID` has too.
class FigureCommand {
 public:
  FigureCommand() = default;
  FigureCommand(const FigureCommand&) = delete;
  FigureCommand& operator=(const FigureCommand&) = delete;
  virtual ~FigureCommand() = default;

  /// All options of `haloscope figure ID` but those of the GPU. `this` must outlive the command.
  virtual void addTo(CLI::App& command) {
    kernel_.addTo(command);
    addOwn(command);
  }
  /// Those that a picture has too.
  virtual void addOwn(CLI::App& /*command*/) {}
  [[nodiscard]] GpuOption& gpu() { return gpu_; }

  /// Prints the figure's numbers, as a table or as JSON. Throws SourceError, InputError and MissingError.
  virtual void print(const Catalogue& catalogue) const = 0;
  /// Fills in the state with what addOwn()'s options say. Throws InputError for what the kernel does not have.
  virtual void prepare(FigurePicture& /*of*/) const {}

 protected:
  FigureKernel kernel_;
  GpuOption gpu_;
};

}  // namespace haloscope
