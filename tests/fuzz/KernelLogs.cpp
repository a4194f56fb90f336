#include "KernelLogs.h"

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "../kernels/BlockLogSupport.h"
#include "SmallLaunch.h"

namespace haloscope::fuzz {

LoggedKernel loggedKernel(const std::filesystem::path& text, const Program& program) {
  std::ifstream in(text, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  const frontend::CompileOptions options{.defines = {}, .kernel = program.kernel, .executed = true};
  const Launch launch = smallLaunch(program);
  test::Logged logged = test::runInstrumented(text.string(), content, options, program, launch, kFirstBlock);
  logged.log.counts.resize(launch.configuration.threadsPerBlock());
  return {program, std::move(logged.text.program), std::move(logged.text.sites), std::move(logged.log)};
}

}  // namespace haloscope::fuzz
