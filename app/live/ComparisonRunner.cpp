#include "live/ComparisonRunner.h"

namespace haloscope {

ComparisonRunner::ComparisonRunner(work::Pool& pool)
    : worker_(pool, {work::Priority::Foreground, work::Cores::All},
              [](const ComparisonRequest& request, work::Delivery<Result>& delivery) {
                for (std::size_t i = 0; i < request.variants.size(); ++i) {
                  delivery.publish({i, compareBlock(request.variants[i], request.cell, delivery.stop())});
                }
              }) {}

}  // namespace haloscope
