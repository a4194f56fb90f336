#include <array>

#include <clang/AST/ASTContext.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// Clusters of blocks: their size, and pointers into the shared memory of the cluster's other blocks.

namespace haloscope::lowering {

/// The prelude makes an annotation of __cluster_dims__(x, y, z), which this Clang does not know.
void KernelLowering::clusterDims(const clang::FunctionDecl& function) {
  for (const auto* note : function.specific_attrs<clang::AnnotateAttr>()) {
    if (note->getAnnotation() != "haloscope_cluster_dims") continue;
    std::array<std::uint32_t, 3> dims{1, 1, 1};
    std::size_t axis = 0;
    for (const clang::Expr* given : note->args()) {
      clang::Expr::EvalResult value;
      const bool known = axis < dims.size() && !given->isValueDependent() && given->EvaluateAsInt(value, context_);
      const std::int64_t blocks = known ? value.Val.getInt().tryExtValue().value_or(0) : 0;
      if (blocks < 1 || blocks > std::int64_t{1} << 16) {
        throw LoweringError(session_.range(given->getSourceRange()),
                            tr("__cluster_dims__ has one to three sizes, each a constant of 1 or more"));
      }
      dims.at(axis++) = static_cast<std::uint32_t>(blocks);
    }
    builder_.program().clusterDims = dims;
  }
}

std::optional<Scalar> KernelLowering::clusterFunction(const clang::CallExpr* expression, const std::string& name) {
  const SourceRange where = range(expression);
  if (name == "haloscope_mapped_rank") return builder_.mappedRank(scalar(expression->getArg(0)), where);
  if (name != "__cluster_map_shared_rank") return std::nullopt;
  const Parts operands = scalarArguments(expression);
  return builder_.mapShared(operands.at(0), builder_.convert(operands.at(1), ValueType::U32, where), where);
}

}  // namespace haloscope::lowering
