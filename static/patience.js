// A request that has to wait for its turn: asked again when the service says, for as long as somebody wants the answer.

/** More often than this nothing is asked for, and longer than so many seconds nobody looks at a panel that is empty. */
const TRIES = 5;
const LONGEST = 60;

function pause(seconds, signal) {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, 1000 * seconds);
    signal.addEventListener("abort", over);
  });
}

/** Fetch `url`; the answer is a 429 where the turn does not come in time. When `signal` aborts, it throws like any fetch. */
export async function inTurn(url, { signal, ...request }) {
  for (let left = TRIES; ; left -= 1) {
    const answer = await fetch(url, { ...request, signal });
    const wait = Number(answer.headers.get("Retry-After")) || 1;
    if (answer.status !== 429 || left === 1 || wait > LONGEST) return answer;
    await pause(wait, signal);
  }
}
