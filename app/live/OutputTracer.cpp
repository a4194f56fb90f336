#include "live/OutputTracer.h"

#include <exception>
#include <utility>

namespace haloscope {

OutputTracer::OutputTracer(work::Pool& pool)
    : worker_(pool, {work::Priority::Foreground, work::Cores::One},
              [](const Output& output, const std::stop_token& stop) {
                Result result{output.experiment, output.element, nullptr};
                try {
                  if (auto traced = experiment::traceOutput(*output.experiment, output.element, stop)) {
                    result.trace = std::make_shared<const experiment::TracedOutput>(std::move(*traced));
                  }
                } catch (const std::exception&) {
                  result.trace = nullptr;  // a launch that cannot be run again: running it first said why
                }
                return result;
              }) {}

}  // namespace haloscope
