/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/** Makes an element: `make("td", { className: "number" }, "12")`. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
