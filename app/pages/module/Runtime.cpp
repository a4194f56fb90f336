// What C++ needs at run time and Debian's libc++abi for WebAssembly is built without: exceptions, by the Itanium C++
// ABI. The engine unwinds; what is here makes exceptions, finds which handler of a function takes one, and ends them.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

namespace {

/// Of an exception; the thrown object follows. Handlers get a pointer to this.
struct alignas(16) Thrown {
  const std::type_info* type;
  void* (*destroy)(void*);  ///< a destructor, which returns its argument here
  void* adjusted;           ///< the object as its handler's type sees it
  Thrown* next;             ///< caught before it, and not yet done with
  std::size_t handlers;     ///< that have it now
  std::size_t owners;       ///< exception_ptrs, and one while it is thrown or caught
  bool rethrown;

  void* object() { return this + 1; }
  static Thrown* of(void* object) { return static_cast<Thrown*>(object) - 1; }
};

Thrown* caught = nullptr;
unsigned flying = 0;

void release(Thrown* thrown) {
  if (--thrown->owners > 0) { return; }
  if (thrown->destroy != nullptr) { thrown->destroy(thrown->object()); }
  std::free(thrown);
}

[[noreturn]] void fly(Thrown* thrown) {
  ++flying;
  __builtin_wasm_throw(0, thrown);
}

/// The first functions of libc++abi's __shim_type_info, by which it knows whether a handler's type takes an object.
class HandlerType : public std::type_info {
 public:
  ~HandlerType() override;
  virtual void first() const;
  virtual void second() const;
  virtual bool takes(const std::type_info* thrown, void*& object) const = 0;
};

std::uint64_t unsignedAt(const std::uint8_t*& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *at++;
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) { return value; }
  }
}
std::int64_t signedAt(const std::uint8_t*& at) {
  std::int64_t value = 0;
  for (unsigned shift = 0;;) {
    const std::uint8_t byte = *at++;
    value |= static_cast<std::int64_t>(byte & 0x7fU) << shift;
    shift += 7;
    if (byte < 0x80) { return (byte & 0x40U) != 0 ? value - (std::int64_t{1} << shift) : value; }
  }
}

}  // namespace

extern "C" {

/// Between a function's landing pad and this file: which pad it is, the function's table, and the handler found.
struct LandingPad {
  std::uintptr_t index;
  const std::uint8_t* table;
  std::uintptr_t selector;
};
thread_local LandingPad __wasm_lpad_context;

/// Named by functions that handle exceptions; the compiler calls the function below instead.
int __gxx_wasm_personality_v0() { std::abort(); }

int _Unwind_CallPersonality(void* exception) {
  constexpr std::uint8_t kOmitted = 0xff;
  auto* const thrown = static_cast<Thrown*>(exception);
  LandingPad& pad = __wasm_lpad_context;
  pad.selector = 0;
  const std::uint8_t* at = pad.table;
  if (at == nullptr) { return 0; }
  if (*at++ != kOmitted) { std::abort(); }
  const void* const* types = nullptr;  // counted backwards, from 1
  if (*at++ != kOmitted) {
    const auto offset = static_cast<std::size_t>(unsignedAt(at));
    types = reinterpret_cast<const void* const*>(at + offset);
  }
  ++at;  // how the pads are encoded: as unsigned numbers
  const auto length = static_cast<std::size_t>(unsignedAt(at));
  const std::uint8_t* const actions = at + length;
  std::size_t action = 0;
  for (std::uintptr_t entry = 0; at < actions; ++entry) {
    unsignedAt(at);
    action = static_cast<std::size_t>(unsignedAt(at));
    if (entry == pad.index) { break; }
    action = 0;
  }
  if (action == 0) { return 0; }  // it only cleans up
  for (at = actions + action - 1;;) {
    const std::int64_t type = signedAt(at);
    if (type > 0) {
      const auto* const handler = static_cast<const HandlerType*>(types[-type]);
      void* object = thrown->object();
      if (handler == nullptr || handler->takes(thrown->type, object)) {
        thrown->adjusted = object;
        pad.selector = static_cast<std::uintptr_t>(type);
        return 0;
      }
    } else if (type < 0) {
      std::terminate();
    }
    const std::uint8_t* const from = at;
    const std::int64_t next = signedAt(at);
    if (next == 0) { return 0; }
    at = from + next;
  }
}

void* __cxa_allocate_exception(std::size_t size) noexcept {
  void* const room = std::calloc(1, sizeof(Thrown) + size);
  if (room == nullptr) { std::abort(); }
  return static_cast<Thrown*>(room)->object();
}
void __cxa_free_exception(void* object) noexcept { std::free(Thrown::of(object)); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  Thrown* const thrown = Thrown::of(object);
  thrown->type = type;
  thrown->destroy = destroy;
  thrown->owners = 1;
  fly(thrown);
}

void* __cxa_get_exception_ptr(void* exception) noexcept { return static_cast<Thrown*>(exception)->adjusted; }

void* __cxa_begin_catch(void* exception) noexcept {
  auto* const thrown = static_cast<Thrown*>(exception);
  --flying;
  thrown->rethrown = false;
  if (thrown->handlers++ == 0 && caught != thrown) {
    thrown->next = caught;
    caught = thrown;
  }
  return thrown->adjusted;
}

void __cxa_end_catch() {
  Thrown* const thrown = caught;
  if (thrown == nullptr || --thrown->handlers > 0) { return; }
  caught = thrown->next;
  if (!thrown->rethrown) { release(thrown); }
}

[[noreturn]] void __cxa_rethrow() {
  if (caught == nullptr) { std::terminate(); }
  caught->rethrown = true;
  fly(caught);
}

// For std::exception_ptr, which holds the object.
void __cxa_increment_exception_refcount(void* object) noexcept {
  if (object != nullptr) { ++Thrown::of(object)->owners; }
}
void __cxa_decrement_exception_refcount(void* object) noexcept {
  if (object != nullptr) { release(Thrown::of(object)); }
}
void* __cxa_current_primary_exception() noexcept {
  if (caught == nullptr) { return nullptr; }
  ++caught->owners;
  return caught->object();
}
void __cxa_rethrow_primary_exception(void* object) {
  if (object == nullptr) { return; }
  Thrown* const thrown = Thrown::of(object);
  ++thrown->owners;
  fly(thrown);
}
/// What is thread_local lasts as long as the module.
int __cxa_thread_atexit(void (* /*destroy*/)(void*), void* /*object*/, void* /*module*/) noexcept { return 0; }

bool __cxa_uncaught_exception() noexcept { return flying > 0; }
unsigned __cxa_uncaught_exceptions() noexcept { return flying; }

}  // extern "C"
