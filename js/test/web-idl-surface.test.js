// What Web IDL requires of the four interfaces: constructors, prototypes, attributes and operations.

import assert from "node:assert/strict";
import { inspect } from "node:util";
import { onEach } from "./engines.js";
import { assertError, thrown } from "./tools.js";

const INTERFACES = {
  TextDecoder: { getters: ["encoding", "fatal", "ignoreBOM"], methods: { decode: 0 } },
  TextEncoder: { getters: ["encoding"], methods: { encode: 0, encodeInto: 2 } },
  TextDecoderStream: {
    getters: ["encoding", "fatal", "ignoreBOM", "readable", "writable"],
    methods: {},
  },
  TextEncoderStream: { getters: ["encoding", "readable", "writable"], methods: {} },
};

const entries = Object.entries(INTERFACES);

onEach("interface objects have the name, length and prototype of Web IDL", (api) => {
  for (const [name] of entries) {
    const Interface = api[name];
    assert.equal(typeof Interface, "function", name);
    assert.deepEqual(
      Object.getOwnPropertyDescriptor(Interface, "name"),
      { value: name, writable: false, enumerable: false, configurable: true },
      name,
    );
    assert.deepEqual(
      Object.getOwnPropertyDescriptor(Interface, "length"),
      { value: 0, writable: false, enumerable: false, configurable: true },
      name,
    );
    const prototype = Object.getOwnPropertyDescriptor(Interface, "prototype");
    assert.equal(prototype.writable, false, name);
    assert.equal(prototype.enumerable, false, name);
    assert.equal(prototype.configurable, false, name);
    assert.deepEqual(Reflect.ownKeys(Interface).sort(), ["length", "name", "prototype"], name);
    assert.equal(Object.getPrototypeOf(Interface), Function.prototype, name);
  }
});

onEach("prototypes have what the interface has, and nothing else", (api) => {
  for (const [name, { getters, methods }] of entries) {
    const { prototype } = api[name];
    assert.equal(Object.getPrototypeOf(prototype), Object.prototype, name);
    assert.deepEqual(
      Reflect.ownKeys(prototype)
        .filter((key) => typeof key === "string")
        .sort(),
      ["constructor", ...getters, ...Object.keys(methods)].sort(),
      name,
    );
    // The one for util.inspect exists only in Node; ../browser/engine.js checks that browsers have none.
    const symbols = Object.getOwnPropertySymbols(prototype);
    assert.deepEqual(symbols, [Symbol.toStringTag, inspect.custom], name);
    assert.equal(Object.getOwnPropertyDescriptor(prototype, inspect.custom).enumerable, false, name);
    assert.deepEqual(
      Object.getOwnPropertyDescriptor(prototype, "constructor"),
      { value: api[name], writable: true, enumerable: false, configurable: true },
      name,
    );
    assert.deepEqual(
      Object.getOwnPropertyDescriptor(prototype, Symbol.toStringTag),
      { value: name, writable: false, enumerable: false, configurable: true },
      name,
    );
  }
});

onEach("attributes are enumerable accessors without a setter", (api) => {
  for (const [name, { getters }] of entries) {
    for (const key of getters) {
      const about = `${name}.prototype.${key}`;
      const descriptor = Object.getOwnPropertyDescriptor(api[name].prototype, key);
      assert.equal(descriptor.enumerable, true, about);
      assert.equal(descriptor.configurable, true, about);
      assert.equal(descriptor.set, undefined, about);
      assert.equal(descriptor.get.name, `get ${key}`, about);
      assert.equal(descriptor.get.length, 0, about);
      assert.equal(Object.hasOwn(descriptor.get, "prototype"), false, about);
      assert.throws(() => new descriptor.get(), TypeError, about);
    }
  }
});

onEach("operations are enumerable functions and no constructors", (api) => {
  for (const [name, { methods }] of entries) {
    for (const [key, length] of Object.entries(methods)) {
      const about = `${name}.prototype.${key}`;
      const descriptor = Object.getOwnPropertyDescriptor(api[name].prototype, key);
      assert.equal(descriptor.enumerable, true, about);
      assert.equal(descriptor.configurable, true, about);
      assert.equal(descriptor.writable, true, about);
      assert.equal(descriptor.value.name, key, about);
      assert.equal(descriptor.value.length, length, about);
      assert.equal(Object.hasOwn(descriptor.value, "prototype"), false, about);
      assert.throws(() => new descriptor.value(), TypeError, about);
    }
  }
});

onEach("constructors are called with new", (api) => {
  for (const [name] of entries) {
    thrown(() => api[name](), TypeError, name);
    thrown(() => api[name].call(new api[name]()), TypeError, name);
    thrown(() => Reflect.apply(api[name], undefined, []), TypeError, name);
  }
});

onEach("instances have no properties of their own and name their interface", (api) => {
  for (const [name] of entries) {
    const instance = new api[name]();
    assert.deepEqual(Reflect.ownKeys(instance), [], name);
    assert.equal(Object.prototype.toString.call(instance), `[object ${name}]`);
    assert.equal(Object.getPrototypeOf(instance), api[name].prototype, name);
    assert.equal(instance.encoding, "utf-8", name);
    assert.equal(Object.isExtensible(instance), true, name);
  }
});

onEach("attributes can't be set", (api) => {
  for (const [name, { getters }] of entries) {
    const instance = new api[name]();
    for (const key of getters) {
      const before = instance[key];
      assert.throws(
        () => {
          instance[key] = "other";
        },
        TypeError,
        `${name}.${key}`,
      );
      assert.equal(instance[key], before, `${name}.${key}`);
    }
  }
});

/** Values that are not an instance of the interface, however similar they look. */
function strangers(api, name) {
  const instance = new api[name]();
  const others = entries.filter(([other]) => other !== name).map(([other]) => new api[other]());
  return [
    undefined,
    null,
    0,
    "",
    Symbol("this"),
    {},
    [],
    () => {},
    globalThis,
    api[name].prototype,
    Object.create(instance),
    Object.create(api[name].prototype),
    new Proxy(instance, {}),
    Object.setPrototypeOf({}, api[name].prototype),
    ...others,
  ];
}

onEach("attributes and operations on a wrong this throw", (api) => {
  for (const [name, { getters, methods }] of entries) {
    const { prototype } = api[name];
    for (const [index, stranger] of strangers(api, name).entries()) {
      for (const key of getters) {
        const { get } = Object.getOwnPropertyDescriptor(prototype, key);
        thrown(() => get.call(stranger), TypeError, `${name}.${key} on stranger ${index}`);
      }
      for (const key of Object.keys(methods)) {
        thrown(() => prototype[key].call(stranger), TypeError, `${name}.${key} on stranger ${index}`);
      }
    }
  }
});

onEach("a wrong this throws before any argument is looked at", (api) => {
  const untouched = {
    toString() {
      assert.fail("the argument was converted");
    },
    get stream() {
      return assert.fail("the argument was read");
    },
  };
  thrown(() => api.TextDecoder.prototype.decode.call({}, untouched, untouched), TypeError);
  thrown(() => api.TextEncoder.prototype.encode.call({}, untouched), TypeError);
  thrown(() => api.TextEncoder.prototype.encodeInto.call({}, untouched, untouched), TypeError);
});

onEach("a wrong this says what was expected", (api) => {
  const { message } = thrown(() => api.TextDecoder.prototype.decode.call({}), TypeError);
  assert.match(message, /TextDecoder|[Ii]llegal invocation/);
});

onEach("instances of the other copy of the class are instances where they were made", (api) => {
  // A class that extends ours is one of ours; its instances work with inherited methods.
  class Sub extends api.TextDecoder {
    decode(...input) {
      return `<${super.decode(...input)}>`;
    }
  }
  const sub = new Sub("shift_jis", { fatal: true });
  assert.ok(sub instanceof api.TextDecoder);
  assert.equal(Object.getPrototypeOf(sub), Sub.prototype);
  assert.equal(sub.encoding, "shift_jis");
  assert.equal(sub.decode(Uint8Array.of(0x93, 0xfa)), "<日>");
  assert.equal(api.TextDecoder.prototype.decode.call(sub, Uint8Array.of(0x41)), "A");
  class SubStream extends api.TextDecoderStream {}
  assert.equal(new SubStream("gbk").encoding, "gbk");
  class SubEncoder extends api.TextEncoder {}
  assert.deepEqual(new SubEncoder().encode("é"), Uint8Array.of(0xc3, 0xa9));
  const made = Reflect.construct(api.TextDecoder, ["koi8-r"], Object);
  assert.equal(Object.getPrototypeOf(made), Object.prototype);
  const { get } = Object.getOwnPropertyDescriptor(api.TextDecoder.prototype, "encoding");
  assert.equal(get.call(made), "koi8-r");
});

onEach("a subclass's error passes through unchanged", (api) => {
  const reason = new Error("of the caller");
  const label = {
    toString() {
      throw reason;
    },
  };
  for (const call of [
    () => new api.TextDecoder(label),
    () => new api.TextDecoderStream(label),
    () => new api.TextEncoder().encode(label),
    () => new api.TextEncoder().encodeInto(label, new Uint8Array(1)),
  ]) {
    assert.throws(call, (error) => error === reason);
  }
});

onEach("errors are of the realm that the module runs in", (api) => {
  const errors = [
    [() => new api.TextDecoder("nonsense"), RangeError],
    [() => new api.TextDecoderStream("nonsense"), RangeError],
    [() => new api.TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.of(0xff)), TypeError],
    [() => new api.TextDecoder().decode("text"), TypeError],
    [() => new api.TextEncoder().encodeInto("text", "text"), TypeError],
    [() => api.decode(Uint8Array.of(), "nonsense"), RangeError],
    [() => api.encode("", "nonsense"), RangeError],
    [() => api.encode("☃", "koi8-r"), TypeError],
    [() => api.percentEncodeAfterEncoding("", "nonsense"), RangeError],
    [() => new api.Decoder("nonsense"), RangeError],
  ];
  for (const [call, Type] of errors) {
    const error = thrown(call, Type, String(call));
    assert.ok(error instanceof Type && error instanceof Error);
    assert.match(error.stack, /web-idl-surface\.test\.js/, "the stack leads to the caller");
    assertError(error, Type);
  }
});
