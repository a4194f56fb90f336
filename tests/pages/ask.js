// Asks the module as a page does: ask.js MODULE WORKER KERNEL REQUEST... writes both answers to REQUEST.answer.
const fs = require("node:fs");
const [modulePath, workerPath, kernel, ...requests] = process.argv.slice(2);

const waiting = [];
globalThis.postMessage = (answer) => waiting.shift()(answer);
// The page's own worker, unchanged.
eval(fs.readFileSync(workerPath, "utf8") + "\nglobalThis.receive = onmessage;");
const asked = (data) => new Promise((resolve) => { waiting.push(resolve); globalThis.receive({data}); });

(async () => {
  const code = await WebAssembly.compile(fs.readFileSync(modulePath));
  const open = await asked({code, name: "open", message: new Uint8Array(fs.readFileSync(kernel))});
  if (open.trap) throw new Error(open.trap);
  fs.writeFileSync(kernel + ".answer", new Uint8Array(open.answer));
  for (const request of requests) {
    for (const [name, message] of [["run", fs.readFileSync(request)], ["check", []]]) {
      const {answer, trap} = await asked({name, message: new Uint8Array(message)});
      fs.appendFileSync(request + ".answer", trap ? "trap: " + trap : new Uint8Array(answer));
    }
  }
})();
