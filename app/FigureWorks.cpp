#include "BoundaryFigureWork.h"
#include "DiscretiseWork.h"
#include "FigureWork.h"
#include "LayoutFigureWork.h"
#include "ShapeFigureWork.h"

namespace haloscope {

std::vector<std::unique_ptr<FigureWork>> figureWorks() {
  std::vector<std::unique_ptr<FigureWork>> works;
  works.push_back(std::make_unique<DiscretiseWork>());
  works.push_back(std::make_unique<ShapeFigureWork>());
  works.push_back(std::make_unique<LayoutFigureWork>());
  works.push_back(std::make_unique<BoundaryFigureWork>());
  return works;
}

}  // namespace haloscope
