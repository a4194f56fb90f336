#include "FigureWork.h"

namespace haloscope {

std::vector<std::unique_ptr<FigureWork>> figureWorks() {
  std::vector<std::unique_ptr<FigureWork>> works;
  return works;
}

}  // namespace haloscope
