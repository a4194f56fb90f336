#include "driver/OwnText.h"

#include <utility>

namespace haloscope::gpu {

std::unique_ptr<Kernel> OwnText::compile(std::shared_ptr<const Device> device, const std::string& file,
                                         const std::string& kernel, std::map<std::string, std::string> defines) const {
  return std::make_unique<Kernel>(Clearance{}, std::move(device), KernelText{file, text_, std::move(defines)}, kernel);
}

}  // namespace haloscope::gpu
