// Draws one part of the API reference with Swagger UI, in the colours that the system asks for.

const place = document.getElementById("swagger-ui");
const dark = matchMedia("(prefers-color-scheme: dark)");

function colour() {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}

// The page has a title and a <main> of its own: of Swagger UI's layout only what is inside them is drawn.
function ourParts({ React: { createElement: element } }) {
  function Inside({ specSelectors, getComponent }) {
    if (specSelectors.loadingStatus() === "failed") {
      return element("div", { className: "swagger-ui" }, element(getComponent("errors", true)));
    }
    if (!specSelectors.specStr()) return element("p", { className: "help" }, "Loading the operations …");
    return element("div", { className: "swagger-ui" },
      element(getComponent("SvgAssets")),
      element(getComponent("AuthorizeBtnContainer", true)),
      element(getComponent("operations", true)));
  }
  // The path of an operation stands inside a button, where no link may be.
  const Path = () => ({ text }) => element("span", null, text);
  return { components: { Inside }, wrapComponents: { DeepLink: Path } };
}

// Names for the controls that Swagger UI leaves without one, and the keyboard's way into what scrolls.
function name(control) {
  const row = control.closest("[data-property-name], [data-param-name], [data-code]");
  const { propertyName, paramName, code } = row?.dataset ?? {};
  return propertyName ?? paramName ?? (code ? `Example of answer ${code}` : "Value");
}

function complete() {
  for (const each of place.querySelectorAll(":is(select, textarea, input):not([aria-label])")) {
    if (!each.labels?.length) each.setAttribute("aria-label", name(each));
  }
  for (const each of place.querySelectorAll("pre:not([tabindex])")) each.tabIndex = 0;
}

dark.addEventListener("change", colour);
colour();
new MutationObserver(complete).observe(place, { childList: true, subtree: true });
window.SwaggerUIBundle({
  url: new URL(place.dataset.url, location.href).href,
  dom_id: "#swagger-ui",
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [ourParts],
  layout: "Inside",
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  deepLinking: true,
  requestInterceptor(request) {
    const ours = new URL(request.url, location.href).origin === location.origin;
    if (ours && !["GET", "HEAD"].includes(request.method ?? "GET")) request.headers["X-CSRFToken"] = place.dataset.csrf;
    return request;
  },
});
