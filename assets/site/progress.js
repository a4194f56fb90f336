// How far the reader has come, kept in the browser: lessons that were read, questions that were answered.

class Progress {
  static KEY = "haloscope.progress";

  constructor() {
    this.lessons = {};
    try {
      this.storage = localStorage;  // which a browser may refuse
      const stored = JSON.parse(this.storage.getItem(Progress.KEY) ?? "{}");
      if (stored?.lessons instanceof Object) Object.assign(this, {lessons: stored.lessons, last: stored.last});
    } catch {
      // It lasts as long as the page.
    }
  }
  get kept() { return Boolean(this.storage); }

  /** Of a lesson: {read, answered: ids, seeds: by id}. */
  of(id) {
    const {read = false, answered = [], seeds = {}} = this.lessons[id] instanceof Object ? this.lessons[id] : {};
    return {read: read === true, answered: Array.isArray(answered) ? answered : [], seeds: seeds instanceof Object ? seeds : {}};
  }
  note(id, facts) {
    this.lessons[id] = {...this.of(id), ...facts};
    this.last = id;
    this.save();
  }
  noteAnswer(id, question) {
    const {answered} = this.of(id);
    if (!answered.includes(question)) this.note(id, {answered: [...answered, question]});
  }
  noteSeed(id, question, seed) { this.note(id, {seeds: {...this.of(id).seeds, [question]: seed}}); }
  forget() {
    this.lessons = {};
    this.last = undefined;
    this.save();
  }
  save() {
    try {
      const {lessons, last} = this;
      this.storage?.setItem(Progress.KEY, JSON.stringify({lessons, last}));
    } catch {
      this.storage = null;  // full, or refused
    }
  }
}
