// Opens a page in a browser as a reader does, policy and all: browse.js chromium|firefox-esr PROFILE WIDTH ADDRESS
// executes the body of an asynchronous function that it reads from standard input, and prints each line that it returns.
// Behind a line "=== ADDRESS" another body follows, for the page that the reader goes to then.
const {spawn} = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const [browser, profile, width, address] = process.argv.slice(2);
const [first, ...others] = fs.readFileSync(0, "utf8").split(/^=== /m);
const visits = [{address, body: first}, ...others.map((text) => ({address: text.slice(0, text.indexOf("\n")), body: text.slice(text.indexOf("\n"))}))];
const size = {width: Number(width), height: 740};
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Chromium, by its debugging protocol: messages that end with a zero, through a pipe. */
async function inChromium() {
  const child = spawn(browser, ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--user-data-dir=${profile}`,
    "--remote-debugging-pipe", "about:blank"], {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
  const waiting = new Map();
  let rest = "", sent = 0;
  child.stdio[4].on("data", (data) => {
    const messages = (rest + data).split("\0");
    rest = messages.pop();
    for (const message of messages.map((text) => JSON.parse(text))) waiting.get(message.id)?.(message);
  });
  const ask = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    waiting.set(++sent, ({result, error}) => (error ? reject(new Error(error.message)) : resolve(result)));
    child.stdio[3].write(JSON.stringify({id: sent, method, params, sessionId}) + "\0");
  });
  try {
    const {targetInfos} = await ask("Target.getTargets");
    const {targetId} = targetInfos.find(({type}) => type === "page");
    const {sessionId} = await ask("Target.attachToTarget", {targetId, flatten: true});
    await ask("Emulation.setDeviceMetricsOverride", {...size, deviceScaleFactor: 1, mobile: false}, sessionId);
    const lines = [], evaluated = async (expression) => {
      const {result, exceptionDetails} = await ask("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true}, sessionId);
      if (exceptionDetails) throw new Error(result.description);
      return result.value;
    };
    for (const {address, body} of visits) {
      await evaluated("globalThis.before = true").catch(() => {});
      await ask("Page.navigate", {url: address}, sessionId);
      while (!await evaluated("!globalThis.before && document.readyState === 'complete'").catch(() => false)) await pause(100);
      lines.push(...await evaluated(`(async () => {${body}})()`));
    }
    return lines;
  } finally {
    child.kill();
  }
}

/** Firefox, by Marionette: LENGTH:JSON through a socket. */
async function inFirefox() {
  const port = await new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => { const {port} = server.address(); server.close(() => resolve(port)); });
  });
  fs.mkdirSync(profile, {recursive: true});
  fs.writeFileSync(`${profile}/user.js`, `user_pref("marionette.port", ${port});\n`);
  const child = spawn(browser, ["--headless", "--marionette", "--no-remote", "--profile", profile], {stdio: "ignore", env: {...process.env, HOME: profile}});
  const waiting = new Map();
  let socket, sent = 0, rest = Buffer.alloc(0);
  const ask = (command, parameters = {}) => new Promise((resolve, reject) => {
    const message = JSON.stringify([0, ++sent, command, parameters]);
    waiting.set(sent, (error, result) => (error ? reject(new Error(error.message)) : resolve(result)));
    socket.write(`${Buffer.byteLength(message)}:${message}`);
  });
  try {
    for (let tried = 0; !socket; ++tried) {
      socket = await new Promise((resolve) => {
        const one = net.connect(port, "127.0.0.1", () => resolve(one)).on("error", () => resolve(null));
      });
      if (tried > 300) throw new Error("Firefox does not answer");
      if (!socket) await pause(100);
    }
    socket.on("data", (data) => {
      rest = Buffer.concat([rest, data]);
      for (let colon = rest.indexOf(":"); colon > 0; colon = rest.indexOf(":")) {
        const end = colon + 1 + Number(rest.subarray(0, colon));
        if (rest.length < end) break;
        const message = JSON.parse(rest.subarray(colon + 1, end));
        rest = rest.subarray(end);
        if (Array.isArray(message)) waiting.get(message[1])?.(message[2], message[3]);
      }
    });
    await ask("WebDriver:NewSession", {});
    await ask("WebDriver:SetTimeouts", {script: 90000});
    await ask("WebDriver:SetWindowRect", size);
    const lines = [];
    for (const {address, body} of visits) {
      await ask("WebDriver:Navigate", {url: address});
      const script = `const done = arguments[arguments.length - 1]; (async () => {${body}})().then(done, (error) => done(["error " + error]));`;
      lines.push(...(await ask("WebDriver:ExecuteAsyncScript", {script, args: []})).value);
    }
    return lines;
  } finally {
    socket?.destroy();
    child.kill();
  }
}

(browser.startsWith("firefox") ? inFirefox() : inChromium()).then((lines) => {
  for (const line of lines) console.log(line);
  process.exit(0);
}, (error) => {
  console.log("error " + error.message);
  process.exit(1);
});
