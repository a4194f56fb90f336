#include "live/OutputTracer.h"

#include <exception>
#include <utility>

namespace haloscope {

OutputTracer::OutputTracer(work::Pool& pool)
    : Worker(pool, {work::Priority::Foreground, work::Cores::One},
             [](const OutputElement& output, const std::stop_token& stop) {
               FollowedOutput followed{output, nullptr};
               try {
                 if (auto traced = experiment::traceOutput(*output.experiment, output.element, stop)) {
                   followed.trace = std::make_shared<const experiment::TracedOutput>(std::move(*traced));
                 }
               } catch (const std::exception&) {
                 followed.trace = nullptr;  // a launch that cannot be run again: running it first said why
               }
               return followed;
             }) {}

}  // namespace haloscope
