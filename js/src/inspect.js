// What `util.inspect` and `console.log` show of an object in Node: its attributes. They are getters of the
// prototype, so Node would not show them by itself.

const custom = Symbol.for("nodejs.util.inspect.custom");

const SHOWN = {
  TextDecoder: ["encoding", "fatal", "ignoreBOM"],
  TextEncoder: ["encoding"],
  TextDecoderStream: ["encoding", "fatal", "ignoreBOM"],
  TextEncoderStream: ["encoding"],
  Decoder: ["encoding", "errors", "malformed"],
  Encoder: ["encoding", "errors", "unmappable"],
  OffsetMap: ["encoding", "text"],
};

/** Adds to the classes of an API the method that Node looks for, and returns the API. */
export function showWhenInspected(api) {
  for (const [name, attributes] of Object.entries(SHOWN)) {
    const value = function (depth, options, inspect) {
      let shown;
      try {
        shown = Object.fromEntries(attributes.map((attribute) => [attribute, this[attribute]]));
      } catch {
        // This is the prototype, or an object that inherits from it without being an instance.
        return this;
      }
      const own = this.constructor?.name || name;
      return depth < 0
        ? options.stylize(`[${own}]`, "special")
        : `${own} ${inspect(shown, { ...options, depth })}`;
    };
    Object.defineProperty(api[name].prototype, custom, {
      value,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
  return api;
}
