// An order that is dragged, with a mouse, a pen or a finger: items of a list or a grid change places under the pointer.

/** Less than so many pixels is a click. */
const MOVED = 6;
/** So near to an edge of the window, and so fast, the page is scrolled. */
const EDGE = 70;
const STEP = 14;

const at = (item) => [...item.parentElement.children].indexOf(item);

/**
 * Have the items of `list` dragged by any part of them with a mouse, by what matches `grip` with a finger, which else
 * scrolls. `moved(item)` is called once the item lies in its place; Escape puts it back.
 */
export function dragged(list, grip, moved) {
  let held = null;

  const put = (item, place) => {
    const others = [...list.children].filter((each) => each !== item);
    list.insertBefore(item, others[place] ?? null);
  };
  const over = (commit) => {
    if (!held) return;
    const { item, from, lifted, id } = held;
    held = null;
    item.classList.remove("held");
    if (!lifted) return;
    if (list.hasPointerCapture(id)) list.releasePointerCapture(id);
    if (!commit) put(item, from);
    else if (at(item) !== from) moved(item);
  };
  list.addEventListener("pointerdown", (event) => {
    const item = [...list.children].find((each) => each.contains(event.target));
    const taken = event.pointerType === "mouse" ? !event.target.closest("button:not([data-grip]), input, a") : event.target.closest(grip);
    if (!item || !taken || event.button || list.inert) return;
    held = { item, from: at(item), lifted: false, id: event.pointerId, x: event.clientX, y: event.clientY };
  });
  list.addEventListener("pointermove", (event) => {
    if (held?.id !== event.pointerId) return;
    const { item, x, y } = held;
    if (!held.lifted) {
      if (Math.hypot(event.clientX - x, event.clientY - y) < MOVED) return;
      held.lifted = true;
      // Captured no sooner: a click would be one of the list.
      list.setPointerCapture(event.pointerId);
      item.classList.add("held");
    }
    if (event.clientY < EDGE) scrollBy(0, -STEP);
    else if (event.clientY > innerHeight - EDGE) scrollBy(0, STEP);
    const other = [...list.children].find((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return each !== item && event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    });
    if (other) put(item, at(other));
  });
  list.addEventListener("pointerup", () => { over(true); });
  list.addEventListener("pointercancel", () => { over(false); });
  addEventListener("keydown", (event) => { if (event.key === "Escape") over(false); });
}
