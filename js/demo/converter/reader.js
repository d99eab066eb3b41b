// The page's side of the worker.

import workerUrl from "./worker.js?worker&url";

/** Starts the worker. `tell` receives its messages about the file that was opened last.
/**
/** The worker is started from a blob, because such a worker has the page's Content-Security-Policy, while one
 * that is loaded from the server has only the policy that the server sends with it.
 */
export function startReader(tell) {
  const address = new URL(workerUrl, import.meta.url).href;
  const source = new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(source), { type: "module", name: "reader" });
  const waiting = [];
  let ready = false;
  let id = 0;

  // A message that arrives before the worker has loaded would be lost.
  const ask = (message) => (ready ? worker.postMessage(message) : waiting.push(message));

  worker.addEventListener("message", ({ data }) => {
    if (data.tell === "ready") {
      ready = true;
      waiting.splice(0).forEach(ask);
    } else if (data.id === id) {
      tell(data);
    }
  });
  worker.addEventListener("error", (event) => {
    const message = event.message || "the worker that reads files could not start";
    tell({ tell: "problem", id, during: "open", message });
  });

  return {
    open: (blob, encoding) => ask({ ask: "open", id: ++id, blob, encoding }),
    page: (number) => ask({ ask: "page", id, number }),
    save: (handle, target) => ask({ ask: "save", id, handle, ...target }),
    cancel: () => ask({ ask: "cancel", id }),
  };
}
