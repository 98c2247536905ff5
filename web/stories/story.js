// The stories' moving parts. The build has told every state; this shows the one that the reader chooses.
// Without it a page shows its first states, and answers open by themselves.

const PLAY_MS = 1_400;
const DRAG_PX = 14; // for one more or one less

/** A number and all that follows from it. */
class Scene {
  #box;
  #input;
  #timer = 0;

  constructor(box) {
    this.#box = box;
    this.#input = box.querySelector(".hand input");
    this.#input.addEventListener("input", () => this.#user(this.#input.valueAsNumber));
    box.addEventListener("click", (event) => this.#click(event));
    for (const knob of box.querySelectorAll(".knob")) this.#holds(knob);
    this.show(Number(this.#input.defaultValue));
  }

  get #at() {
    return this.#input.valueAsNumber;
  }

  #user(value) {
    this.#ends();
    this.show(value);
  }

  /** Shows what the build told for `value`, as near as there is. */
  show(value) {
    this.#input.value = String(value);
    const at = String(this.#at);
    for (const state of this.#box.querySelectorAll(".states > [data-at]")) state.hidden = state.dataset.at !== at;
    for (const choice of this.#box.querySelectorAll("[data-go]")) choice.setAttribute("aria-pressed", choice.dataset.go === at);
    this.#box.querySelector("output").textContent = at;
  }

  #click({ target }) {
    const button = target.closest("button");
    if (!button) return;
    if (button.dataset.by) this.#user(this.#at + Number(button.dataset.by));
    else if (button.dataset.go) this.#user(Number(button.dataset.go));
    else if (button.matches(".play")) this.#plays(button);
  }

  #plays(button) {
    if (this.#timer) {
      this.#ends();
      return;
    }
    const [play, stop] = [button.textContent, button.dataset.stop];
    button.textContent = stop;
    button.dataset.stop = play;
    const last = Number(this.#input.max);
    this.show(this.#at < last ? this.#at : Number(this.#input.min));
    this.#timer = setInterval(() => {
      this.show(this.#at + 1);
      if (this.#at >= last) this.#ends();
    }, PLAY_MS);
  }

  #ends() {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = 0;
    const button = this.#box.querySelector(".play");
    const [stop, play] = [button.textContent, button.dataset.stop];
    button.textContent = play;
    button.dataset.stop = stop;
  }

  /** A number in the text is dragged sideways; the range beside it does the same from the keyboard. */
  #holds(knob) {
    let from = null;
    const box = this.#box;
    const moves = ({ clientX }) => this.#user(from.at + Math.round((clientX - from.x) / DRAG_PX));
    const lets = () => {
      from = null;
      box.removeEventListener("pointermove", moves);
    };
    knob.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      from = { x: event.clientX, at: this.#at };
      box.setPointerCapture(event.pointerId);
      box.addEventListener("pointermove", moves);
      box.addEventListener("lostpointercapture", lets, { once: true });
    });
  }
}

/** A question: the first answer chosen shows what is right, and why. */
function asks(box) {
  const buttons = [...box.querySelectorAll(".answers button")];
  const details = box.querySelector("details");
  const ends = (chosen) => {
    for (const button of buttons) {
      const isRight = "right" in button.dataset;
      if (isRight) button.classList.add("right");
      else if (button === chosen) button.classList.add("wrong");
      button.setAttribute("aria-pressed", button === chosen);
    }
    details.open = true;
  };
  for (const button of buttons) button.addEventListener("click", () => ends(button));
}

/** A kernel to complete: the verdict of what is chosen. */
function judges(box) {
  const shows = () => {
    const chosen = [...box.querySelectorAll("input:checked")].map((input) => input.value).join(" ");
    for (const state of box.querySelectorAll("[data-choice]")) state.hidden = state.dataset.choice !== chosen;
  };
  box.addEventListener("change", shows);
  shows();
}

for (const box of document.querySelectorAll(".scene")) new Scene(box);
for (const box of document.querySelectorAll(".ask")) asks(box);
for (const box of document.querySelectorAll(".goal")) judges(box);
