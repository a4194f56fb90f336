// The arrays of a block as grids of cells, drawn in a canvas and written as a table. Which arrays there are, how their
// cells are arranged, and what has which colour is data of the page: see app/core/cells.

const MOST_PIXELS = 16_000_000;   // of a canvas; more than a phone has room for stays blank
const LONGEST_SIDE = 16_384;

/** The colours of the page's style, and those of roles and states, read again when the reader's setting changes. */
class Palette {
  constructor() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["panel", "raised", "border", "text", "dim", "interior", "halo", "output", "previous", "active",
                        "edge", "fault", "ghost"]) this[name] = style.getPropertyValue("--" + name).trim();
    Object.assign(this, matchMedia("(prefers-color-scheme: dark)").matches ? words.colours.dark : words.colours.light);
  }
  role(role, place = 0) { return role === Role.interior ? this.places[place] : this.roles[role]; }
}

function channels(colour) { return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)); }
function mixed(from, to, share) {
  const a = channels(from), b = channels(to);
  return "#" + a.map((one, i) => Math.round(one + (b[i] - one) * share).toString(16).padStart(2, "0")).join("");
}
function textOn(fill) {
  const [r, g, b] = channels(fill).map((one) => (one / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.25 ? "#0e131a" : "#ffffff";
}

/** A range of values, so that a shade always means the same value. */
class ValueRange {
  constructor(type, low, high) {
    this.low = Infinity;
    this.high = -Infinity;
    for (let i = 0; i < low.length; ++i) this.add(numberOf(type, low[i], high[i]));
  }
  add(value) {
    if (!Number.isFinite(value)) return;
    this.low = Math.min(this.low, value);
    this.high = Math.max(this.high, value);
  }
  shade(value) {
    if (!(this.high > this.low) || !Number.isFinite(value)) return 0.6;
    return Math.max(0, Math.min(1, (value - this.low) / (this.high - this.low)));
  }
}

const GridKind = {input: 0, shared: 1, register: 2, constant: 3, read: 4, output: 5};

/** An array of the block, as cells/CellGrid.h has it: cells in planes of rows and columns. */
class Grid {
  constructor(recording, facts, range, chosen) {
    Object.assign(this, facts, {recording, chosen});
    this.strip = this.extents.length < 2 || this.listed.length > 0;
    this.folded = this.strip && this.rows > 1;
    this.elements = Array.from({length: this.count}, (_, index) => this.elementAt(index));
    this.coefficients = this.kind === GridKind.constant || this.kind === GridKind.read;
    this.values = new Map(this.read.map((element, at) => [element, at]));
    this.shade = this.coefficients ? new ValueRange(this.type, this.bits[0], this.bits[1])
      : this.kind === GridKind.shared && this.carrier === null ? null : range;
    this.faulty = new Set(recording.faulty);
    this.extra = this.listed.length ? words.farApart : "";
  }
  get carried() { return this.carrier === null ? null : this.recording.carriers[this.carrier]; }

  point(index) {
    const {low: [z, y, x], rows, columns, strip} = this;
    if (strip) return [0, 0, x + index];
    return [z + Math.floor(index / columns / rows), y + Math.floor(index / columns) % rows, x + index % columns];
  }
  elementAt(index) {
    if (this.listed.length) return this.listed[index];
    const shape = [product(this.extents.slice(0, -2)), this.extents.at(-2) ?? 1, this.extents.at(-1) ?? 1], at = this.point(index);
    return at.every((one, axis) => one >= 0 && one < shape[axis]) ? (at[0] * shape[1] + at[1]) * shape[2] + at[2] : -1;
  }
  name(index) {
    const element = this.elements[index];
    if (this.kind === GridKind.register) return `${this.title}, ${fill(words.thread, this.recording.threadText(element))}`;
    if (element < 0) return `${this.title}[${this.point(index).slice(-Math.min(3, this.extents.length)).join("][")}]`;
    return this.recording.element(this.id, element);
  }
  planeName(plane) { return `[${this.low[0] + plane}]`; }
  // Elements that lie far apart have no places that could be counted.
  rowName(row) { return this.extra ? "" : this.folded ? this.low[2] + row * this.columns : this.low[1] + row; }
  columnName(column) { return this.extra ? "" : this.folded ? `+${column}` : this.low[2] + column; }

  /** Those before the first change are drawn for the whole step: they are found once for each. */
  reads() {
    if (this.readAt !== this.recording.step) [this.readAt, this.readNow] = [this.recording.step, this.recording.readsOf(this.id)];
    return this.readNow;
  }
  by(text, thread, step) { return fill(words[text], fill(words.thread, this.recording.threadText(thread)), step + 1); }

  /**
   * What is known of a cell now: role, type, low, high, shown (it has a value), empty, faded, written, read, mine, faulty,
   * and `facts`, a function that gives sentences.
   */
  cell(index) {
    const element = this.elements[index], {recording, type, carried} = this;
    const cell = this.content(element);
    const read = this.kind === GridKind.register ? undefined : this.reads().get(element);
    cell.type = type;
    cell.read = this.kind === GridKind.register
      ? carried.readBy.includes(recording.statement?.id) && "012".includes(recording.laneRow[element])
      : read !== undefined;
    cell.mine = read !== undefined && recording.columns.readThread[read] === this.chosen();
    return cell;
  }
  content(element) {
    const {recording} = this;
    if (this.kind === GridKind.register) return {...this.held(recording.values[this.id], element, recording.roleCells[this.carrier][element]), thread: element};
    if (this.kind === GridKind.shared) {
      const cells = recording.arrays[this.id];
      const role = this.carried ? recording.roleCells[this.carrier][element] : cells.origin[element] ? Role.computed : Role.unwritten;
      return this.held(cells, element, role);
    }
    if (this.kind === GridKind.output) return this.written(element);
    return this.id === recording.input ? this.inputPoint(element) : this.known(element);
  }
  held(cells, at, role) {
    const facts = () => {
      const facts = [];
      if (cells.origin[at] > 2) facts.push(fill(words.copyOf, this.recording.element(cells.origin[at] - 3, cells.originElement[at])));
      if (cells.writer[at] !== NONE) facts.push(this.by("writtenBy", cells.writer[at], cells.writtenAt[at]));
      return facts;
    };
    return {role, low: cells.low[at], high: cells.high[at], shown: cells.origin[at] !== 0, thread: cells.writer[at],
            written: this.recording.step >= 0 && cells.writtenAt[at] === this.recording.step, facts};
  }
  outside(element) {
    return {role: element < 0 ? Role.ghost : Role.unwritten, empty: element >= 0, facts: () => [element < 0 ? words.outside : words.notRead]};
  }
  inputPoint(element) {
    const {inputs, step, columns} = this.recording, slot = inputs.slots.get(element);
    if (slot === undefined) return this.outside(element);
    const read = this.reads().get(element);
    return {
      role: inputs.role[slot], shown: true,
      low: read === undefined ? inputs.low[slot] : columns.readLow[read],
      high: read === undefined ? inputs.high[slot] : columns.readHigh[read],
      faded: inputs.step[slot] > step || step < 0,
      facts: () => [read === undefined ? this.by("firstReadBy", inputs.thread[slot], inputs.step[slot])
                                       : fill(words.readNow, fill(words.thread, this.recording.threadText(columns.readThread[read])))],
    };
  }
  written(element) {
    if (!this.recording.outputs.slots.has(element)) return {role: Role.unwritten, empty: true, facts: () => []};
    const {slots, cells} = this.recording.sparse[this.id], slot = slots.get(element);
    const done = slot !== undefined && cells.writtenAt[slot] !== NONE;
    const cell = done ? {...this.held(cells, slot, Role.output), shown: true} : {role: Role.pending, facts: () => []};
    if (!this.faulty.has(element)) return cell;
    return {...cell, faulty: true, facts: () => [...cell.facts(), words.faulty]};
  }
  known(element) {
    const at = this.values.get(element);
    if (at === undefined) return this.outside(element);
    return {role: this.coefficients ? -1 : Role.interior, low: this.bits[0][at], high: this.bits[1][at], shown: true, facts: () => []};
  }
}

/** The arrays of a recording's block, as grids. */
function gridsOf(recording, chosen) {
  const inputType = recording.input === null ? Type.f32 : recording.objects[recording.input].type;
  const range = new ValueRange(inputType, recording.inputs.low, recording.inputs.high);
  return recording.grids.map((facts) => new Grid(recording, facts, range, chosen));
}

/** A grid in a canvas of its own, with its name, and a table for those who cannot see it. */
class GridView {
  constructor(grid, tip) {
    this.grid = grid;
    this.figure = make("figure", {className: "grid"});
    const name = make("b", {textContent: grid.title});
    name.style.color = ["", "var(--previous)", "var(--interior)", "var(--output)"][grid.place];
    const caption = make("figcaption", {}, [name, " " + grid.kindText + grid.extra]);
    this.canvas = make("canvas", {}, []);
    this.canvas.setAttribute("aria-hidden", "true");
    this.table = make("div", {className: "cells"});
    this.details = make("details", {className: "as-table"}, [make("summary", {textContent: fill(words.table, grid.title)}), this.table]);
    this.details.addEventListener("toggle", () => this.writeTable());
    this.figure.append(caption, this.canvas, this.details);
    for (const event of ["pointermove", "pointerdown"]) {
      this.canvas.addEventListener(event, (pointer) => tip.show(pointer, this, this.cellAt(pointer)));
    }
    for (const event of ["dragover", "drop"]) {
      this.figure.addEventListener(event, (drag) => { drag.preventDefault(); if (event === "drop") this.fillFrom(drag.dataTransfer.files[0]); });
    }
    this.canvas.addEventListener("dblclick", (pointer) => this.edit(this.cellAt(pointer), pointer));
    this.canvas.addEventListener("pointerleave", (pointer) => { if (pointer.pointerType === "mouse") tip.hide(); });
  }

  /** Cells as large as the room allows, in as few rows of planes as that. */
  layOut(width, height) {
    const {columns, rows, planes} = this.grid;
    this.gap = planes > 1 ? 8 : 0;
    this.label = planes > 1 ? 16 : 0;
    for (this.edge = planes > 1 ? 22 : 40; this.edge > 5; --this.edge) {
      this.perRow = Math.min(planes, Math.floor((width + this.gap) / (columns * this.edge + this.gap)));
      if (this.perRow > 0 && Math.ceil(planes / this.perRow) * (rows * this.edge + this.label + this.gap) <= height) break;
    }
    this.perRow = Math.max(1, this.perRow);
    const across = this.perRow * (columns * this.edge + this.gap) - this.gap + 2;
    const down = Math.ceil(planes / this.perRow) * (rows * this.edge + this.label + this.gap) - this.gap + 2;
    const ratio = Math.min(window.devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / across / down), LONGEST_SIDE / across, LONGEST_SIDE / down);
    this.canvas.width = Math.round(across * ratio);
    this.canvas.height = Math.round(down * ratio);
    this.canvas.style.width = across + "px";
    this.canvas.style.height = down + "px";
    this.figure.style.width = planes > 1 ? "auto" : Math.max(across, 100) + "px";
    this.ratio = ratio;
  }

  corner(index) {
    const {columns, rows} = this.grid;
    const plane = Math.floor(index / (columns * rows)), within = index % (columns * rows);
    return [1 + plane % this.perRow * (columns * this.edge + this.gap) + within % columns * this.edge,
            1 + Math.floor(plane / this.perRow) * (rows * this.edge + this.label + this.gap) + this.label +
              Math.floor(within / columns) * this.edge];
  }
  cellAt(pointer) {
    const {columns, rows, planes, count} = this.grid;
    const box = this.canvas.getBoundingClientRect();
    const x = pointer.clientX - box.left - 1, y = pointer.clientY - box.top - 1;
    const across = columns * this.edge + this.gap, down = rows * this.edge + this.label + this.gap;
    const column = Math.floor(x % across / this.edge), row = Math.floor((y % down - this.label) / this.edge);
    const plane = Math.floor(y / down) * this.perRow + Math.floor(x / across);
    const index = (plane * rows + row) * columns + column;
    return column < 0 || row < 0 || column >= columns || row >= rows || plane >= planes || index >= count ? null : index;
  }

  /** Whether the reader can choose what the array holds. */
  get choosable() {
    const {kind, id} = this.grid, {live} = this.player;
    return Boolean(live) && [GridKind.input, GridKind.constant, GridKind.read].includes(kind) && live.facts.arrays.includes(this.grid.recording.objects[id].name);
  }
  /** Numbers of a file that was dropped: rows of a CSV. */
  async fillFrom(file) {
    if (!file || !this.choosable) return;
    const rows = (await file.text()).trim().split(/\r?\n/).map((row) => row.trim().split(/\s*[,;\t ]\s*/).join(","));
    this.player.live.setValue(this.grid.recording.objects[this.grid.id].name, rows.join("/"));
  }
  /** A number of the reader's own in a cell of an input: typed where it lies. */
  edit(index, pointer) {
    const {grid} = this, live = this.player.live;
    if (index === null || !this.choosable) return;
    const element = grid.elements[index], cell = grid.cell(index);
    if (element < 0) return;
    const {name, extents} = grid.recording.objects[grid.id], places = [];
    for (let rest = element, axis = extents.length - 1; axis >= 0; --axis) {
      places.unshift(rest % extents[axis]);
      rest = Math.floor(rest / extents[axis]);
    }
    const field = make("input", {type: "text", inputMode: "decimal", className: "own", value: cell.shown ? exactText(grid.recording, cell.type, cell.low, cell.high) : ""});
    field.setAttribute("aria-label", grid.name(index));
    field.style.left = pointer.pageX + "px";
    field.style.top = pointer.pageY + "px";
    const end = (keep) => {
      if (!field.isConnected) return;
      field.remove();
      if (keep && field.value.trim() !== "") live.setValue(`${name}@${places.join(",")}`, field.value.trim());
    };
    field.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === "Escape") end(event.key === "Enter"); });
    field.addEventListener("blur", () => end(true));
    document.body.append(field);
    field.select();
    field.focus();
  }

  draw(palette) {
    const pen = this.canvas.getContext("2d");
    const {columns, rows, planes, place, count, shade} = this.grid;
    const edge = this.edge, room = edge - (edge > 7 ? 1 : 0);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillStyle = palette.dim;
    for (let plane = 0; this.label && plane < planes; ++plane) {
      const [x, y] = this.corner(plane * columns * rows);
      pen.fillText(this.grid.planeName(plane), x, y - 4);
    }
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.font = `${Math.min(12, edge * 0.32)}px ui-monospace, monospace`;
    const framed = [];
    for (let index = 0; index < count; ++index) {
      const cell = this.grid.cell(index), [x, y] = this.corner(index);
      if (cell.empty) {
        pen.fillStyle = mixed(palette.panel, palette.border, 0.35);
        pen.fillRect(x + room / 2 - 1, y + room / 2 - 1, 2, 2);
        continue;
      }
      let fillColour = cell.role < 0 ? palette.raised : palette.role(cell.role, place);
      if (cell.shown && shade && cell.role >= 0 && cell.role !== Role.ghost) {
        fillColour = mixed(palette.panel, fillColour, 0.3 + 0.7 * shade.shade(numberOf(cell.type, cell.low, cell.high)));
      }
      if (cell.faded) fillColour = mixed(palette.panel, fillColour, 0.35);
      pen.fillStyle = fillColour;
      pen.fillRect(x, y, room, room);
      if (cell.role === Role.unwritten) {
        pen.strokeStyle = palette.border;
        pen.lineWidth = 1;
        pen.strokeRect(x + 0.5, y + 0.5, room - 1, room - 1);
      }
      if (cell.role === Role.ghost && edge > 7) {
        pen.strokeStyle = mixed(fillColour, palette.panel, 0.5);
        pen.lineWidth = 1;
        pen.beginPath();
        pen.moveTo(x, y + room);
        pen.lineTo(x + room, y);
        pen.stroke();
      }
      if (cell.shown && edge >= 30) {
        pen.fillStyle = textOn(fillColour);
        pen.fillText(shortValue(numberOf(cell.type, cell.low, cell.high)), x + room / 2, y + room / 2 + 0.5);
      }
      if (cell.read || cell.written || cell.faulty) framed.push([cell, x, y]);
    }
    for (const [cell, x, y] of framed) this.frame(pen, palette, cell, x, y, room);
  }

  frame(pen, palette, cell, x, y, room) {
    const line = room > 12 ? 2 : 1;
    const stroke = (colour, width, inset) => {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.strokeRect(x + inset, y + inset, room - 2 * inset, room - 2 * inset);
    };
    if (cell.faulty) stroke(palette.fault, line + 1, 0.5);
    if (cell.written) {
      stroke(palette.edge, line + 2, line / 2);
      stroke(palette.active, line, line / 2);
    } else if (cell.read) {
      stroke(palette.text, cell.mine ? line + 1 : 1, cell.mine ? line / 2 : 0.5);
    }
  }

  /** Writes the table anew if it is open. */
  writeTable() {
    if (!this.details.open) return;
    const {columns, rows, planes, count} = this.grid;
    this.table.replaceChildren();
    for (let plane = 0; plane < planes; ++plane) {
      const table = make("table", {}, planes > 1 ? [make("caption", {textContent: this.grid.title + this.grid.planeName(plane)})] : []);
      const heading = (number, scope) => make("th", {textContent: number, scope});
      table.append(make("tr", {}, [make("td"), ...[...Array(columns).keys()].map((column) => heading(this.grid.columnName(column), "col"))]));
      for (let row = 0; row < rows; ++row) {
        const line = make("tr", {}, [heading(this.grid.rowName(row), "row")]);
        table.append(line);
        for (let column = 0; column < columns; ++column) {
          const index = (plane * rows + row) * columns + column;
          if (index >= count) continue;
          const cell = this.grid.cell(index), place = line.insertCell();
          place.title = this.grid.name(index);
          if (cell.empty) continue;
          place.textContent = cell.shown ? exactText(this.recording, cell.type, cell.low, cell.high) : "–";
          if (cell.role >= 0) place.append(make("small", {textContent: " " + words.roles[cell.role]}));
          place.classList.toggle("written", Boolean(cell.written));
        }
      }
      this.table.append(table);
    }
  }
}

/** A value in the room of a cell. */
function shortValue(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value);
  const text = Math.abs(value) < 10 && Math.abs(value) >= 0.01 ? value.toFixed(2) : value.toPrecision(2);
  return text.replace(/^(-?)0\./, "$1.").replace("e+", "e");
}
