// Asks the module as a page does: ask.js MODULE WORKER NAME:FILE... calls each function with a file's bytes, and adds
// what it answers to FILE.answer.
const fs = require("node:fs");
const [modulePath, workerPath, ...calls] = process.argv.slice(2);

const waiting = [];
globalThis.postMessage = (answer) => waiting.shift()(answer);
// The page's own worker, unchanged.
eval(fs.readFileSync(workerPath, "utf8") + "\nglobalThis.receive = onmessage;");
const asked = (data) => new Promise((resolve) => { waiting.push(resolve); globalThis.receive({data}); });

(async () => {
  let code = await WebAssembly.compile(fs.readFileSync(modulePath));
  for (const call of calls) {
    const at = call.indexOf(":"), file = call.slice(at + 1);
    const {answer, trap} = await asked({code, name: call.slice(0, at), message: new Uint8Array(fs.readFileSync(file))});
    code = undefined;  // once
    fs.appendFileSync(file + ".answer", trap ? "trap: " + trap : new Uint8Array(answer));
  }
})();
