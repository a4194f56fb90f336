// A recording and the block's state at a position of it, as recording/Recording.h and Cursor.h have them: position 0 is
// before the first step, at position p the step p - 1 was executed last. Values are bits, in a low and a high half.

const NONE = 0xffffffff;
const NEIGHBOURS = 1, UPPER_HALVES = 2;  // kinds of columns: see handout/Columns.h
const Space = {global: 0, shared: 1, constant: 2, local: 3};
const Kind = {shared: 0, variable: 1, global: 2, local: 3};
const Type = {bool: 0, i8: 1, u8: 2, i16: 3, u16: 4, i32: 5, u32: 6, i64: 7, u64: 8, f16: 9, f32: 10, f64: 11, pointer: 12};
const Place = {none: 0, previous: 1, current: 2, next: 3};
const Role = {interior: 0, halo: 1, ghost: 2, unwritten: 3, computed: 4, output: 5, pending: 6};

const product = (extents) => extents.reduce((all, one) => all * one, 1);

/** Values of an array or of a variable now: bits, origin, and who wrote them when. */
class Cells {
  constructor(count, low = 0, high = 0, origin = 0) {
    this.low = new Uint32Array(count).fill(low);
    this.high = new Uint32Array(count).fill(high);
    this.origin = new Uint32Array(count).fill(origin);
    this.originElement = new Float64Array(count);
    this.writer = new Uint32Array(count).fill(NONE);
    this.writtenAt = new Uint32Array(count).fill(NONE);
  }
  get length() { return this.low.length; }
}
const CELL_FIELDS = ["low", "high", "origin", "originElement", "writer", "writtenAt"];

class Recording {
  static async read(base64) { return new Recording(await inflated(base64)); }

  constructor(bytes) {
    const length = new DataView(bytes.buffer).getUint32(0, true);
    Object.assign(this, JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))));
    const columns = {};
    let at = 4 + length;
    for (const [name, count, kind] of this.columns) {
      const numbers = new Uint32Array(count);
      for (let shift = 0; shift < 32; shift += 8) {
        for (let i = 0; i < count; ++i) numbers[i] |= bytes[at++] << shift;
      }
      if (kind === NEIGHBOURS) {
        let before = 0;
        for (let i = 0; i < count; ++i) {
          const difference = (numbers[i] >>> 1) ^ -(numbers[i] & 1);
          before = numbers[i] = (before + difference) >>> 0;
        }
      }
      // Elements beyond 32 bits: their upper halves follow.
      columns[name] = kind === UPPER_HALVES ? Recording.wide(columns[name], numbers) : numbers;
    }
    this.columns = columns;
    this.firstChange = Recording.sums(columns.changes);
    this.firstRead = Recording.sums(columns.reads);
    this.firstRole = Recording.sums(columns.roles);
    this.position = 0;
    this.makeCells();
    this.makeRoles();
    this.notePast();
    this.inputs = this.points("input");
    this.outputs = this.points("output");
  }

  static wide(low, high) { return Float64Array.from(low, (one, i) => (high[i] | 0) * 2 ** 32 + one); }

  static sums(counts) {
    const sums = new Uint32Array(counts.length + 1);
    for (let i = 0; i < counts.length; ++i) sums[i + 1] = sums[i] + counts[i];
    return sums;
  }

  points(prefix) {
    const points = {};
    for (const name of ["Element", "Role", "Low", "High", "Thread", "Step"]) {
      points[name.toLowerCase()] = this.columns[prefix + name];
    }
    points.slots = new Map([...points.element].map((element, slot) => [element, slot]));
    return points;
  }

  makeCells() {
    this.arrays = this.objects.map((object) => (object.space === Space.shared ? new Cells(product(object.extents)) : null));
    this.values = this.variables.map(
      ({bits, parameter}) => new Cells(this.threads, bits[0], bits[1], parameter ? 2 : 0));
    // Of a global array and of the threads' own ones, which may be far larger than what is done with them, the elements
    // that the block writes; their places by element.
    this.sparse = this.objects.map(() => ({slots: new Map(), cells: null}));
    const {target, index} = this.columns;
    for (let i = 0; i < target.length; ++i) {
      const [kind, id] = this.targets[target[i]];
      if (kind !== Kind.global && kind !== Kind.local) continue;
      const {slots} = this.sparse[id];
      if (!slots.has(index[i])) slots.set(index[i], slots.size);
    }
    for (const one of this.sparse) one.cells = new Cells(one.slots.size);
  }

  makeRoles() {
    this.roleCells = this.carriers.map(
      (carrier) => new Uint8Array(carrier.register ? this.threads : product(carrier.extents)).fill(Role.unwritten));
    this.roleBefore = new Uint8Array(this.columns.role.length);
  }

  /** The cells that a change is about, and its place among them. */
  place(change) {
    const {target, index} = this.columns;
    const [kind, id] = this.targets[target[change]];
    if (kind === Kind.variable) return [this.values[id], index[change]];
    if (kind === Kind.shared) return [this.arrays[id], index[change]];
    return [this.sparse[id].cells, this.sparse[id].slots.get(index[change])];
  }

  /** Goes through the recording once to learn what each change replaced. */
  notePast() {
    this.past = new Cells(this.columns.target.length);
    for (let i = this.firstRole[0]; i < this.firstRole[1]; ++i) this.setRole(i);
    this.noting = true;
    this.goTo(this.steps);
    this.noting = false;
    this.goTo(0);
  }

  goTo(position) {
    const target = Math.max(0, Math.min(this.steps, position));
    while (this.position < target) this.apply(this.position++);
    while (this.position > target) this.revert(--this.position);
  }

  apply(step) {
    const {low, high, origin, originElement, thread} = this.columns;
    for (let i = this.firstChange[step]; i < this.firstChange[step + 1]; ++i) {
      const [cells, at] = this.place(i);
      if (this.noting) for (const field of CELL_FIELDS) this.past[field][i] = cells[field][at];
      cells.low[at] = low[i];
      cells.high[at] = high[i];
      cells.origin[at] = origin[i];
      cells.originElement[at] = originElement[i];
      cells.writer[at] = thread[i];
      cells.writtenAt[at] = step;
    }
    for (let i = this.firstRole[step + 1]; i < this.firstRole[step + 2]; ++i) {
      if (this.noting) this.roleBefore[i] = this.roleCells[this.columns.roleCarrier[i]][this.columns.roleIndex[i]];
      this.setRole(i);
    }
  }

  revert(step) {
    for (let i = this.firstChange[step + 1]; i-- > this.firstChange[step];) {
      const [cells, at] = this.place(i);
      for (const field of CELL_FIELDS) cells[field][at] = this.past[field][i];
    }
    for (let i = this.firstRole[step + 2]; i-- > this.firstRole[step + 1];) {
      this.roleCells[this.columns.roleCarrier[i]][this.columns.roleIndex[i]] = this.roleBefore[i];
    }
  }

  setRole(i) { this.roleCells[this.columns.roleCarrier[i]][this.columns.roleIndex[i]] = this.columns.role[i]; }

  /** The step that was executed last; -1 before the first. */
  get step() { return this.position - 1; }
  get statement() {
    const id = this.step < 0 ? NONE : this.columns.statement[this.step];
    return id === NONE ? null : {id, range: this.statements[id], function: this.statements[id][4]};
  }
  get laneRow() { return this.step < 0 ? "6".repeat(this.threads) : this.lanes[this.columns.laneRow[this.step]]; }
  get sentence() { return this.step < 0 ? "" : this.sentences[this.columns.sentence[this.step]]; }

  /** Elements of an object that the current step reads: the index in the columns of the last read of each. */
  readsOf(object) {
    const reads = new Map();
    if (this.step < 0) return reads;
    const {readObject, readElement} = this.columns;
    for (let i = this.firstRead[this.step]; i < this.firstRead[this.step + 1]; ++i) {
      if (readObject[i] === object) reads.set(readElement[i], i);
    }
    return reads;
  }

  /** The first position of the next barrier interval, or of this one or the one before it. */
  nextInterval() {
    const {interval} = this.columns;
    if (this.position === 0) return Math.min(1, this.steps);
    for (let step = this.position; step < this.steps; ++step) {
      if (interval[step] !== interval[step - 1]) return step + 1;
    }
    return this.steps;
  }
  previousInterval() {
    const {interval} = this.columns;
    for (let step = this.position - 2; step > 0; --step) {
      if (interval[step] !== interval[step - 1]) return step + 1;
    }
    return this.position > 1 ? 1 : 0;
  }

  /** "in[2][3]", as the source writes it. */
  element(object, element) {
    const {name, extents} = this.objects[object];
    const count = product(extents);
    if (extents.length === 0 && element === 0) return name;
    if (extents.length < 2 || element < 0 || element >= count) return `${name}[${element}]`;
    let size = count, rest = element, text = name;
    for (const extent of extents) {
      size /= extent;
      text += `[${Math.floor(rest / size)}]`;
      rest %= size;
    }
    return text;
  }

  /** "x=3 y=2": a thread by its place in the block. */
  threadText(thread) {
    const [x, y, z] = this.block;
    const at = [thread % x, Math.floor(thread / x) % y, Math.floor(thread / x / y)];
    if (z > 1) return `x=${at[0]} y=${at[1]} z=${at[2]}`;
    return y > 1 ? `x=${at[0]} y=${at[1]}` : `${at[0]}`;
  }

  /** Whether a variable's name means something at the current step. */
  inScope(variable) {
    if (variable.parameter) return true;
    const now = this.statement;
    if (!now) return false;
    const place = now.function === variable.function ? now.range : this.functions[now.function];
    const [line, column] = place, [l, c, endL, endC] = variable.scope;
    return place[0] > 0 && (l < line || (l === line && c <= column)) && (line < endL || (line === endL && column < endC));
  }
}

const scratch = new DataView(new ArrayBuffer(8));

/** A value as a number: of a 64-bit integer the nearest one. */
function numberOf(type, low, high) {
  scratch.setUint32(0, low, true);
  scratch.setUint32(4, high, true);
  switch (type) {
    case Type.f32: return scratch.getFloat32(0, true);
    case Type.f64: return scratch.getFloat64(0, true);
    case Type.f16: return halfOf(low);
    case Type.i64: return Number(scratch.getBigInt64(0, true));
    case Type.u64: case Type.pointer: return Number(scratch.getBigUint64(0, true));
    case Type.i8: case Type.i16: case Type.i32: return low | 0;
    default: return low;
  }
}

function halfOf(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -24 * fraction);
}

/** Whether the bits are those of a floating-point variable that was never assigned. */
function isPoison(type, low, high) {
  if (type === Type.f16) return (low & 0xffff) === 0xffff;
  return (type === Type.f32 && low === NONE) || (type === Type.f64 && low === NONE && high === NONE);
}

/** The shortest decimal that is the same value in its type. */
function shortest(value, isSame) {
  for (let digits = 1; digits < 17; ++digits) {
    const text = value.toPrecision(digits);
    if (isSame(Number(text))) return String(Number(text));
  }
  return String(value);
}

function exactText(recording, type, low, high) {
  if (isPoison(type, low, high)) return words.unwritten;
  const value = numberOf(type, low, high);
  if (type === Type.bool) return low ? "true" : "false";
  if (type === Type.pointer) return pointerText(recording, low, high);
  if (type === Type.i64) return String(scratch.getBigInt64(0, true));
  if (type === Type.u64) return String(scratch.getBigUint64(0, true));
  if (type < Type.f16) return String(value);
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0";
  if (type === Type.f64) return String(value);
  if (type === Type.f32) return shortest(value, (other) => Math.fround(other) === value);
  const gap = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(value) || 1e-9)), -14) - 10);
  return shortest(value, (other) => Math.abs(other - value) < gap / 2);
}

/** "in + 33": see PackedPointer in program/Program.h. */
function pointerText(recording, low, high) {
  const bits = BigInt(high) << 32n | BigInt(low);
  const object = recording.objects[Number(bits >> 48n)];
  if (!object) return `0x${bits.toString(16)}`;
  const offset = Number((bits & 0xffffffffffffn) - (1n << 47n));
  if (offset === 0) return object.name;
  const whole = offset % object.size === 0, amount = Math.abs(whole ? offset / object.size : offset);
  return `${object.name} ${offset < 0 ? "-" : "+"} ${amount}${whole ? "" : words.bytes}`;
}

function bitsText(type, low, high) {
  const digits = {[Type.f16]: 4, [Type.i64]: 16, [Type.u64]: 16, [Type.f64]: 16, [Type.pointer]: 16}[type] ?? 8;
  const hex = high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
  return "0x" + hex.slice(16 - digits);
}
