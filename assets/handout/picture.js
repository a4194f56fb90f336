// The arrays of a block as grids of cells, drawn in a canvas and written as a table.

const FOLD = 32;  // an array of one axis is folded at the width of a warp
const MOST_CELLS = 200_000;       // of a grid: far more than can be told apart
const MOST_PIXELS = 16_000_000;   // of a canvas; more than a phone has room for stays blank
const LONGEST_SIDE = 16_384;

/** Colours of the page's style, read again when the reader's setting changes. */
class Palette {
  constructor() {
    const style = getComputedStyle(document.documentElement);
    this.colour = (name) => this[name] ??= style.getPropertyValue("--" + name).trim();
    for (const name of ["panel", "raised", "border", "text", "dim", "interior", "halo", "output", "previous", "active",
                        "edge", "fault", "ghost"]) this.colour(name);
    this.planes = [this.interior, this.previous, this.output];
  }
  role(role, plane) {
    switch (role) {
      case Role.interior: return this.planes[plane];
      case Role.halo: return this.halo;
      case Role.ghost: return this.ghost;
      case Role.computed: return mixed(this.output, this.text, 0.35);
      case Role.output: return this.output;
      case Role.pending: return mixed(this.panel, this.output, 0.35);
      default: return this.panel;
    }
  }
  status(status) {
    return [this.active, this.halo, this.output, this.ghost, mixed(this.panel, this.text, 0.55),
            mixed(this.panel, this.ghost, 0.35), mixed(this.panel, this.ghost, 0.6)][status];
  }
  activity(activity) {
    return [this.ghost, this.halo, this.output, mixed(this.panel, this.text, 0.55), this.interior, this.text][activity];
  }
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

/**
 * What a picture draws: cells in planes of rows and columns. `cell(index)` gives what is known of one now: role, plane,
 * type, low, high, shown (it has a value), faded, written, read, mine, faulty, and `facts`, a function that gives
 * sentences. `name(index)` is the cell's own name.
 */
class Grid {
  constructor({title, kind, extents, apart = "", planeNames = [], cell, name, shade, constant = false, corner = [0, 0]}) {
    const axes = extents.length;
    this.columns = axes ? extents[axes - 1] : 1;
    this.rows = axes > 1 ? extents[axes - 2] : 1;
    this.count = product(extents);
    if (axes < 2 && this.columns > FOLD) [this.rows, this.columns] = [Math.ceil(this.columns / FOLD), FOLD];
    this.planes = Math.max(1, Math.ceil(this.count / (this.columns * this.rows)));
    Object.assign(this, {title, kind: kind + apart, planeNames, cell, name, shade, constant, corner});
  }
}

/** The arrays of a recording's block, as grids. */
function gridsOf(recording, chosen) {
  const grids = [];
  const {inputs, outputs} = recording;
  const inputType = recording.input === null ? Type.f32 : recording.objects[recording.input].type;
  const range = new ValueRange(inputType, inputs.low, inputs.high);
  const mine = (i) => recording.columns.readThread[i] === chosen();
  const by = (text, thread, step) =>
    fill(words[text], fill(words.thread, recording.threadText(thread)), step + 1);
  // Those before the first change are drawn for the whole step: they are found once for each.
  let readAt = null;
  const reads = (object) => {
    if (readAt?.step !== recording.step) readAt = {step: recording.step, of: new Map()};
    if (!readAt.of.has(object)) readAt.of.set(object, recording.readsOf(object));
    return readAt.of.get(object);
  };

  /**
   * The cells of a box of points, each an element of a global array; -1: no element. Where the points lie so far apart
   * that the box has too many cells, they are themselves the cells.
   */
  const box = (points, from, to, extents) => {
    const shape = [...Array(Math.max(0, 3 - extents.length)).fill(1), ...extents.slice(-3)];
    if (extents.length > 3) shape[0] = product(extents.slice(0, -2));
    const size = [0, 1, 2].map((axis) => to[axis] - from[axis] + 1);
    if (product(size) > MOST_CELLS) {
      const point = (index) => [points.z[index], points.y[index], points.x[index]];
      const element = (index) => points.element[index];
      return {extents: [Math.min(points.element.length, MOST_CELLS)], element, point, planeNames: [], corner: [0, 0], apart: words.farApart};
    }
    const point = (index) => {
      const z = Math.floor(index / (size[1] * size[2]));
      return [from[0] + z, from[1] + Math.floor(index / size[2]) % size[1], from[2] + index % size[2]];
    };
    const element = (index) => {
      const at = point(index);
      const inside = at.every((one, axis) => one >= 0 && one < shape[axis]);
      return inside ? (at[0] * shape[1] + at[1]) * shape[2] + at[2] : -1;
    };
    const planeNames = size[0] > 1 ? [...Array(size[0]).keys()].map((z) => `z = ${from[0] + z}`) : [];
    return {extents: size[0] > 1 ? size : size[1] > 1 ? size.slice(1) : size.slice(2), element, point, planeNames, corner: from.slice(1)};
  };
  const pointText = (at, extents) => (extents.length > 1 ? "[" + at.slice(-Math.min(3, extents.length)).join("][") + "]" : `[${at[2]}]`);

  if (recording.input !== null && inputs.element.length) {
    const {name, extents} = recording.objects[recording.input];
    const {element, point, ...shape} = box(inputs, recording.box[0], recording.box[1], extents);
    grids.push(new Grid({
      title: name, kind: words.input, ...shape, shade: range,
      name: (index) => (element(index) < 0 ? name + pointText(point(index), extents) : recording.element(recording.input, element(index))),
      cell: (index) => {
        const slot = inputs.slots.get(element(index));
        if (slot === undefined) {
          const outside = element(index) < 0;
          return {role: outside ? Role.ghost : Role.unwritten, empty: !outside, facts: () => [outside ? words.outside : words.notRead]};
        }
        const read = reads(recording.input).get(element(index));
        const {readLow, readHigh, readThread} = recording.columns;
        return {
          role: inputs.role[slot], type: inputType, shown: true, written: false,
          low: read === undefined ? inputs.low[slot] : readLow[read],
          high: read === undefined ? inputs.high[slot] : readHigh[read],
          faded: inputs.step[slot] > recording.step || recording.step < 0,
          read: read !== undefined, mine: read !== undefined && mine(read),
          facts: () => [read === undefined ? by("firstReadBy", inputs.thread[slot], inputs.step[slot])
                                           : fill(words.readNow, fill(words.thread, recording.threadText(readThread[read])))],
        };
      },
    }));
  }

  const held = (cells, index, type, role, plane) => ({
    role, plane, type, low: cells.low[index], high: cells.high[index],
    shown: cells.origin[index] !== 0,
    written: recording.step >= 0 && cells.writtenAt[index] === recording.step,
    thread: cells.writer[index],
    facts: () => {
      const facts = [];
      if (cells.origin[index] > 2) facts.push(fill(words.copyOf, recording.element(cells.origin[index] - 3, cells.originElement[index])));
      if (cells.writer[index] !== NONE) facts.push(by("writtenBy", cells.writer[index], cells.writtenAt[index]));
      return facts;
    },
  });

  const carried = new Set();
  recording.carriers.forEach((carrier, at) => {
    const cells = carrier.register ? recording.values[carrier.id] : recording.arrays[carrier.id];
    const {name, type} = carrier.register ? recording.variables[carrier.id] : recording.objects[carrier.id];
    if (!carrier.register) carried.add(carrier.id);
    let extents = carrier.extents;
    if (carrier.register) while (extents.length > 1 && extents[0] === 1) extents = extents.slice(1);
    grids.push(new Grid({
      title: name, kind: carrier.register ? words.register : words.shared, extents, shade: range, 
      name: (index) => (carrier.register ? `${name}, ${fill(words.thread, recording.threadText(index))}` : recording.element(carrier.id, index)),
      cell: (index) => {
        const cell = held(cells, index, type, recording.roleCells[at][index], carrier.plane);
        const read = carrier.register ? undefined : reads(carrier.id).get(index);
        cell.read = carrier.register
          ? carrier.readBy.includes(recording.statement?.id) && "012".includes(recording.laneRow[index])
          : read !== undefined;
        cell.mine = read !== undefined && mine(read);
        if (carrier.register) cell.thread = index;
        return cell;
      },
    }));
  });

  recording.objects.forEach((object, id) => {
    if (object.space !== Space.shared || carried.has(id)) return;
    const cells = recording.arrays[id];
    grids.push(new Grid({
      title: object.name, kind: words.shared, extents: object.extents, shade: null,
      name: (index) => recording.element(id, index),
      cell: (index) => {
        const cell = held(cells, index, object.type, cells.origin[index] ? Role.computed : Role.unwritten, 0);
        const read = reads(id).get(index);
        return {...cell, read: read !== undefined, mine: read !== undefined && mine(read)};
      },
    }));
  });

  if (recording.output !== null && outputs.element.length) {
    const {name, type} = recording.objects[recording.output];
    const {slots, cells} = recording.sparse[recording.output];
    const faulty = new Set(recording.faulty);
    const from = [outputs.z, outputs.y, outputs.x].map((places) => places.reduce((a, b) => Math.min(a, b)));
    const to = [outputs.z, outputs.y, outputs.x].map((places) => places.reduce((a, b) => Math.max(a, b)));
    const {point, ...shape} = box(outputs, from, to, recording.inputExtents);
    const byPlace = new Map();
    for (let i = 0; i < outputs.element.length; ++i) byPlace.set([outputs.z[i], outputs.y[i], outputs.x[i]].join(), outputs.element[i]);
    const element = (index) => byPlace.get(point(index).join());
    delete shape.element;
    grids.push(new Grid({
      title: name, kind: words.output, ...shape, shade: range,
      name: (index) => (element(index) === undefined ? name : recording.element(recording.output, element(index))),
      cell: (index) => {
        if (element(index) === undefined) return {role: Role.unwritten, empty: true, facts: () => []};
        const slot = slots.get(element(index));
        const written = slot !== undefined && cells.writtenAt[slot] !== NONE;
        const cell = written ? held(cells, slot, type, Role.output, 0) : {role: Role.pending, type, facts: () => []};
        if (written) cell.shown = true;
        if (faulty.has(element(index))) {
          cell.faulty = true;
          const facts = cell.facts;
          cell.facts = () => [...facts(), words.faulty];
        }
        return cell;
      },
    }));
  }

  for (const {object, low, high} of recording.constants) {
    const {type, extents} = recording.objects[object];
    grids.push(new Grid({
      title: recording.objects[object].name, kind: words.constant, extents, shade: new ValueRange(type, low, high), constant: true,
      name: (index) => recording.element(object, index),
      cell: (index) => {
        const read = reads(object).get(index);
        return {role: -1, type, low: low[index], high: high[index], shown: true, read: read !== undefined,
                mine: read !== undefined && mine(read), facts: () => []};
      },
    }));
  }
  return grids;
}

/** A grid in a canvas of its own, with its name, and a table for those who cannot see it. */
class GridView {
  constructor(grid, tip) {
    this.grid = grid;
    this.figure = make("figure", {className: "grid"});
    const caption = make("figcaption", {}, [make("b", {textContent: grid.title}), " " + grid.kind]);
    this.canvas = make("canvas", {}, []);
    this.canvas.setAttribute("aria-hidden", "true");
    this.table = make("div", {className: "cells"});
    this.details = make("details", {className: "as-table"}, [make("summary", {textContent: fill(words.table, grid.title)}), this.table]);
    this.details.addEventListener("toggle", () => this.writeTable());
    this.figure.append(caption, this.canvas, this.details);
    for (const event of ["pointermove", "pointerdown"]) {
      this.canvas.addEventListener(event, (pointer) => tip.show(pointer, this, this.cellAt(pointer)));
    }
    this.canvas.addEventListener("pointerleave", (pointer) => { if (pointer.pointerType === "mouse") tip.hide(); });
  }

  /** Cells as large as the room allows, in as few rows of planes as that. */
  layOut(width, height) {
    const {columns, rows, planes, planeNames} = this.grid;
    this.gap = planes > 1 ? 8 : 0;
    this.label = planeNames.length || planes > 1 ? 16 : 0;
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

  draw(palette) {
    const pen = this.canvas.getContext("2d");
    const {columns, rows, planes, planeNames, count, shade} = this.grid;
    const edge = this.edge, room = edge - (edge > 7 ? 1 : 0);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillStyle = palette.dim;
    for (let plane = 0; this.label && plane < planes; ++plane) {
      const [x, y] = this.corner(plane * columns * rows);
      pen.fillText(planeNames[plane] ?? String(plane), x, y - 4);
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
      let fillColour = cell.role < 0 ? palette.raised : palette.role(cell.role, cell.plane ?? 0);
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
    const {columns, rows, planes, planeNames, count} = this.grid;
    this.table.replaceChildren();
    for (let plane = 0; plane < planes; ++plane) {
      const table = make("table", {}, planes > 1 ? [make("caption", {textContent: planeNames[plane] ?? fill(words.plane, plane)})] : []);
      const heading = (number, scope) => make("th", {textContent: number, scope});
      const [firstRow, firstColumn] = this.grid.corner;
      table.append(make("tr", {}, [make("td"), ...[...Array(columns).keys()].map((column) => heading(firstColumn + column, "col"))]));
      for (let row = 0; row < rows; ++row) {
        const line = make("tr", {}, [heading(firstRow + row, "row")]);
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
