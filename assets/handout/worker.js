// Beside the page: the module with the emulator, one request after another. See app/pages/module/Module.cpp.

let module = null;

/** What WASI's C library asks of its host: nothing but the time is needed. */
function host() {
  const memory = () => new DataView(module.memory.buffer);
  const calls = {
    clock_time_get: (clock, precision, at) => { memory().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true); return 0; },
    proc_exit: (code) => { throw new Error(`exit ${code}`); },
  };
  const NOT_THERE = 52;
  return new Proxy(calls, {get: (known, name) => known[name] ?? (() => NOT_THERE)});
}

function ask(name, message) {
  const room = module.room(message.length) >>> 0;  // the memory may grow for it
  new Uint8Array(module.memory.buffer, room, message.length).set(message);
  module[name]();
  const at = module.answer() >>> 0;
  return module.memory.buffer.slice(at, at + (module.answerSize() >>> 0));
}

onmessage = async ({data}) => {
  const begun = performance.now();
  try {
    if (data.code) {
      const instance = await WebAssembly.instantiate(data.code, {wasi_snapshot_preview1: host()});
      module = instance.exports;
      module._initialize();
      if (data.texts) ask("texts", data.texts);
    }
    const answer = ask(data.name, data.message);
    postMessage({name: data.name, answer, milliseconds: performance.now() - begun}, [answer]);
  } catch (error) {
    postMessage({name: data.name, trap: String(error.message ?? error)});
  }
};
