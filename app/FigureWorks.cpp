#include "BoundaryFigureWork.h"
#include "DiscretiseWork.h"
#include "FigureWork.h"
#include "LayoutFigureWork.h"
#include "OpPerByteWork.h"
#include "RegistersWork.h"
#include "ShapeFigureWork.h"
#include "TailWork.h"

namespace haloscope {

std::vector<std::unique_ptr<FigureWork>> figureWorks() {
  std::vector<std::unique_ptr<FigureWork>> works;
  works.push_back(std::make_unique<DiscretiseWork>());
  works.push_back(std::make_unique<ShapeFigureWork>());
  works.push_back(std::make_unique<LayoutFigureWork>());
  works.push_back(std::make_unique<BoundaryFigureWork>());
  works.push_back(std::make_unique<OpPerByteWork>());
  works.push_back(std::make_unique<TailWork>());
  works.push_back(std::make_unique<RegistersWork>());
  return works;
}

}  // namespace haloscope
