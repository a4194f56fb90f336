#include "BoundaryFigureWork.h"
#include "ConstantFigureWork.h"
#include "DiscretiseFigureWork.h"
#include "FigureWork.h"
#include "LayoutFigureWork.h"
#include "OpPerByteFigureWork.h"
#include "RegistersFigureWork.h"
#include "ShapeFigureWork.h"
#include "TailFigureWork.h"

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
