#pragma once

#include <memory>
#include <span>
#include <vector>

#include "book/FigureCommand.h"
#include "book/FigureWork.h"
#include "work/Pool.h"

/// The book's figures except for their drawing: one file per figure in this folder.
namespace haloscope {

struct Figure {
  const char* help;  ///< of `haloscope figure ID`
  std::unique_ptr<FigureCommand> (*command)();
  std::unique_ptr<FigureWork> (*work)(haloscope::work::Pool&);
  bool forGpu = false;  ///< its numbers are those of a GPU: it has --gpu and --arch
};

/// In the order of listedFigures().
[[nodiscard]] std::span<const Figure* const> figureParts();
/// The work of all of them.
[[nodiscard]] std::vector<std::unique_ptr<FigureWork>> figureWorks(work::Pool& pool);

template <typename Command>
std::unique_ptr<FigureCommand> newCommand() {
  return std::make_unique<Command>();
}

template <typename Work>
std::unique_ptr<FigureWork> newWork(work::Pool& pool) {
  return std::make_unique<Work>(pool);
}

}  // namespace haloscope
