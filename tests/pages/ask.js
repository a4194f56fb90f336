// Asks the module as a page does: ask.js MODULE WORKER KERNEL REQUEST... writes REQUEST.answer beside each request.
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
    const {answer, trap} = await asked({name: "run", message: new Uint8Array(fs.readFileSync(request))});
    fs.writeFileSync(request + ".answer", trap ? "trap: " + trap : new Uint8Array(answer));
  }
})();
