// One file to the API, with true progress: an XMLHttpRequest, because fetch does not tell how much was sent.

/**
 * POST `file` and `options` (a Map of text) to the API with the session's cookie and `headers`.
 * `onProgress(loaded, total)` gets bytes while they leave, `onSent()` is called when all of them have.
 * Resolves with `{status, body, header(name)}`; status 0 means that no answer came, `aborted` that it was not wanted.
 */
export function send(url, file, options, headers, { onProgress, onSent, signal }) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    for (const [name, value] of options) form.append(name, value);
    form.append("file", file);
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) onProgress(event.loaded, event.total);
    });
    request.upload.addEventListener("load", onSent);
    const finish = (aborted) => {
      let body = null;
      try { body = JSON.parse(request.responseText); } catch { /* not ours: a proxy's page, or nothing at all */ }
      resolve({ status: request.status, body, aborted, header: (name) => request.getResponseHeader(name) });
    };
    request.addEventListener("load", () => finish(false));
    request.addEventListener("error", () => finish(false));
    request.addEventListener("abort", () => finish(true));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
