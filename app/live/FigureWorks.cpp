#include "live/BoundaryFigureWork.h"
#include "live/ConstantFigureWork.h"
#include "live/DiscretiseFigureWork.h"
#include "live/FigureWork.h"
#include "live/LayoutFigureWork.h"
#include "live/OpPerByteFigureWork.h"
#include "live/RegistersFigureWork.h"
#include "live/ShapeFigureWork.h"
#include "live/TailFigureWork.h"

namespace haloscope {

std::vector<std::unique_ptr<FigureWork>> figureWorks() {
  std::vector<std::unique_ptr<FigureWork>> works;
  works.push_back(std::make_unique<DiscretiseFigureWork>());
  works.push_back(std::make_unique<ShapeFigureWork>());
  works.push_back(std::make_unique<ConstantFigureWork>());
  works.push_back(std::make_unique<LayoutFigureWork>());
  works.push_back(std::make_unique<BoundaryFigureWork>());
  works.push_back(std::make_unique<OpPerByteFigureWork>());
  works.push_back(std::make_unique<TailFigureWork>());
  works.push_back(std::make_unique<RegistersFigureWork>());
  return works;
}

}  // namespace haloscope
