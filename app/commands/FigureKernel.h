#pragma once

#include <memory>
#include <string>

#include "commands/KernelOptions.h"
#include "experiment/Experiment.h"
#include "program/Catalogue.h"

namespace CLI {
class App;
}

namespace haloscope {

/// The kernel that `haloscope figure` draws, as a person says it.
struct FigureKernel {
  std::string id;  ///< a variant, or the path of a .cu file
  KernelOptions kernel;
  std::string block;  ///< "X,Y,Z"; empty: an interior one
  bool json = false;

  /// Gives a command these options; with `focused`, --block too. `this` must outlive it.
  void addTo(CLI::App& command, bool focused = false);
  /// Its experiment, with a recording of the block. Throws InputError and SourceError.
  [[nodiscard]] std::shared_ptr<const experiment::Experiment> run(const Catalogue& catalogue,
                                                                  bool countGrid = false) const;
};

}  // namespace haloscope
