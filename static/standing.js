// Standing: who the page is for, what they have left, and the token that shows that a request is theirs.

const STALE = 60;

/** Begins with what the page was drawn with; `renew()` asks the service what holds now. */
export class Standing {
  #running = null;
  #waiting = null;
  #asked = performance.now();

  constructor(widget) {
    this.widget = widget;
    this.guest = widget.dataset.guest === "true";
    this.who = widget.dataset.who;
    this.left = Number(widget.dataset.left);
    this.jobs = Number(widget.dataset.jobs);
    this.maxBytes = Number(widget.dataset.maxBytes);
    this.token = widget.querySelector("[name=csrfmiddlewaretoken]").value;
  }

  /** Whether so long has passed since the service was asked that it may say something else by now. */
  get stale() {
    return performance.now() - this.#asked > STALE * 1000;
  }

  /** Ask again; resolves with whether an answer came. */
  renew() {
    if (!this.#running) return this.#begin();
    // What is on its way may know nothing of what has just happened; of all that wait, one asks.
    this.#waiting ??= this.#running.then(() => { this.#waiting = null; return this.#begin(); });
    return this.#waiting;
  }

  #begin() {
    this.#running = this.#fetch().then(() => true, () => false).finally(() => { this.#running = null; });
    return this.#running;
  }

  async #fetch() {
    const answer = await fetch(this.widget.dataset.standing, { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    const { token, guest, who, left, jobs, maxBytes, balance } = await answer.json();
    Object.assign(this, { token, guest, who, left, jobs, maxBytes });
    this.#asked = performance.now();
    for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
    document.getElementById("balance").outerHTML = balance;
  }
}
