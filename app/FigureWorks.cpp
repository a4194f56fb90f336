#include "DiscretiseWork.h"
#include "FigureWork.h"

namespace haloscope {

std::vector<std::unique_ptr<FigureWork>> figureWorks() {
  std::vector<std::unique_ptr<FigureWork>> works;
  works.push_back(std::make_unique<DiscretiseWork>());
  return works;
}

}  // namespace haloscope
