// The questions of a lesson: the module asks and judges them, here their fields are read and what it says is shown.

const BASE = document.currentScript.src;  // of the site

/** A file of the site that leaves data in this page. */
const scripts = new Map();
function needed(address) {
  if (!scripts.has(address)) {
    scripts.set(address, new Promise((resolve, reject) => {
      document.head.append(make("script", {src: address, onload: resolve, onerror: () => { scripts.delete(address); reject(new Error(address)); }}));
    }));
  }
  return scripts.get(address);
}

/** The module with this lesson's kernels, from the first request on; one request after another. */
class Desk {
  constructor(data) {
    this.data = data;
    this.last = Promise.resolve();
  }
  ask(name, facts) {
    const answer = this.last.catch(() => {}).then(async () => {
      this.opened ??= this.open().catch((error) => { this.opened = null; throw error; });
      await this.opened;
      return this.post({name, message: packedMessage(facts)});
    });
    this.last = answer;
    return answer;
  }
  async open() {
    const files = [new URL("handout/module.js", BASE), new URL(this.data, document.baseURI)];
    if (document.documentElement.lang !== "en") files.push(new URL("handout/zh_CN.js", BASE));
    try {
      await Promise.all(files.map((file) => needed(file.href)));
    } catch (error) {
      throw fill(words.moduleDamaged, error.message);
    }
    const module = await emulator(), lesson = await inflated(document.getElementById("lesson").textContent);
    this.worker = newWorker();
    await this.post({...module, name: "lesson", message: lesson});
  }
  post(message) {
    return new Promise((resolve, reject) => {
      const end = (sentence) => {
        this.worker.terminate();
        this.opened = null;  // the next request begins anew
        reject(sentence);
      };
      const limit = setTimeout(() => end(fill(words.tookTooLong, LONGEST_SECONDS)), LONGEST_SECONDS * 1000);
      this.worker.onerror = (event) => { event.preventDefault(); clearTimeout(limit); end(fill(words.moduleDamaged, event.message)); };
      this.worker.onmessage = ({data: {answer, trap}}) => {
        clearTimeout(limit);
        if (trap) return end(fill(words.trapped, trap));
        const [facts] = openedMessage(new Uint8Array(answer));
        if (facts.error) reject(facts.error);
        else resolve(facts);
      };
      this.worker.postMessage(message);
    });
  }
}

/** The cells of a board: arrow keys move, Space and Enter choose. */
function watchBoard(board) {
  for (const planes of board.querySelectorAll(".planes")) planes.style.setProperty("--columns", planes.dataset.columns);
  const cells = [...board.querySelectorAll("[data-cell]")];
  const go = (from, to) => {
    if (!to) return;
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  };
  board.onclick = ({target}) => {
    if (!target.matches("[data-cell]") || target.disabled) return;
    for (const cell of cells) cell.tabIndex = cell === target ? 0 : -1;
    target.setAttribute("aria-pressed", target.getAttribute("aria-pressed") !== "true");
    board.dispatchEvent(new Event("input", {bubbles: true}));
  };
  board.onkeydown = (event) => {
    const {target, key} = event, by = {ArrowLeft: -1, ArrowRight: 1}[key], at = cells.indexOf(target);
    const columns = Number(target.closest(".planes")?.dataset.columns), rows = {ArrowUp: -columns, ArrowDown: columns}[key];
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey || !(by || rows || key === "Home" || key === "End")) return;
    event.preventDefault();
    go(target, key === "Home" ? cells[at - at % columns] : key === "End" ? cells[at - at % columns + columns - 1] : cells[at + (by ?? rows)]);
  };
}

class Question {
  /** `drawn`: the numbers that it was asked with last. */
  constructor(section, desk, drawn) {
    Object.assign(this, {section, desk, seed: 0, drawn: Number.isInteger(drawn) ? drawn : 0});
    const {dataset} = section;
    this.index = Number(dataset.question);
    this.kind = dataset.kind;
    this.form = section.querySelector("form");
    this.verdict = section.querySelector(".verdict");
    this.written = section.querySelector(".written");
    this.board = section.querySelector(".board");
    if (this.board) watchBoard(this.board);
    this.form.hidden = false;
    this.written.hidden = true;
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.check(); });
    this.form.addEventListener("input", () => { if (!this.told) this.clear(); });
    this.form.querySelector(".again")?.addEventListener("click", () => this.again());
  }

  /** What the reader answers; null: nothing yet. */
  attempt() {
    const fields = new FormData(this.form), value = fields.get(`question-${this.section.dataset.id}`);
    if (this.kind === "number") return value.trim() === "" ? null : {typed: value.trim()};
    if (this.kind === "cells") {
      const cells = [...this.board.querySelectorAll('[aria-pressed="true"]')].map((cell) => Number(cell.dataset.cell));
      return cells.length ? {cells} : null;
    }
    return value === null ? null : {[this.kind === "line" ? "line" : "option"]: Number(value)};
  }
  clear() {
    this.verdict.replaceChildren();
    for (const marked of this.section.querySelectorAll(".right, .wrong")) marked.classList.remove("right", "wrong");
  }

  async request(name, facts) {
    const buttons = [...this.form.querySelectorAll(".buttons button, .verdict button")];
    this.clear();
    this.verdict.replaceChildren(make("p", {className: "small", textContent: this.desk.worker ? words.executing : words.loading}));
    for (const button of buttons) button.setAttribute("aria-disabled", "true");
    this.busy = true;
    try {
      return await this.desk.ask(name, {question: this.index, seed: this.seed, ...facts});
    } catch (error) {
      // The answer that was written with the page stays.
      this.say("wrong", String(error.message ?? error));
      if (this.seed === 0) this.written.hidden = false;
      return null;
    } finally {
      this.busy = false;
      for (const button of buttons) button.removeAttribute("aria-disabled");
    }
  }

  async check() {
    if (this.busy || this.told) return;
    const attempt = this.attempt();
    if (!attempt) return this.say("wrong", words.nothing);
    const facts = await this.request("judge", attempt);
    if (!facts) return;
    if (facts.complaint) return this.say("wrong", facts.complaint);
    this.say(facts.right ? "right" : "wrong", facts.says);
    if (facts.right) this.tell(facts);
    else this.help(facts.look);
    this.onjudged?.(facts.right);
  }
  /** Ways on from a wrong answer. */
  help(look) {
    const line = make("p", {className: "buttons"});
    if (look) line.append(make("a", {href: look, textContent: words.look}));
    const show = make("button", {type: "button", textContent: words.showAnswer});
    show.addEventListener("click", () => this.show());
    line.append(show);
    this.verdict.append(line);
  }
  async show() {
    if (this.busy) return;
    const facts = await this.request("judge", {tell: true});
    if (!facts) return;
    this.say("", facts.says);
    this.tell(facts);
    this.onshown?.();
  }
  /** The reason, and the right answer marked in what could be chosen. */
  tell(facts) {
    this.told = true;
    this.verdict.append(make("p", {innerHTML: facts.because}));
    const mark = (element, right, chosen) => { if (right || chosen) element.classList.add(right ? "right" : "wrong"); };
    for (const input of this.form.querySelectorAll("input[type=radio]")) {
      const right = this.kind === "line" ? facts.lines.includes(Number(input.value)) : Number(input.value) === facts.option;
      mark(input.closest("label"), right, input.checked);
    }
    for (const cell of this.form.querySelectorAll("[data-cell]")) {
      mark(cell, facts.cells.includes(Number(cell.dataset.cell)), cell.getAttribute("aria-pressed") === "true");
    }
    this.lock(true);
  }
  lock(locked) {
    for (const field of this.form.querySelectorAll("input, .check, [data-cell]")) field.disabled = locked;
  }
  say(kind, sentence) {
    this.verdict.replaceChildren(make("p", {className: `says ${kind}`, textContent: sentence}));
  }

  async again() {
    if (this.busy) return;
    await this.askWith(Math.max(this.seed, this.drawn) % SEEDS + 1);
    this.section.querySelector(".ask").focus();
  }
  /** The same question with other numbers; whether they are there. */
  async askWith(seed) {
    const before = this.seed;
    this.seed = seed;
    const facts = await this.request("ask", {});
    if (!facts) {
      this.seed = before;
      return false;
    }
    this.clear();
    this.told = false;
    this.lock(false);
    this.form.reset();
    this.written.hidden = true;
    this.section.querySelector(".ask").innerHTML = facts.ask;
    this.section.querySelectorAll(".option span").forEach((option, at) => { option.innerHTML = facts.options[at]; });
    if (this.board) {
      this.board.innerHTML = facts.board;
      watchBoard(this.board);
    }
    this.drawn = 0;
    this.onasked?.();
    return true;
  }
}

const main = document.querySelector("main"), {lesson} = main.dataset;
const SEEDS = Number(main.dataset.seeds ?? 0);
const progress = new Progress();
const desk = new Desk(main.dataset.questions);
for (const section of document.querySelectorAll(".question")) {
  const {id} = section.dataset, done = section.querySelector(".done");
  const mark = () => { done.hidden = !progress.of(lesson).answered.includes(id); };
  mark();
  if (!section.querySelector("form")) continue;
  const question = new Question(section, desk, progress.of(lesson).seeds[id]);
  question.onjudged = (right) => {
    if (right) progress.noteAnswer(lesson, id);
    mark();
  };
  question.onasked = () => progress.noteSeed(lesson, id, question.seed);
}
// It is read when its end has been on the screen.
new IntersectionObserver((entries, watch) => {
  if (!entries.some(({isIntersecting}) => isIntersecting)) return;
  watch.disconnect();
  progress.note(lesson, {read: true});
}).observe(document.querySelector("footer"));
