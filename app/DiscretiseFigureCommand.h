#pragma once

#include "FigureCommands.h"

namespace haloscope {

/// `haloscope figure discretise`
[[nodiscard]] FigureRun addDiscretiseFigure(CLI::App& command);

}  // namespace haloscope
