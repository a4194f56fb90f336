#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>

#include "lowering/ClangSession.h"
#include "lowering/ProgramBuilder.h"
#include "lowering/Ptx.h"
#include "lowering/TypeLayout.h"
#include "program/Program.h"

namespace haloscope::lowering {

/// Lowers one kernel of a parsed text to a Program. Each group of members is in a separate file, named in its comment.
///
/// Throws LoweringError for what the IR cannot express.
class KernelLowering {
 public:
  /// `executed`: see CompileOptions.
  explicit KernelLowering(const ClangSession& session, bool executed = false);

  /// `name` is what the program calls the kernel; `function` has a body.
  [[nodiscard]] Program lower(const clang::FunctionDecl& function, const std::string& name);
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const { return warnings_; }

 private:
  static constexpr std::int64_t kMaxConstantBytes = 64 * 1024;  ///< of all constant memory: CUDA's limit

  struct FieldPlace;
  /// The location of a glvalue: in registers (a local variable, one per scalar of a struct), in memory, or, for a
  /// struct, each field at its own location.
  struct Place {
    Parts registers;
    Scalar pointer;
    std::vector<FieldPlace> fields{};
    [[nodiscard]] bool inMemory() const { return pointer.valid(); }
    [[nodiscard]] bool isSplit() const { return !fields.empty(); }
  };
  struct FieldPlace {
    const clang::FieldDecl* field;
    Place place;
  };

  /// The result of a call: values, or the place of the returned reference.
  struct CallResult {
    Parts values;
    std::optional<Place> place;
  };

  /// The function being lowered: the kernel, or a device function inlined at a call.
  struct Frame {
    const clang::FunctionDecl* function = nullptr;
    StatementId statement = kNone;  ///< the one being lowered
    std::uint32_t index = 0;        ///< into Program::functions
    bool transparent = false;       ///< from the prelude: has no statements, variables or places in the text
    SourceRange calledAt;           ///< the place of instructions of a transparent function
    const clang::ReturnStmt* trailingReturn = nullptr;  ///< the function's last statement, if it is one
    bool onlyTrailingReturn = false;                    ///< no other return: its value needs no register of its own
    Parts result{};
    std::optional<Place> resultPlace{};
    std::optional<Place> object;  ///< *this
  };

  /// A call's argument, evaluated before the callee's frame exists.
  struct Argument {
    Parts values;
    std::optional<Place> place;  ///< of an argument bound to a reference
  };

  /// The target of an assignment and its new value; for x++ the old value.
  struct Assigned {
    Place target;
    Parts values;
  };

  // --- places in the text, and refusals
  [[nodiscard]] SourceRange range(const clang::SourceRange& where) const;
  [[nodiscard]] SourceRange range(const clang::Stmt* node) const { return range(node->getSourceRange()); }
  [[noreturn]] void refuse(const clang::SourceRange& where, const std::string& construct) const;
  [[noreturn]] void refuse(const clang::Stmt* node, const std::string& construct) const {
    refuse(node->getSourceRange(), construct);
  }
  /// Refuses a node by the usual name of its construct.
  [[noreturn]] void refuse(const clang::Stmt* node) const;
  void warn(const clang::Stmt* node, const std::string& message);
  [[nodiscard]] ValueType scalarType(clang::QualType type, const clang::SourceRange& where) const;
  [[nodiscard]] std::vector<TypeLayout::Leaf> leaves(clang::QualType type, const clang::SourceRange& where) const {
    return leaves(type, range(where));
  }
  [[nodiscard]] std::vector<TypeLayout::Leaf> leaves(clang::QualType type, const SourceRange& where) const;
  [[nodiscard]] static bool isScalar(clang::QualType type);

  // --- expressions (ExpressionLowering.cpp)
  Scalar scalar(const clang::Expr* expression);
  Parts parts(const clang::Expr* expression);
  void discard(const clang::Expr* expression);
  Scalar cast(const clang::CastExpr* expression);
  Parts initializerList(const clang::InitListExpr* list);
  Parts construction(const clang::CXXConstructExpr* expression);
  /// Copies a value that `other`, evaluated later, might change.
  Scalar keep(Scalar value, const clang::Expr* other);

  // --- operators (OperatorLowering.cpp)
  Scalar unary(const clang::UnaryOperator* expression);
  Assigned increment(const clang::UnaryOperator* expression, bool wantsOld);
  Scalar binary(const clang::BinaryOperator* expression);
  Scalar pointerArithmetic(const clang::BinaryOperator* expression);
  Scalar moved(Scalar pointer, Scalar count, bool backwards, clang::QualType pointerType, const SourceRange& range);
  Scalar logical(const clang::BinaryOperator* expression);
  Parts conditional(const clang::ConditionalOperator* expression);
  Assigned assignment(const clang::BinaryOperator* expression);
  Assigned compoundAssignment(const clang::CompoundAssignOperator* expression);
  /// The assignment that an expression makes, if it is an assignment, `++x` or `--x`: evaluated once, however it is
  /// used.
  std::optional<Assigned> assigned(const clang::Expr* expression);
  /// Whether it can be evaluated on inactive lanes unnoticed: no load, side effect, division, call, or counted
  /// floating-point operation.
  [[nodiscard]] bool isHarmless(const clang::Expr* expression) const;

  // --- constants (ConstantLowering.cpp)
  Parts zeros(clang::QualType type, const clang::SourceRange& where);
  std::optional<Scalar> constantValue(const clang::Expr* expression);
  std::optional<Scalar> constantVariable(const clang::VarDecl* variable, const clang::Expr* at);
  [[nodiscard]] Scalar constantInteger(clang::QualType type, const llvm::APSInt& value,
                                       const clang::SourceRange& where);
  [[nodiscard]] Scalar constantFloat(ValueType type, const llvm::APFloat& value);
  /// An object's initial values by its elements, given one for each scalar of the text.
  [[nodiscard]] static std::vector<std::uint64_t> inWords(const MemoryObject& object,
                                                          std::vector<std::uint64_t> scalars);
  /// Refuses a text whose __constant__ variables are more than fit, whichever kernels use them.
  void checkConstantMemory(const clang::DeclContext* declarations);
  /// Refuses an element of a constexpr array that is no variable of the device, unless the compiler can evaluate it.
  void checkHostTable(const clang::ArraySubscriptExpr* expression) const;
  [[nodiscard]] bool isConstantTable(const clang::VarDecl* variable) const;
  /// The constant initialiser of a variable, if it has one.
  [[nodiscard]] static const clang::APValue* evaluated(const clang::VarDecl* variable);
  std::vector<std::uint64_t> initialBits(const clang::VarDecl* variable);
  void flatten(const clang::APValue& value, clang::QualType type, const clang::VarDecl* variable,
               std::vector<std::uint64_t>& bits);

  // --- declarations (DeclarationLowering.cpp)
  void declare(const clang::VarDecl* variable);
  void declareReference(const clang::VarDecl* variable, Argument bound);
  Argument bindable(const clang::Expr* expression);
  Place declareRegisters(const clang::VarDecl* variable, clang::QualType type);
  Place declareLocalMemory(const clang::VarDecl* variable);
  /// A struct with arrays: they are in memory, its scalars in registers.
  Place declareSplit(const clang::VarDecl* variable);
  Place splitPlace(const clang::VarDecl* variable, clang::QualType type, const std::string& name);
  /// Where to keep a local variable.
  Place declareStorage(const clang::VarDecl* variable, clang::QualType type);
  void initializeArray(Scalar pointer, clang::QualType type, const clang::Expr* initializer);
  [[nodiscard]] bool producesCode(const clang::VarDecl* variable) const;
  /// Visits a function's body before it is lowered: collects the variables that need an address, and refuses code
  /// nested so deeply that lowering would take too long.
  void examineBody(const clang::Stmt* body);

  // --- storage (StorageLowering.cpp)
  Place place(const clang::Expr* expression);
  Place memberPlace(const clang::MemberExpr* expression);
  Place fieldOf(const Place& object, const clang::FieldDecl& field, const SourceRange& range);
  Place variablePlace(const clang::DeclRefExpr* expression);
  Place globalPlace(const clang::VarDecl* variable, const clang::Expr* at);
  Place temporaryPlace(const clang::Expr* expression);
  Scalar addressOf(const clang::Expr* expression);
  Parts read(const Place& place, clang::QualType type, const SourceRange& where);
  Parts read(const Place& place, clang::QualType type, const clang::Expr* at) { return read(place, type, range(at)); }
  void write(const Place& place, clang::QualType type, Parts values, const SourceRange& where);
  void write(const Place& place, clang::QualType type, Parts values, const clang::Expr* at) {
    write(place, type, std::move(values), range(at));
  }
  ObjectId addObject(const clang::VarDecl* variable, MemorySpace space);
  ObjectId addObject(const clang::VarDecl* variable, MemorySpace space, clang::QualType type, const std::string& name);

  // --- functions that are instructions (IntrinsicLowering.cpp)
  CallResult knownFunction(const clang::CallExpr* expression, const clang::FunctionDecl& callee);
  CallResult barrier(const clang::CallExpr* expression, BarrierKind kind);
  /// Whether it is one that may end the launch, which then is lowered.
  bool assertion(const clang::CallExpr* expression, const std::string& name);
  Scalar mathFunction(const clang::CallExpr* expression, MathFunction function);
  Scalar shuffle(const clang::CallExpr* expression, ShuffleKind kind);
  CallResult compilerBuiltin(const clang::CallExpr* expression, const clang::FunctionDecl& callee);
  /// All arguments of a call, each with its value before the later ones are evaluated.
  Parts scalarArguments(const clang::CallExpr* expression);
  [[nodiscard]] bool isBarrierCall(const clang::Expr* expression) const;
  /// Begins the clock of each thread, if the text uses one.
  void startClock(const SourceRange& where);

  // --- asynchronous copies (AsyncCopyLowering.cpp)
  /// Whether it is one of their functions, which then is lowered.
  bool copyFunction(const clang::CallExpr* expression, const std::string& name);
  void asyncCopy(const clang::CallExpr* expression);
  [[nodiscard]] ValueType copiedElement(const clang::CallExpr* expression, std::uint64_t bytes) const;
  struct CopyPlace {
    SourceRange to, from, whole;
  };
  /// Copies 4, 8 or 16 bytes, of which the first `copied` (U64) are those at `from`, the others zero.
  void copyOnce(Scalar to, Scalar from, ValueType element, std::uint64_t bytes, Scalar copied, const CopyPlace& place);

  // --- bulk copies and barriers in shared memory (BulkCopyLowering.cpp)
  /// The value of one of their functions; none if it is another one.
  std::optional<Parts> bulkFunction(const clang::CallExpr* expression, const std::string& name);
  void bulkPart(Scalar to, Scalar from, const SourceRange& where);
  /// To a barrier that its bytes arrive at, or to global memory.
  void bulkCopy(Scalar to, Scalar from, Scalar bytes, std::optional<Scalar> barrier, const SourceRange& where);
  /// The type of the elements of the array that a pointer points into, as far as the code so far shows it.
  [[nodiscard]] std::optional<ValueType> elementOf(Scalar pointer) const;
  /// The instruction that has computed a value; null if there are several.
  [[nodiscard]] const Instruction* computedBy(RegisterId reg) const;
  /// A pointer to shared memory as the number that PTX takes for its address, and back.
  Scalar sharedAddress(Scalar pointer, const SourceRange& where);
  Scalar sharedPointer(Scalar address, const SourceRange& where);
  std::optional<Scalar> knownSharedPointer(Scalar address, const SourceRange& where);

  // --- inline assembly (AssemblyLowering.cpp)
  class AssemblyValues;
  void assemblyInstruction(const PtxInstruction& instruction, AssemblyValues& values);
  /// Whether it is one of theirs, which then is lowered.
  bool barrierInstruction(const PtxInstruction& instruction, AssemblyValues& values);
  bool copyInstruction(const PtxInstruction& instruction, AssemblyValues& values);
  Scalar moved(const PtxInstruction& instruction, const AssemblyValues& values);
  /// "tid.x", "laneid" and the like; none of what only a GPU knows.
  std::optional<Scalar> specialRegister(const std::string& name, const SourceRange& where);

  // --- clusters of blocks (ClusterLowering.cpp)
  void clusterDims(const clang::FunctionDecl& function);
  /// The value of a function of theirs, if it is one.
  std::optional<Scalar> clusterFunction(const clang::CallExpr* expression, const std::string& name);

  // --- calls (CallLowering.cpp)
  CallResult call(const clang::CallExpr* expression);
  CallResult inlineFunction(const clang::FunctionDecl& definition, std::vector<Argument> arguments,
                            std::optional<Place> object, const clang::Expr* at);
  std::vector<Argument> evaluateArguments(const clang::FunctionDecl& callee,
                                          const std::vector<const clang::Expr*>& arguments);
  void bindParameters(const clang::FunctionDecl& definition, std::vector<Argument> arguments);
  void constructMembers(const clang::CXXConstructorDecl& constructor);
  void prepareReturns(const clang::FunctionDecl& definition);
  /// The code from here on is what a texture fetch does.
  void markFetch(std::size_t first);
  /// What has been lowered from this instruction on is one bulk copy.
  void markBulk(std::size_t first);
  /// Reads or writes a texel, if that is what the function does.
  std::optional<Parts> texelFunction(const clang::CallExpr* expression, const std::string& name);
  void createClosure(const clang::LambdaExpr* lambda);

  // --- statements (StatementLowering.cpp)
  void statement(const clang::Stmt* node);
  void begin(StatementKind kind, const SourceRange& range);
  void compound(const clang::CompoundStmt* node);
  void declarations(const clang::DeclStmt* node);
  void expressionStatement(const clang::Expr* node);
  void ifStatement(const clang::IfStmt* node);
  void forStatement(const clang::ForStmt* node);
  void whileStatement(const clang::WhileStmt* node);
  void doStatement(const clang::DoStmt* node);
  void switchStatement(const clang::SwitchStmt* node);
  void returnStatement(const clang::ReturnStmt* node);
  void assembly(const clang::GCCAsmStmt* node);
  void jumpOutOfLoop(const clang::Stmt* node, bool isBreak);
  [[nodiscard]] VariableId inductionVariable(const clang::ForStmt* node) const;

  // --- the kernel's own parameters (ParameterLowering.cpp)
  void parameters(const clang::FunctionDecl& function);
  /// What is at `type` in a parameter: all of it, or a field of a struct.
  Place parameterPlace(const clang::ParmVarDecl* parameter, clang::QualType type, const Parameter& described);
  /// The type of the elements that a pointer parameter points to; none if it is refused.
  [[nodiscard]] std::optional<ValueType> elementBehind(clang::QualType pointee) const;
  Place scalarParameter(const clang::ParmVarDecl* parameter, clang::QualType type, Parameter described);
  Place arrayParameter(const clang::ParmVarDecl* parameter, clang::QualType type, const Parameter& described);
  /// Refuses stores to arrays that the kernel receives in constant memory.
  void checkStores();

  [[nodiscard]] Frame& frame() { return frames_.back(); }
  [[nodiscard]] const Frame& frame() const { return frames_.back(); }
  [[nodiscard]] SourceRange scopeOf(const clang::VarDecl* variable) const;

  const ClangSession& session_;
  clang::ASTContext& context_;
  TypeLayout types_;
  bool executed_ = false;
  ProgramBuilder builder_;
  std::vector<Diagnostic> warnings_;
  std::int64_t constantBytes_ = 0;  ///< of the text's __constant__ variables, see checkConstantMemory()
  std::vector<Frame> frames_;
  std::vector<SourceRange> scopes_;  ///< of the blocks around the current statement, innermost last

  /// Recursion is refused, so a function is inlined once at a time, and a variable has one place at a time.
  std::map<const clang::VarDecl*, Place> places_;
  std::map<const clang::VarDecl*, VariableId> variables_;
  std::map<const clang::VarDecl*, ObjectId> objects_;  ///< of static storage
  std::map<RegisterId, Scalar> sharedAddresses_;       ///< the pointers that became these numbers
  std::set<const clang::VarDecl*> addressTaken_;
  std::optional<Scalar> clock_;  ///< what the thread's clock shows
  /// By-copy captures of the lambdas so far, by closure type.
  std::map<const clang::CXXRecordDecl*, std::map<const clang::VarDecl*, Place>> captures_;

  /// The targets of `break` and `continue` in the innermost loop or switch.
  struct Jumps {
    bool isSwitch = false;
    Scalar continues;  ///< in a switch: set where a lane's `continue` is for the loop around it
  };
  std::vector<Jumps> jumps_;
};

}  // namespace haloscope::lowering
