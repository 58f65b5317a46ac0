// The button that has the browser ask for a passkey: <form data-passkey="create|get" data-options="JSON">.

const decode = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));

const encode = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** The options as the browser takes them: what JSON has as base64url is bytes. */
function opened({ challenge, user, excludeCredentials, allowCredentials, ...rest }) {
  const named = (list) => list?.map((each) => ({ ...each, id: decode(each.id) }));
  return {
    ...rest,
    challenge: decode(challenge),
    ...(user && { user: { ...user, id: decode(user.id) } }),
    excludeCredentials: named(excludeCredentials) ?? [],
    allowCredentials: named(allowCredentials) ?? [],
  };
}

/** What the browser answers, as JSON that has bytes as base64url. */
function told({ rawId, type, response }) {
  const given = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) given[name] = encode(response[name]);
  }
  return JSON.stringify({ id: encode(rawId), rawId: encode(rawId), type, response: given, clientExtensionResults: {} });
}

const form = document.querySelector("form[data-passkey]");
const say = (name) => {
  for (const each of form.querySelectorAll("[data-said]")) each.hidden = each.dataset.said !== name;
};

form.addEventListener("submit", async (event) => {
  if (form.elements.answer.value) return;
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  say("");
  try {
    const options = { publicKey: opened(JSON.parse(form.dataset.options).publicKey) };
    form.elements.answer.value = told(await navigator.credentials[form.dataset.passkey](options));
    form.requestSubmit();
  } catch (error) {
    say(error.name === "InvalidStateError" ? "known" : "stopped");
    button.disabled = false;
  }
});

if (window.PublicKeyCredential) say("");
else {
  form.querySelector("button").disabled = true;
  say("missing");
}
