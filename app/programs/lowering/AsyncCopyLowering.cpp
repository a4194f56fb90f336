
#include <clang/AST/ASTContext.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// Asynchronous copies from global to shared memory: a load now, and a store that takes effect when it is waited for.

namespace haloscope::lowering {

namespace {

/// What a pointer points to in the text, before it became a pointer to void; null if that is all that is known.
clang::QualType pointedTo(const clang::Expr* pointer, const clang::ASTContext& context) {
  while (true) {
    pointer = pointer->IgnoreParenImpCasts();
    const clang::QualType type = pointer->getType();
    if (const clang::ArrayType* array = context.getAsArrayType(type)) return array->getElementType();
    if (!type->isPointerType()) return {};
    if (!type->isVoidPointerType()) return type->getPointeeType();
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(pointer);
    if (cast == nullptr) return {};
    pointer = cast->getSubExpr();
  }
}

}  // namespace

bool KernelLowering::copyFunction(const clang::CallExpr* expression, const std::string& name) {
  const SourceRange where = range(expression);
  if (name == "__pipeline_memcpy_async") {
    asyncCopy(expression);
  } else if (name == "__pipeline_commit") {
    builder_.copyCommit(std::nullopt, where);
  } else if (name == "__pipeline_wait_prior") {
    builder_.copyWait(builder_.convert(scalar(expression->getArg(0)), ValueType::U32, where), where);
  } else if (name == "haloscope_commit_copies") {
    builder_.copyCommit(scalar(expression->getArg(0)), where);
  } else {
    return false;
  }
  return true;
}

/// The type of the elements that are copied: that of the destination or the source, or 4-byte words.
ValueType KernelLowering::copiedElement(const clang::CallExpr* expression, std::uint64_t bytes) const {
  for (unsigned i = 0; i < 2; ++i) {
    const clang::QualType type = pointedTo(expression->getArg(i), context_);
    const auto memory = type.isNull() || type->isVoidType() ? std::nullopt : types_.memory(type);
    const bool fits = memory && bytes % static_cast<std::uint64_t>(sizeInMemory(memory->element)) == 0;
    if (fits && memory->element != ValueType::Pointer) return memory->element;
  }
  return ValueType::U32;
}

void KernelLowering::asyncCopy(const clang::CallExpr* expression) {
  const SourceRange where = range(expression);
  const Parts operands = scalarArguments(expression);
  if (!builder_.isConstant(operands.at(2))) refuse(expression->getArg(2), tr("size of a copy that is not a constant"));
  const std::uint64_t bytes = builder_.bits(operands[2]);
  if (bytes != 4 && bytes != 8 && bytes != 16) {
    throw LoweringError(range(expression->getArg(2)), tr("an asynchronous copy is of 4, 8 or 16 bytes"));
  }
  // The last bytes are filled with zeros instead; an element is copied or zero as a whole.
  const Scalar zeros = builder_.convert(operands.at(3), ValueType::U64, where);
  const Scalar copied = builder_.binary(Opcode::Sub, builder_.constant(ValueType::U64, bytes), zeros, where);
  copyOnce(operands[0], operands[1], copiedElement(expression, bytes), bytes, copied,
           {range(expression->getArg(0)), range(expression->getArg(1)), where});
}

void KernelLowering::copyOnce(Scalar to, Scalar from, ValueType element, std::uint64_t bytes, Scalar copied,
                              const CopyPlace& place) {
  const int size = sizeInMemory(element);
  const std::uint64_t count = bytes / static_cast<std::uint64_t>(size);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = i * static_cast<std::uint64_t>(size);
    const Scalar offset = builder_.constant(ValueType::I64, begin);
    VectorPart part{};
    if (count > 1) part = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(bytes)};
    const Scalar source = builder_.offset(from, offset, 1, place.from);
    const Scalar target = builder_.offset(to, offset, 1, place.to);
    const Scalar zero = builder_.constant(element, 0);
    const Scalar inside = builder_.binary(Opcode::Less, builder_.constant(ValueType::U64, begin), copied, place.whole);
    Scalar value = zero;
    if (!builder_.isConstant(inside)) {
      value = builder_.temporary(element);
      ProgramBuilder::IfBlock block = builder_.beginIf(inside, place.whole);
      builder_.assign(value.reg, builder_.loadToCopy(source, element, place.from, part), place.from);
      builder_.beginElse(block, place.whole);
      builder_.assign(value.reg, zero, place.whole);
      builder_.endIf(block, place.whole);
    } else if (builder_.bits(inside) != 0) {
      value = builder_.loadToCopy(source, element, place.from, part);
    }
    builder_.storeLater(target, value, place.to, part);
  }
}

}  // namespace haloscope::lowering
