// The page: each chapter's source, picture and variables at a step, and what moves from step to step.

const ICONS = {
  first: "M5 5v14M19 5l-10 7 10 7z", previousInterval: "M12 5l-9 7 9 7zM21 5l-9 7 9 7z", previous: "M17 5l-10 7 10 7z",
  play: "M7 4l13 8-13 8z", pause: "M7 5h4v14h-4zM14 5h4v14h-4z",
  next: "M7 5l10 7-10 7z", nextInterval: "M3 5l9 7-9 7zM12 5l9 7-9 7z", last: "M19 5v14M5 5l10 7-10 7z",
};
function setIcon(button, name) {
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
  button.setAttribute("aria-label", words[name]);
  button.title = words[name];
}

/** What is known of the cell under the pointer, or of the one that was tapped. */
class Tip {
  constructor() {
    this.box = make("div", {className: "tip", hidden: true});
    document.body.append(this.box);
    document.addEventListener("pointerdown", (event) => { if (!(event.target instanceof HTMLCanvasElement)) this.hide(); });
  }
  hide() { this.box.hidden = true; }
  show(pointer, view, index) {
    if (index === null) return this.hide();
    const {grid, recording} = view, cell = grid.cell(index);
    const value = cell.shown ? exactText(recording, cell.type, cell.low, cell.high) : words.notWritten;
    this.box.replaceChildren(make("b", {textContent: cell.empty || cell.type === undefined ? grid.name(index) : `${grid.name(index)} = ${value}`}));
    const facts = [];
    if (cell.shown) facts.push(fill(words.bits, bitsText(cell.type, cell.low, cell.high)));
    if (cell.role >= 0 && !cell.empty) facts.push(words.roles[cell.role]);
    facts.push(...cell.facts());
    if (cell.written) facts.push(words.writtenNow);
    for (const fact of facts) this.box.append(make("span", {textContent: fact}));
    this.place(pointer);
    if (pointer.type === "pointerdown" && cell.thread !== undefined && cell.thread !== NONE) view.player.choose(cell.thread);
  }
  place(pointer) {
    this.box.hidden = false;
    const {width, height} = this.box.getBoundingClientRect();
    const left = Math.min(pointer.clientX + 14, innerWidth - width - 8);
    const top = pointer.clientY + 18 + height > innerHeight ? pointer.clientY - height - 14 : pointer.clientY + 18;
    this.box.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
  }
}

/** A chapter whose recording is read: its state and everything drawn from it. */
class Player {
  constructor(article, recording, tip) {
    this.article = article;
    this.recording = recording;
    this.tip = tip;
    this.position = Number(article.dataset.position);
    this.thread = article.dataset.thread === "" ? this.busyThread() : Number(article.dataset.thread);
    this.picture = article.querySelector(".picture");
    this.lines = new Map([...article.querySelectorAll("[data-line]")].map((line) => [Number(line.dataset.line), line]));
    this.views = gridsOf(recording, () => this.thread).map((grid) => Object.assign(new GridView(grid, tip), {recording, player: this}));
    this.buildPicture();
    this.watchButtons();
    this.resized = new ResizeObserver(() => this.layOut());
    this.resized.observe(this.picture);
  }
  watchButtons() {
    for (const button of this.article.querySelectorAll(".go")) {
      button.addEventListener("click", () => controls.go(Number(button.dataset.position)));
    }
  }

  /** Another recording of the same chapter, with what was found in it: at the same place of it, as far as there is one. */
  replace(recording, facts) {
    const {steps} = this.recording, {position, thread, article} = this;
    this.resized.disconnect();
    this.picture.replaceChildren();
    article.querySelector(".caption").textContent = facts.caption;
    article.querySelector(".counts")?.remove();
    const findings = article.querySelector(".findings");
    findings.insertAdjacentHTML("beforebegin", facts.counts);
    findings.replaceChildren(make("h3", {textContent: words.findings}), make("p", {textContent: words.checking}));
    article.querySelector(".shortened")?.remove();
    const whole = steps === recording.steps || position < 2;
    article.dataset.position = whole ? position : Math.max(1, Math.round(position * recording.steps / steps));
    article.dataset.thread = thread < recording.threads ? thread : "";
    const player = new Player(article, recording, this.tip);
    player.live = this.live;
    return player;
  }
  /** What was found in what is shown. */
  judge({findings, faulty}) {
    this.article.querySelector(".findings").outerHTML = findings;
    this.recording.faulty = faulty;
    for (const {grid} of this.views) grid.faulty = new Set(faulty);
    this.watchButtons();
    if (this.width) this.writeLegend();
    this.draw();
  }

  /** The thread that writes most: the first one may lie in the halo and do nothing. */
  busyThread() {
    const counts = new Uint32Array(this.recording.threads), {target, thread} = this.recording.columns;
    for (let i = 0; i < target.length; ++i) if (this.recording.targets[target[i]][0] === Kind.global) ++counts[thread[i]];
    return counts.reduce((most, count, at) => (count > counts[most] ? at : most), 0);
  }

  buildPicture() {
    this.lanes = make("canvas");
    this.lanes.setAttribute("aria-hidden", "true");
    const lanes = make("figure", {className: "grid lanes"}, [make("figcaption", {textContent: words.lanes}), this.lanes]);
    for (const event of ["pointermove", "pointerdown"]) this.lanes.addEventListener(event, (pointer) => this.overLanes(pointer));
    this.lanes.addEventListener("pointerleave", () => this.tip.hide());
    this.input = make("input", {type: "number", min: 0, max: this.recording.threads - 1, value: this.thread, inputMode: "numeric"});
    this.input.addEventListener("input", () => { if (this.input.checkValidity() && this.input.value !== "") this.choose(Number(this.input.value), false); });
    this.place = make("span", {className: "place"});
    this.rows = make("tbody");
    const head = make("thead", {}, [make("tr", {}, [make("th", {textContent: words.variable, scope: "col"}), make("th", {textContent: words.value, scope: "col"})])]);
    const variables = make("section", {className: "variables"}, [
      make("h3", {textContent: words.variables}),
      make("label", {}, [words.threadNumber + " ", this.input, " ", this.place]),
      make("table", {}, [head, this.rows]),
    ]);
    this.legend = make("ul", {className: "legend"});
    this.legend.setAttribute("aria-label", words.legend);
    this.picture.append(this.legend, ...this.views.map((view) => view.figure), lanes, variables);
  }

  choose(thread, write = true) {
    this.thread = thread;
    if (write) this.input.value = thread;
    this.draw();
  }

  show(position) {
    this.position = Math.max(0, Math.min(this.recording.steps, position));
    this.recording.goTo(this.position);
    this.draw();
    this.markSource();
  }

  layOut() {
    const width = this.picture.clientWidth - 2 * parseFloat(getComputedStyle(this.picture).paddingLeft) - 2;
    if (width <= 0 || width === this.width) return;
    this.width = width;
    // Arrays of one plane lie beside each other where there is room for cells that can be told apart.
    const flat = this.views.filter(({grid}) => grid.planes === 1 && !grid.coefficients);
    const columns = flat.reduce((sum, {grid}) => sum + grid.columns, 0);
    const together = columns * 10 + 16 * flat.length <= width;
    for (const view of this.views) {
      const share = together && flat.includes(view) ? Math.floor((width - 16 * (flat.length - 1)) * view.grid.columns / columns) - 2 : width;
      view.layOut(share, view.grid.coefficients ? 90 : view.grid.planes > 1 ? Math.max(125, width / 6) : 330);
    }
    const ratio = devicePixelRatio || 1, warps = Math.ceil(this.recording.threads / 32);
    this.laneEdge = Math.max(6, Math.min(18, Math.floor((width - 8) / Math.min(32, this.recording.threads)), warps > 8 ? 10 : 18));
    const across = Math.min(32, this.recording.threads) * this.laneEdge, down = warps * this.laneEdge;
    Object.assign(this.lanes, {width: across * ratio, height: down * ratio});
    Object.assign(this.lanes.style, {width: across + "px", height: down + "px"});
    this.writeLegend();
    this.draw();
  }

  /** The source ends above the bar where it stands beside the picture, so that the current line is never behind it. */
  fitSource() {
    const box = this.article.querySelector(".lines"), beside = matchMedia("(min-width: 900px)").matches;
    const top = box.getBoundingClientRect().top + scrollY;
    box.style.maxHeight = beside ? Math.max(200, innerHeight - controls.bar.offsetHeight - top - 26) + "px" : "";
  }

  draw() {
    if (!this.width) return;
    const palette = controls.palette;
    for (const view of this.views) {
      view.draw(palette);
      view.writeTable();
    }
    this.drawLanes(palette);
    this.writeVariables();
  }

  drawLanes(palette) {
    const pen = this.lanes.getContext("2d"), ratio = devicePixelRatio || 1, edge = this.laneEdge;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.lanes.width, this.lanes.height);
    const row = this.recording.laneRow;
    for (let thread = 0; thread < row.length; ++thread) {
      pen.fillStyle = palette.statuses[Number(row[thread])];
      pen.fillRect(thread % 32 * edge, Math.floor(thread / 32) * edge, edge - 1, edge - 1);
    }
    pen.strokeStyle = palette.text;
    pen.lineWidth = 2;
    pen.strokeRect(this.thread % 32 * edge, Math.floor(this.thread / 32) * edge, edge - 1, edge - 1);
  }
  overLanes(pointer) {
    const box = this.lanes.getBoundingClientRect();
    const thread = Math.floor((pointer.clientY - box.top) / this.laneEdge) * 32 + Math.floor((pointer.clientX - box.left) / this.laneEdge);
    if (thread < 0 || thread >= this.recording.threads) return this.tip.hide();
    this.tip.box.replaceChildren(
      make("b", {textContent: fill(words.thread, this.recording.threadText(thread))}),
      make("span", {textContent: fill(words.lane, thread % 32, Math.floor(thread / 32))}),
      make("span", {textContent: words.statuses[Number(this.recording.laneRow[thread])]}));
    this.tip.place(pointer);
    if (pointer.type === "pointerdown") this.choose(thread);
  }

  /** The thread's variables that mean something at this step, and its own arrays. */
  writeVariables() {
    const {recording, thread} = this, rows = [];
    this.place.textContent = fill(words.thread, recording.threadText(thread));
    const row = (name, cells, at, type, parameter) => {
      const written = parameter || (at !== undefined && cells.writtenAt[at] !== NONE);
      const value = written ? exactText(recording, type, cells.low[at], cells.high[at]) : words.unwritten;
      const line = make("tr", {}, [make("th", {textContent: name, scope: "row"}), make("td", {textContent: value})]);
      line.classList.toggle("written", written && recording.step >= 0 && cells.writtenAt[at] === recording.step);
      rows.push(line);
    };
    recording.variables.forEach((variable, id) => {
      if (recording.inScope(variable)) row(variable.name, recording.values[id], thread, variable.type, variable.parameter);
    });
    recording.objects.forEach((object, id) => {
      if (object.space !== Space.local) return;
      const count = product(object.extents);
      const {slots, cells} = recording.sparse[id];
      for (let i = 0; i < Math.min(count, 64); ++i) row(recording.element(id, i), cells, slots.get(thread * count + i), object.type, false);
    });
    this.rows.replaceChildren(...rows);
  }

  writeLegend() {
    const {palette} = controls, {grids} = this.recording;
    const places = new Set(grids.map((grid) => grid.place));
    const entries = [[palette.interior, places.has(Place.current) ? words.legendCurrent : words.roles[Role.interior]], [palette.halo, words.roles[Role.halo]]];
    if (places.has(Place.previous)) entries.push([palette.previous, words.legendPrevious]);
    if (places.has(Place.next)) entries.push([palette.output, words.legendNext]);
    entries.push([palette.output, words.roles[Role.output]], [palette.role(Role.pending), words.roles[Role.pending]], [palette.ghost, words.roles[Role.ghost]]);
    const swatch = (colour, text, frame) => {
      const box = make("i");
      if (frame) box.style.boxShadow = `inset 0 0 0 2px ${colour}`;
      else box.style.background = colour;
      return make("li", {}, [box, text]);
    };
    this.legend.replaceChildren(...entries.map(([colour, text]) => swatch(colour, text)),
      swatch(palette.active, words.legendWritten, true), swatch(palette.text, words.legendRead, true));
    if (this.recording.faulty.length) this.legend.append(swatch(palette.fault, words.faulty, true));
  }

  /** Marks the statement of the current step, and the call in which it lies. */
  markSource() {
    for (const marked of this.article.querySelectorAll(".code .now, .code .here, .code .call")) marked.classList.remove("now", "here", "call");
    for (const line of this.article.querySelectorAll(".code [aria-current]")) line.removeAttribute("aria-current");
    const now = this.recording.statement;
    if (!now) return;
    const call = this.recording.functions[now.function];
    if (call && call[0] > 0) this.lines.get(call[0])?.classList.add("call");
    this.markRange(now.range);
    const line = this.lines.get(now.range[0]);
    if (!line) return;
    line.setAttribute("aria-current", "step");
    const box = line.closest(".lines"), top = line.offsetTop;
    const last = (this.lines.get(now.range[2]) ?? line).offsetTop + line.offsetHeight;
    if (top < box.scrollTop + 24 || last > box.scrollTop + box.clientHeight - 24) box.scrollTop = Math.max(0, top - box.clientHeight / 3);
    const begin = line.querySelector(".now")?.offsetLeft ?? 0;
    box.scrollLeft = begin > box.clientWidth - 80 ? begin - 60 : 0;
  }
  markRange([first, column, last, end]) {
    const bytes = new TextEncoder();
    for (let number = first; number <= last; ++number) {
      const line = this.lines.get(number);
      if (!line) continue;
      line.classList.add("here");
      let at = 1;
      for (const token of line.firstElementChild.children) {
        const next = at + Number(token.dataset.bytes ?? bytes.encode(token.textContent).length);
        const inside = (number > first || next > column) && (number < last || at < end);
        if (inside && !(token.className === "blank" && (at === 1 || next > end))) token.classList.add("now");
        at = next;
      }
    }
  }
}

/** What an address names, #chapter-2&IN_TILE_DIM=8&block=1,0,0&in=ramp&step=44: a chapter, a step, and pairs of names and values. */
function placeOf(hash) {
  const place = {chapter: "", step: null, values: []};
  for (const part of hash.slice(1).split("&").filter((text) => text !== "")) {
    const at = part.indexOf("=");
    let text = part;
    try { text = decodeURIComponent(part); } catch { /* not encoded */ }
    if (at < 0) place.chapter = text;
    else if (/^step=\d+$/.test(text)) place.step = Number(text.slice(5));
    else place.values.push([text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]);
  }
  return place;
}

/** The bar at the foot of the page, for the chapter on screen. */
class Controls {
  constructor(chapters) {
    this.chapters = chapters;
    this.players = new Map();
    this.live = new Map();  // a promise for each chapter that was seen
    this.palette = new Palette();
    this.tip = new Tip();
    this.bar = document.getElementById("bar");
    this.build();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.palette = new Palette();
      this.player?.writeLegend();
      this.player?.draw();
      this.drawTimeline();
    });
    addEventListener("hashchange", () => this.openFromAddress(true));
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.player?.fitSource());
    new ResizeObserver(() => this.drawTimeline()).observe(this.timeline);
    this.swipe();
  }

  build() {
    this.where = make("strong");
    this.sentence = make("span");
    this.status = make("p", {className: "sentence"}, [this.where, " ", this.sentence]);
    this.status.setAttribute("aria-live", "polite");
    this.timeline = make("canvas", {className: "timeline"});
    this.timeline.setAttribute("aria-hidden", "true");
    const seek = (event) => {
      if (!event.buttons && event.type !== "pointerdown") return;
      const box = this.timeline.getBoundingClientRect();
      this.go(Math.ceil((event.clientX - box.left) / box.width * this.player.recording.steps));
    };
    this.timeline.addEventListener("pointerdown", (event) => { this.timeline.setPointerCapture(event.pointerId); seek(event); });
    this.timeline.addEventListener("pointermove", seek);
    this.slider = make("input", {type: "range", min: 0, step: 1});
    this.slider.setAttribute("aria-label", words.position);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    const acts = {
      first: () => this.go(0), previousInterval: () => this.go(this.player.recording.previousInterval()), previous: () => this.by(-1),
      play: () => this.toggle(), next: () => this.by(1), nextInterval: () => this.go(this.player.recording.nextInterval()),
      last: () => this.go(Infinity),
    };
    this.buttons = {};
    const group = make("div", {className: "buttons"});
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", words.controls);
    for (const [name, act] of Object.entries(acts)) {
      const button = this.buttons[name] = make("button", {type: "button"});
      setIcon(button, name);
      button.addEventListener("click", () => { if (this.player) act(); });
      group.append(button);
    }
    this.speed = make("select");
    this.speed.setAttribute("aria-label", words.speed);
    for (const speed of [1, 2, 4, 8, 16, 32]) this.speed.append(make("option", {value: speed, textContent: speed + "/s", selected: speed === 4}));
    this.speed.addEventListener("change", () => { if (this.timer) { this.stop(); this.toggle(); } });
    group.append(this.speed);
    this.bar.append(this.status, this.timeline, this.slider, group);
  }

  /** The chapter that the address names, or the first one, as it says. Pictures are drawn when they are first seen. */
  async openFromAddress(focus) {
    const place = placeOf(location.hash), named = document.getElementById(place.chapter);
    const chapter = this.chapters.includes(named) ? named : this.chapters[0];
    this.stop();
    for (const one of this.chapters) one.hidden = one !== chapter;
    for (const link of document.querySelectorAll(".contents a")) {
      if (link.hash !== "#" + chapter.id) {
        link.removeAttribute("aria-current");
        continue;
      }
      link.setAttribute("aria-current", "page");
      const list = link.closest("ol");
      list.scrollLeft = link.offsetLeft - list.offsetLeft - 24;
    }
    if (focus) {
      scrollTo(0, 0);
      chapter.querySelector("h2")?.focus({preventScroll: true});
    }
    this.player = await this.playerOf(chapter);
    this.bar.hidden = !this.player;
    if (!this.player) return;
    if (place.step !== null) this.player.position = place.step;
    this.show(this.player);
    if (place.step === null && !place.values.length) return;  // a chapter stays as it was left
    const live = await this.live.get(chapter);
    if (live) live.choose(place);
    else if (place.values.length && !chapter.querySelector(".not-chosen")) {
      chapter.querySelector(".copy").after(make("p", {className: "trouble not-chosen", textContent: words.notChosen}));
    }
  }

  /** Keeps the page's address that of what is shown. Browsers refuse what comes too often. */
  writeAddress(now = false) {
    clearTimeout(this.addressing);
    if (!now) return void (this.addressing = setTimeout(() => this.writeAddress(true), 300));
    const {article, position, live} = this.player, parts = this.chapters.length > 1 ? [article.id] : [];
    if (live) parts.push(...live.values());
    if (position > 0) parts.push(`step=${position}`);
    const address = parts.join("&");
    if (address !== location.hash.slice(1)) history.replaceState(null, "", "#" + address);
  }

  copyButton() {
    const button = make("button", {type: "button", className: "go copy", textContent: words.copyLink});
    button.addEventListener("click", async () => {
      this.writeAddress(true);
      const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
      button.textContent = copied ? words.copied : words.notCopied;
      setTimeout(() => { button.textContent = words.copyLink; }, 3000);
    });
    return button;
  }

  async playerOf(chapter) {
    if (this.players.has(chapter)) return this.players.get(chapter);
    const id = chapter.dataset.recording;
    let player = null;
    try {
      if (!("DecompressionStream" in window)) throw words.tooOld;
      // Chapters of one recording have a state of their own.
      const recording = await Recording.read(document.getElementById(id).textContent).catch((error) => { throw fill(words.damaged, error.message); });
      player = new Player(chapter, recording, this.tip);
    } catch (error) {
      if (typeof error !== "string") throw error;
      chapter.querySelector(".picture").append(make("p", {className: "trouble", textContent: error}));
    }
    this.players.set(chapter, player);
    if (player) {
      chapter.querySelector(".caption").after(this.copyButton());
      this.live.set(chapter, this.makeLive(chapter, player));
    }
    return player;
  }

  /** A chapter that the page can execute anew, or nothing. */
  async makeLive(chapter, player) {
    const form = chapter.querySelector("form.live"), kernel = document.getElementById(`${chapter.dataset.recording}-kernel`);
    if (!form || !kernel) return null;
    try {
      const module = await emulator();
      if (!module) return null;
      player.live = new Live(form, await inflated(kernel.textContent), module,
        (recording, facts) => this.receive(chapter, recording, facts), (facts) => this.players.get(chapter).judge(facts));
      return player.live;
    } catch (error) {
      if (typeof error !== "string") throw error;
      form.before(make("p", {className: "trouble", textContent: error}));
      return null;
    }
  }
  receive(chapter, recording, facts) {
    const player = this.players.get(chapter).replace(recording, facts);
    player.position = player.live.takeStep() ?? player.position;
    this.players.set(chapter, player);
    if (!chapter.hidden) this.show(player);
  }
  show(player) {
    this.player = player;
    this.stop();
    this.slider.max = player.recording.steps;
    player.layOut();
    this.go(player.position);
    player.fitSource();
    player.markSource();
  }

  go(position) {
    if (!this.player) return;
    this.player.show(position);
    const {recording} = this.player, at = recording.position;
    this.slider.value = at;
    const plane = at ? recording.columns.plane[recording.step] : NONE;
    const parts = at ? [fill(words.step, at, recording.steps), fill(words.interval, recording.columns.interval[recording.step])]
                     : [fill(words.beforeFirst, recording.steps)];
    if (recording.statement) parts.push(fill(words.line, recording.statement.range[0]));
    if (plane !== NONE && recording.planes[plane]?.[0]) parts.push(recording.planes[plane].join(" = "));
    this.where.textContent = parts.join(" · ");
    this.sentence.textContent = recording.sentence;
    this.slider.setAttribute("aria-valuetext", parts.join(", "));
    for (const name of ["first", "previousInterval", "previous"]) this.buttons[name].disabled = at === 0;
    for (const name of ["last", "nextInterval", "next"]) this.buttons[name].disabled = at === recording.steps;
    this.drawTimeline();
    this.writeAddress();
  }
  by(steps) { this.go(this.player.recording.position + steps); }

  toggle() {
    if (this.timer) return this.stop();
    const {recording} = this.player;
    if (recording.position === recording.steps) this.go(0);
    this.status.setAttribute("aria-live", "off");
    setIcon(this.buttons.play, "pause");
    this.timer = setInterval(() => {
      this.by(1);
      if (recording.position === recording.steps) this.stop();
    }, 1000 / Number(this.speed.value));
  }
  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.status.setAttribute("aria-live", "polite");
    setIcon(this.buttons.play, "play");
  }

  drawTimeline() {
    if (!this.player) return;
    const {recording} = this.player, ratio = devicePixelRatio || 1, width = this.timeline.clientWidth, height = this.timeline.clientHeight;
    if (!width) return;
    const strip = this.strip?.of === recording && this.strip.width === width && this.strip.palette === this.palette
      ? this.strip : (this.strip = this.paintStrip(recording, width, height, ratio));
    Object.assign(this.timeline, {width: width * ratio, height: height * ratio});
    const pen = this.timeline.getContext("2d");
    pen.drawImage(strip.canvas, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (recording.position === 0) return;
    const step = width / recording.steps, left = (recording.position - 1) * step, wide = Math.max(4, step);
    pen.fillStyle = this.palette.edge;
    pen.fillRect(left - 2, 0, wide + 4, height);
    pen.fillStyle = this.palette.active;
    pen.fillRect(left - 1, 1, wide + 2, height - 2);
  }

  /** The steps' activities, with a gap at each barrier interval's begin where there is room for it. */
  paintStrip(recording, width, height, ratio) {
    const canvas = make("canvas", {width: width * ratio, height: height * ratio});
    const pen = canvas.getContext("2d"), {activity, interval} = recording.columns, step = width / recording.steps;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (let i = 0; i < recording.steps; i += Math.max(1, Math.floor(1 / step))) {
      pen.fillStyle = this.palette.activities[activity[i]];
      pen.fillRect(i * step, 0, Math.max(1, step - (step > 4 ? 1 : 0)), height);
    }
    pen.fillStyle = this.palette.panel;
    for (let i = 1; i < recording.steps; ++i) if (interval[i] !== interval[i - 1]) pen.fillRect(i * step - 1, 0, 2, height);
    return {canvas, of: recording, width, palette: this.palette};
  }

  key(event) {
    const {target} = event;
    if (!this.player || event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.closest("input, select, textarea")) return;
    const {recording} = this.player;
    const acts = {
      ArrowRight: () => (event.shiftKey ? this.go(recording.nextInterval()) : this.by(1)),
      ArrowLeft: () => (event.shiftKey ? this.go(recording.previousInterval()) : this.by(-1)),
      Home: () => this.go(0), End: () => this.go(recording.steps),
    };
    // A button in focus is pressed by Space.
    if (!target.closest("button, summary, a")) acts[" "] = () => this.toggle();
    if (this.chapters.length > 1) {
      acts.PageDown = () => this.chapter(1);
      acts.PageUp = () => this.chapter(-1);
    }
    if (!acts[event.key]) return;
    event.preventDefault();
    if (event.key !== " ") this.stop();
    acts[event.key]();
  }
  chapter(by) {
    const next = this.chapters[this.chapters.indexOf(this.player.article) + by];
    if (next) location.hash = next.id;
  }

  swipe() {
    let start = null;
    document.addEventListener("touchstart", (event) => {
      const [touch] = event.changedTouches;
      start = event.touches.length === 1 && event.target.closest(".picture, #bar .sentence") ? touch : null;
    }, {passive: true});
    document.addEventListener("touchend", (event) => {
      if (!start || !this.player) return;
      const [touch] = event.changedTouches, x = touch.clientX - start.clientX, y = touch.clientY - start.clientY;
      start = null;
      if (Math.abs(x) < 40 || Math.abs(x) < 2 * Math.abs(y)) return;
      this.stop();
      this.tip.hide();
      this.by(x < 0 ? 1 : -1);
    }, {passive: true});
  }
}

document.documentElement.classList.add("scripted");
const controls = new Controls([...document.querySelectorAll("article.chapter")]);
const opened = controls.openFromAddress(false);
