// Executing a chapter's kernel anew: the emulator itself does it, in a worker; the last picture stands until the new one
// is there.

const PATIENCE = 150;  // milliseconds that a newer request waits for an older one before that is ended

class Live {
  /** `show(recording, facts)` is called with each execution that came to its end, then `judge(facts)` with what was found. */
  constructor(form, kernel, emulator, show, judge) {
    Object.assign(this, {form, kernel, emulator, show, judge});
    this.facts = openedMessage(kernel)[0];
    this.doing = form.querySelector(".doing");
    this.shown = JSON.stringify(this.choice());
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", (event) => {
      const {knob} = event.target.dataset;
      if (knob) for (const other of form.querySelectorAll(`[data-knob="${knob}"]`)) if (other !== event.target) other.value = event.target.value;
      this.step = null;
      if (event.target.closest(".block")) this.blockChosen = true;  // until then the block is an inner one of each grid
      this.request();
    });
    this.start();
  }

  start() {
    if (this.worker) this.worker.onmessage = null;
    this.worker?.terminate();
    clearTimeout(this.limit);
    this.running = false;
    this.worker = newWorker();
    this.worker.onmessage = ({data}) => this.receive(data);
    this.worker.onerror = (event) => { event.preventDefault(); this.fail(fill(words.moduleDamaged, event.message)); };
    this.busy = true;
    this.worker.postMessage({...this.emulator, name: "open", message: this.kernel});
  }

  /** What an address names: all of it as the page was made, but for these values, and then this step. */
  choose({values, step}) {
    const {form} = this, data = [];
    form.reset();
    this.blockChosen = false;
    for (const [name, value] of values) {
      const knobs = [...form.querySelectorAll("[data-knob]")].filter((one) => one.dataset.knob === name);
      for (const knob of knobs) knob.value = [...(knob.options ?? [])].find((one) => one.text === value)?.value ?? value;
      if (knobs.length) continue;
      if (name === "block") {
        this.blockChosen = true;
        form.querySelectorAll(".block input").forEach((one, axis) => { one.value = value.split(",")[axis] ?? 0; });
      } else if (name === "order") form.querySelector(".order").value = value;
      else if (name === "without") {
        for (const one of form.querySelectorAll(".barrier input")) one.checked = value.split(",").includes(one.dataset.line);
      } else data.push(`${name}=${value}`);
    }
    const area = form.querySelector(".data textarea");
    if (area && data.length) area.value = [area.value.trim(), ...data].join("\n").trim();
    if (JSON.stringify(this.choice()) === this.shown) return;
    this.step = step;
    this.request();
  }
  /** The step at which the next recording opens, once; nothing: as near as can be to the one before. */
  takeStep() {
    const {step} = this;
    this.step = null;
    return step;
  }
  /** What choose() would be given to come to what is chosen now: NAME=VALUE. */
  values() {
    const {form} = this, made = (one) => (one.options ? [...one.options].find((option) => option.defaultSelected)?.value : one.defaultValue);
    const pairs = [...form.querySelectorAll("[data-knob]")].filter((one) => one.type !== "range" && one.value !== made(one))
      .map((one) => [one.dataset.knob, one.options ? one.selectedOptions[0].text : one.value]);
    const {data, block, withoutBarriers, order} = this.choice(), area = form.querySelector(".data textarea");
    if (area && area.value.trim() !== area.defaultValue.trim()) pairs.push(...data.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    if (block) pairs.push(["block", block.join(",")]);
    const orders = form.querySelector(".order");
    if (order !== made(orders)) pairs.push(["order", order]);
    if (withoutBarriers.length) pairs.push(["without", withoutBarriers.join(",")]);
    const encode = (text) => encodeURIComponent(text ?? "").replaceAll("%2C", ",").replaceAll("%40", "@").replaceAll("%3A", ":");
    return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`);
  }

  choice() {
    const bindings = {}, {form} = this;
    for (const knob of form.querySelectorAll("[data-knob]")) if (knob.type !== "range") bindings[knob.dataset.knob] = Number(knob.value);
    return {
      bindings,
      block: this.blockChosen ? [...form.querySelectorAll(".block input")].map((one) => Number(one.value)) : null,
      withoutBarriers: [...form.querySelectorAll(".barrier input:checked")].map((one) => Number(one.dataset.line)),
      order: form.querySelector(".order").value,
      seed: 0,
      data: (form.querySelector(".data textarea")?.value ?? "").split("\n").map((line) => line.trim()).filter((line) => line !== ""),
    };
  }

  /** What the module cannot be asked for, as a sentence; empty if it can. */
  refusal(choice) {
    for (const knob of this.form.querySelectorAll("input[data-knob], .block input")) {
      if (!knob.checkValidity() || knob.value === "") return `${knob.dataset.knob ?? words.block}: ${knob.validationMessage || words.numberExpected}`;
    }
    const stored = this.facts.programs.map(({defines}) => defines);
    const typeNames = {2: ["__half", "half"], 4: ["float"], 8: ["double"]};
    const {precision} = this.facts.file;
    const macros = Object.keys(stored[0] ?? {}).filter((name) => name in choice.bindings);
    const isChosen = (defines, name) => (precision?.macro === name ? typeNames[choice.bindings[name]].includes(defines[name]) : defines[name] === String(choice.bindings[name]));
    if (stored.some((defines) => macros.every((name) => isChosen(defines, name)))) return "";
    const named = macros.map((name) => `${name}=${precision?.macro === name ? typeNames[choice.bindings[name]].at(-1) : choice.bindings[name]}`);
    const others = stored.filter((defines) => macros.slice(1).every((name) => isChosen(defines, name))).map((defines) => defines[macros[0]]);
    return fill(words.notStored, named.join(", "), `haloscope export ${this.facts.file.chapter === "opened" ? this.facts.file.path : this.facts.file.id} ${named.map((one) => "-D " + one).join(" ")} --html page.html`)
      + (others.length ? " " + fill(words.storedAre, `${macros[0]} = ${others.join(", ")}`) : "");
  }

  request() {
    const choice = this.choice(), refused = this.refusal(choice);
    this.form.classList.toggle("waits", refused === "");
    clearTimeout(this.patience);
    this.wanted = null;
    if (refused) return this.say(refused, true);
    this.say(words.executing);
    this.wanted = choice;
    if (!this.busy) return this.send();
    // What an older choice still executes is of no use.
    if (this.running) this.patience = setTimeout(() => this.start(), PATIENCE);
  }
  send() {
    const message = packedMessage(this.wanted);
    this.sent = performance.now();
    this.asked = JSON.stringify(this.wanted);
    this.wanted = null;
    this.post("run", message);
  }
  post(name, message) {
    this.busy = this.running = true;
    clearTimeout(this.limit);
    this.limit = setTimeout(() => { this.start(); this.fail(fill(words.tookTooLong, LONGEST_SECONDS)); }, LONGEST_SECONDS * 1000);
    this.worker.postMessage({name, message}, [message.buffer]);
  }

  receive({name, answer, trap, milliseconds}) {
    clearTimeout(this.limit);
    clearTimeout(this.patience);
    this.busy = this.running = false;
    if (trap) {
      if (name === "open") return this.fail(fill(words.moduleDamaged, trap));
      this.start();  // after a trap the module is of no more use
      return this.fail(fill(words.trapped, trap));
    }
    const [facts, bytes] = openedMessage(new Uint8Array(answer));
    if (facts.error) this.fail(facts.error);
    else if (name === "check" && !this.wanted) this.judge(facts);
    else if (name === "run" && !this.wanted) {
      this.shown = this.asked;
      this.show(new Recording(bytes), facts);
      this.writeBlock(facts);
      this.form.classList.remove("waits");
      this.milliseconds = performance.now() - this.sent;
      this.say(fill(words.executed, Math.round(this.milliseconds)));
      this.post("check", new Uint8Array());
    }
    if (this.wanted) this.send();
    this.onanswer?.(name);
  }

  /** The block that was executed may lie elsewhere than the one that was chosen on another grid. */
  writeBlock({block, grid}) {
    this.form.querySelectorAll(".block input").forEach((one, axis) => {
      one.max = grid[axis] - 1;
      one.value = block[axis];
    });
  }

  fail(sentence) {
    this.form.classList.remove("waits");
    this.say(sentence, true);
    this.onanswer?.("run");
  }
  say(sentence, trouble = false) {
    this.doing.textContent = sentence;
    this.doing.classList.toggle("trouble", trouble);
  }

  /** Adds a line to the values of arrays, in place of one of the same element. */
  setValue(place, value) {
    const area = this.form.querySelector(".data textarea");
    if (!area) return;
    const lines = area.value.split("\n").filter((line) => line.trim() !== "" && line.split("=")[0].trim() !== place);
    area.value = [...lines, `${place}=${value}`].join("\n");
    this.request();
  }
}
