// What all pages with a script have: their words, packed data, the module with the emulator and messages to it.

const words = JSON.parse(document.getElementById("words").textContent);
const fill = (text, ...values) => text.replace(/\{(\d)\}/g, (all, at) => values[at]);

function make(name, properties = {}, children = []) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

async function inflated(base64) {
  const bytes = Uint8Array.from(atob(base64), (digit) => digit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The length of a JSON text, the text, and bytes: container() in handout/Columns.h. */
function packedMessage(facts) {
  const text = new TextEncoder().encode(JSON.stringify(facts)), bytes = new Uint8Array(4 + text.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  return bytes;
}
function openedMessage(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return [JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))), bytes.slice(4 + length)];
}

/** The compiled module and the texts of its language, once for all chapters; null: there is none. Throws a sentence if it cannot be used. */
let compiled;
function emulator() {
  const packed = document.getElementById("module");
  if (!packed) return null;
  compiled ??= (async () => {
    if (typeof WebAssembly !== "object" || typeof Worker !== "function") throw words.noWebAssembly;
    try {
      const texts = document.getElementById("texts");
      return {code: await WebAssembly.compile(await inflated(packed.textContent)), texts: texts && await inflated(texts.textContent)};
    } catch (error) {
      throw fill(words.moduleDamaged, error.message);
    }
  })();
  return compiled;
}

const LONGEST_SECONDS = 60;  // of an execution
function newWorker() {
  const text = document.getElementById("worker").textContent;
  const address = URL.createObjectURL(new Blob([text], {type: "text/javascript"}));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
}
