#include <algorithm>
#include <utility>

#include <clang/AST/ASTContext.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// Calls of functions with a body, which are inlined; those that the prelude only declares are in IntrinsicLowering.cpp.

namespace haloscope::lowering {

namespace {

constexpr std::size_t kMaxInlineDepth = 48;

/// Of the functions that are not in the text.
bool fetches(const std::string& name) {
  return name.starts_with("tex1D") || name.starts_with("tex2D") || name.starts_with("tex3D") ||
         name.starts_with("surf1D") || name.starts_with("surf2D") || name.starts_with("surf3D");
}

bool isCallOperator(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return method != nullptr && method->getParent()->isLambda();
}

/// All return statements of a function, but not those of lambdas inside it.
std::vector<const clang::ReturnStmt*> returnsOf(const clang::Stmt* body) {
  std::vector<const clang::ReturnStmt*> found;
  std::vector<const clang::Stmt*> pending{body};
  while (!pending.empty()) {
    const clang::Stmt* node = pending.back();
    pending.pop_back();
    if (node == nullptr || llvm::isa<clang::LambdaExpr>(node)) continue;
    if (const auto* statement = llvm::dyn_cast<clang::ReturnStmt>(node)) found.push_back(statement);
    for (const clang::Stmt* child : node->children()) { pending.push_back(child); }
  }
  return found;
}

}  // namespace

KernelLowering::CallResult KernelLowering::call(const clang::CallExpr* expression) {
  const clang::FunctionDecl* callee = expression->getDirectCallee();
  if (callee == nullptr) refuse(expression, tr("call through a pointer to a function"));
  if (callee->getBuiltinID() != 0 && !callee->hasBody()) return compilerBuiltin(expression, *callee);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const bool isOperator = llvm::isa<clang::CXXOperatorCallExpr>(expression);
  std::vector<const clang::Expr*> arguments(expression->arg_begin(), expression->arg_end());
  std::optional<Place> object;
  if (method != nullptr && method->isImplicitObjectMemberFunction()) {
    const clang::Expr* self = nullptr;
    if (isOperator) {
      self = arguments.front();
      arguments.erase(arguments.begin());
    } else if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression)) {
      self = member->getImplicitObjectArgument();
    }
    if (self == nullptr || method->isVirtual()) refuse(expression, tr("this call of a member function"));
    const bool assigns = method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator();
    if (assigns && method->isTrivial()) {
      Parts values = parts(arguments.at(0));
      const Place target = place(self);
      write(target, self->getType(), values, expression);
      return {.values = values, .place = target};
    }
    const bool viaThis = llvm::isa<clang::CXXThisExpr>(self->IgnoreParenImpCasts());
    if (isCallOperator(*callee)) {
      // A closure has no data here; a lambda called where it is defined still captures.
      if (!self->isGLValue()) parts(self);
      if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(self->IgnoreParenImpCasts())) {
        parts(temporary->getSubExpr());
      }
    } else if (viaThis && frame().object) {
      object = *frame().object;
    } else {
      object = self->getType()->isPointerType() ? Place{.registers = {}, .pointer = scalar(self)} : place(self);
    }
  }
  const clang::FunctionDecl* definition = nullptr;
  if (callee->hasBody(definition)) {
    return inlineFunction(*definition, evaluateArguments(*definition, arguments), object, expression);
  }
  if (session_.inUserText(callee->getLocation())) {
    const bool host = !callee->hasAttr<clang::CUDADeviceAttr>();
    refuse(expression, tr("call to '") + callee->getNameAsString() + "', " +
                           (host ? tr("a host function") : tr("which has no body in this file")));
  }
  return knownFunction(expression, *callee);
}

std::vector<KernelLowering::Argument> KernelLowering::evaluateArguments(
    const clang::FunctionDecl& callee, const std::vector<const clang::Expr*>& arguments) {
  std::vector<Argument> evaluated;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool named = i < callee.getNumParams();
    const bool reference = named && callee.getParamDecl(static_cast<unsigned>(i))->getType()->isReferenceType();
    if (reference) {
      evaluated.push_back(bindable(arguments[i]));
      continue;
    }
    Argument argument{.values = parts(arguments[i]), .place = {}};
    for (std::size_t later = i + 1; later < arguments.size(); ++later) {
      for (Scalar& value : argument.values) { value = keep(value, arguments[later]); }
    }
    evaluated.push_back(std::move(argument));
  }
  return evaluated;
}

void KernelLowering::bindParameters(const clang::FunctionDecl& definition, std::vector<Argument> arguments) {
  for (unsigned i = 0; i < definition.getNumParams(); ++i) {
    const clang::ParmVarDecl* parameter = definition.getParamDecl(i);
    Argument& argument = arguments.at(i);
    const clang::QualType type = parameter->getType();
    if (type->isReferenceType()) {
      declareReference(parameter, std::move(argument));
      continue;
    }
    if (frame().transparent && !addressTaken_.contains(parameter)) {
      places_[parameter] = {.registers = argument.values, .pointer = {}};
      continue;
    }
    write(declareStorage(parameter, type), type, std::move(argument.values), frame().calledAt);
  }
}

void KernelLowering::prepareReturns(const clang::FunctionDecl& definition) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(definition.getBody());
  const auto returns = returnsOf(definition.getBody());
  if (body != nullptr && !body->body_empty()) {
    frame().trailingReturn = llvm::dyn_cast<clang::ReturnStmt>(body->body_back());
  }
  frame().onlyTrailingReturn = frame().trailingReturn != nullptr && returns.size() == 1;
  const clang::QualType type = definition.getReturnType();
  if (type->isVoidType() || frame().onlyTrailingReturn) return;
  if (type->isReferenceType()) {
    frame().result.push_back(builder_.temporary(ValueType::Pointer));
    return;
  }
  for (const TypeLayout::Leaf& leaf : leaves(type, definition.getSourceRange())) {
    frame().result.push_back(builder_.temporary(leaf.type));
  }
}

void KernelLowering::constructMembers(const clang::CXXConstructorDecl& constructor) {
  for (const clang::CXXCtorInitializer* initializer : constructor.inits()) {
    const clang::FieldDecl* field = initializer->getMember();
    if (field == nullptr) refuse(constructor.getSourceRange(), tr("this initialiser of a constructor"));
    const clang::Expr* value = initializer->getInit();
    write(fieldOf(*frame().object, *field, range(value)), field->getType(), parts(value), value);
  }
}

KernelLowering::CallResult KernelLowering::inlineFunction(const clang::FunctionDecl& definition,
                                                          std::vector<Argument> arguments, std::optional<Place> object,
                                                          const clang::Expr* at) {
  const std::string name = isCallOperator(definition) ? "lambda" : definition.getNameAsString();
  const bool recursive =
      std::ranges::any_of(frames_, [&](const Frame& outer) { return outer.function == &definition; });
  if (recursive) refuse(at, tr("recursion of '") + name + "'");
  if (frames_.size() > kMaxInlineDepth) refuse(at, tr("calls of device functions nested this deeply"));
  if (definition.isVariadic()) refuse(at, tr("call to '") + name + tr("' with a variable number of arguments"));
  const auto errors = session_.errorsIn(definition);
  if (!errors.empty()) throw LoweringError(errors.front().where, errors.front().message, errors.front().header);
  const SourceRange calledAt = range(at);

  Frame entered{.function = &definition,
                .index = frame().index,
                .transparent = frame().transparent || !session_.inUserText(definition.getLocation()),
                .calledAt = calledAt,
                .object = std::move(object)};
  // A function in a header has no statements here; lanes that leave it early still wait for the others.
  const auto returns = returnsOf(definition.getBody());
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(definition.getBody());
  const bool fetch = entered.transparent && fetches(name);
  const bool bulk = entered.transparent && name == "haloscope_tensor_copy";
  const std::size_t first = builder_.program().code.size();
  const bool early = std::ranges::any_of(
      returns, [&](const auto* one) { return body == nullptr || body->body_empty() || one != body->body_back(); });
  if (entered.transparent && early) builder_.call(entered.index, calledAt);
  if (!entered.transparent) {
    std::vector<FunctionFrame>& functions = builder_.program().functions;
    entered.index = static_cast<std::uint32_t>(functions.size());
    functions.push_back({name, session_.range(definition.getSourceRange()), calledAt});
    builder_.call(entered.index, calledAt);
  }
  frames_.push_back(std::move(entered));
  const std::vector<SourceRange> outerScopes = std::exchange(scopes_, {});
  const std::vector<Jumps> outerJumps = std::exchange(jumps_, {});
  scopes_.push_back(range(definition.getBody()));

  // By-copy captures have the names of the variables they copy.
  std::map<const clang::VarDecl*, Place> hidden;
  if (isCallOperator(definition)) {
    for (const auto& [variable, copy] : captures_[llvm::cast<clang::CXXMethodDecl>(definition).getParent()]) {
      hidden[variable] = std::exchange(places_[variable], copy);
    }
  }

  examineBody(definition.getBody());
  bindParameters(definition, std::move(arguments));
  prepareReturns(definition);
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&definition)) {
    constructMembers(*constructor);
  }
  statement(definition.getBody());

  for (auto& [variable, place] : hidden) { places_[variable] = place; }
  scopes_ = outerScopes;
  jumps_ = outerJumps;
  Frame left = std::move(frames_.back());
  frames_.pop_back();
  if (left.transparent && early) builder_.control(Opcode::EndCall, calledAt);
  if (!left.transparent) {
    builder_.control(Opcode::EndCall, calledAt);
    if (frame().statement != kNone) builder_.resume(frame().statement);
  }
  if (fetch) markFetch(first);
  if (bulk) markBulk(first);
  if (definition.getReturnType()->isReferenceType() && !left.resultPlace) {
    left.resultPlace = Place{.registers = {}, .pointer = left.result.at(0)};
  }
  return {.values = left.result, .place = left.resultPlace};
}

void KernelLowering::markFetch(std::size_t first) {
  std::vector<Instruction>& code = builder_.program().code;
  bool begun = false;
  for (std::size_t at = first; at < code.size(); ++at) {
    if (code[at].fetch == FetchPart::Texel) continue;
    const bool begins = !begun && code[at].op == Opcode::Load;
    code[at].fetch = begins ? FetchPart::Begin : FetchPart::Inside;
    begun = begun || begins;
  }
}

void KernelLowering::markBulk(std::size_t first) {
  std::vector<Instruction>& code = builder_.program().code;
  for (std::size_t at = first; at < code.size(); ++at) {
    code[at].bulk = true;
    const bool ofMap = code[at].op == Opcode::Load && code[at].type == ValueType::Pointer;
    if (ofMap) code[at].fetch = FetchPart::Inside;
  }
}

void KernelLowering::createClosure(const clang::LambdaExpr* lambda) {
  std::map<const clang::VarDecl*, Place>& copies = captures_[lambda->getLambdaClass()];
  for (const clang::LambdaCapture& capture : lambda->captures()) {
    if (capture.capturesThis()) refuse(lambda, tr("lambda that captures 'this'"));
    if (!capture.capturesVariable()) continue;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
    if (variable == nullptr) refuse(lambda, tr("this capture"));
    if (lambda->isInitCapture(&capture)) {
      declare(variable);
      continue;
    }
    if (capture.getCaptureKind() != clang::LCK_ByCopy) continue;
    const auto known = places_.find(variable);
    if (known == places_.end()) continue;  // a constant or of static storage: nothing to copy
    if (known->second.inMemory() || known->second.isSplit()) {
      if (types_.containsArray(variable->getType())) refuse(lambda, tr("capture of an array by copy"));
      continue;
    }
    const Parts now = known->second.registers;
    const Place outer = known->second;
    const Place copy = declareRegisters(variable, variable->getType().getNonReferenceType());
    for (std::size_t i = 0; i < now.size(); ++i) { builder_.assign(copy.registers.at(i).reg, now[i], range(lambda)); }
    copies[variable] = copy;
    places_[variable] = outer;
  }
}

}  // namespace haloscope::lowering
