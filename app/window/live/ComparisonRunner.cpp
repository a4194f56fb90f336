#include "live/ComparisonRunner.h"

namespace haloscope {

ComparisonRunner::ComparisonRunner(work::Pool& pool)
    : Worker(pool, {work::Priority::Foreground, work::Cores::All},
             [](const ComparisonRequest& request, work::Delivery<ComparisonResult>& delivery) {
               for (std::size_t i = 0; i < request.variants.size(); ++i) {
                 delivery.publish({i, compareBlock(request.variants[i], request.cell, delivery.stop())});
               }
             }) {}

}  // namespace haloscope
