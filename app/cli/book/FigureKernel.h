#pragma once

#include <memory>
#include <string>

#include "catalogue/Catalogue.h"
#include "experiment/Experiment.h"
#include "options/CliForward.h"
#include "options/KernelOptions.h"

namespace haloscope {

/// The kernel of `haloscope figure`.
struct FigureKernel {
  std::string id;  ///< a variant, or the path of a .cu file
  KernelOptions kernel;
  std::string block;  ///< "X,Y,Z"; empty: an interior one
  bool json = false;

  /// Adds these options; --block only with `focused`. `this` must outlive the command.
  void addTo(CLI::App& command, bool focused = false);
  /// Adds --data, of a figure that shows values.
  void addDataTo(CLI::App& command);
  /// Its experiment, with a recording of the block. Throws InputError and SourceError.
  [[nodiscard]] std::shared_ptr<const experiment::Experiment> run(const Catalogue& catalogue,
                                                                  bool countGrid = false) const;
};

}  // namespace haloscope
