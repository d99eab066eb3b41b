// The two views of the page; the address says which is shown.

import { byId } from "./dom.js";

const views = ["converter", "explorer"];
const titles = { converter: "Converter", explorer: "Index explorer" };

const loaded = (async () => {
  // Loaded here and not by a static import, so that a browser that can't run it shows a message.
  await import("simdtext");
  const [converter, explorer] = await Promise.all([
    import("./converter/view.js"),
    import("./explorer/view.js"),
  ]);
  return { converter: converter.start(), explorer: explorer.start() };
})();

/** A part of the address, decoded; unchanged if it is not valid. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function route() {
  const [, name, ...rest] = location.hash.split("/");
  const view = views.includes(name) ? name : "converter";
  for (const each of views) {
    byId(each).hidden = each !== view;
    const link = document.querySelector(`nav a[data-view="${each}"]`);
    if (each === view) {
      link.setAttribute("aria-current", "page");
    } else {
      link.removeAttribute("aria-current");
    }
  }
  document.title = `${titles[view]} · simdtext`;
  const handlers = await loaded;
  handlers[view].show(rest.map(decoded));
}

document.querySelector(".skip").addEventListener("click", (event) => {
  // Its address would be mistaken for that of a view.
  event.preventDefault();
  byId("main").focus();
});
window.addEventListener("hashchange", route);

try {
  await Promise.all([route(), loaded]);
  document.documentElement.dataset.ready = "";
} catch (error) {
  const failed = byId("failed");
  failed.hidden = false;
  failed.textContent = `The converter could not start: ${error.message}. It needs a browser with WebAssembly.`;
  throw error;
}
