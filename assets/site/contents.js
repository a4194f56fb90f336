// The list of lessons with what the reader has done of each.

const progress = new Progress();
const rows = [...document.querySelectorAll("[data-lesson]")];
const overview = document.querySelector(".overview");

function show() {
  let done = 0, answered = 0, all = 0;
  for (const row of rows) {
    const {lesson, questions, ids} = row.dataset, known = ids.split(" ");
    const {read, answered: right} = progress.of(lesson), count = right.filter((id) => known.includes(id)).length;
    const whole = read && count >= Number(questions);
    done += whole;
    answered += count;
    all += Number(questions);
    const state = whole ? words.done : count ? fill(words.some, count, questions) : read ? words.read : "";
    row.classList.toggle("done", whole);
    row.querySelector(".state").textContent = state;
  }
  const last = rows.findIndex((row) => row.dataset.lesson === progress.last);
  const next = rows.slice(Math.max(last, 0)).find((row) => !row.classList.contains("done"));
  const line = overview.querySelector(".counts");
  line.textContent = fill(words.counts, done, rows.length, answered, all);
  const onward = overview.querySelector(".onward");
  onward.replaceChildren();
  if (last >= 0 && next) {
    const link = next.querySelector("a");
    onward.append(words.onward + " ", make("a", {href: link.href, textContent: link.textContent}));
  }
  overview.querySelector(".unkept").hidden = progress.kept;
  overview.querySelector("details").hidden = last < 0 && !answered;
  overview.hidden = false;
}
overview.querySelector(".forget").addEventListener("click", () => {
  progress.forget();
  overview.querySelector("details").open = false;
  show();
  overview.querySelector(".counts").focus();
});
addEventListener("pageshow", ({persisted}) => { if (persisted) location.reload(); });
show();
