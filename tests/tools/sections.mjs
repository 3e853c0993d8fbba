// What a module consists of: bytes by section, and bytes of code by the crate, and the module of it, they come from.

const SECTIONS = [
  'custom', 'types', 'imports', 'functions', 'table', 'memory', 'globals', 'exports', 'start', 'elements', 'code', 'data',
  'data count', 'tags',
];

class Cursor {
  at = 8;

  constructor(bytes) {
    this.bytes = bytes;
  }

  byte() {
    return this.bytes[this.at++];
  }

  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  text() {
    const length = this.number();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at).toString();
  }
}

function* sectionsOf(bytes) {
  const cursor = new Cursor(bytes);
  while (cursor.at < bytes.length) {
    const start = cursor.at;
    const id = cursor.byte();
    const size = cursor.number();
    const body = cursor.at;
    const name = id === 0 ? cursor.text() : SECTIONS[id];
    yield { id, name, body: id === 0 ? cursor.at : body, bytes: body + size - start };
    cursor.at = body + size;
  }
}

/** Bytes by section, the largest first. */
export function sectionSizes(bytes) {
  return [...sectionsOf(bytes)]
    .map(({ name, bytes: size }) => ({ name, bytes: size }))
    .sort((a, b) => b.bytes - a.bytes);
}

/** Functions with their names, of a module that has a name section. */
export function functionSizes(bytes) {
  const cursor = new Cursor(bytes);
  const sections = [...sectionsOf(bytes)];
  const at = (wanted) => {
    const found = sections.find(({ id, name }) => (id === 0 ? name === wanted : SECTIONS[id] === wanted));
    if (found !== undefined) cursor.at = found.body;
    return found;
  };
  const names = new Map();
  const section = at('name');
  for (const end = section && section.body + section.bytes; section && cursor.at < end;) {
    const kind = cursor.byte();
    const size = cursor.number();
    const next = cursor.at + size;
    // Names of functions; what follows may reach behind the section, whose own head was counted too.
    if (kind === 1) {
      for (let left = cursor.number(); left > 0; left--) names.set(cursor.number(), cursor.text());
      break;
    }
    cursor.at = next;
  }
  at('code');
  const count = cursor.number();
  const sizes = [];
  for (let index = 0; index < count; index++) {
    const start = cursor.at;
    const size = cursor.number();
    cursor.at += size;
    sizes.push(cursor.at - start);
  }
  // Imports come before them in the count of names.
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter(({ kind }) => kind === 'function');
  return sizes.map((size, index) => ({ name: names.get(index + imports.length) ?? 'without name', bytes: size }));
}

/** The crate of a function by its name, and for our own code its module: `parquill::codec`. */
export function groupOf(name) {
  const path = name.replace(/\[[0-9a-f]+\]/g, '').replace(/^[<&*( ]+/, '');
  const [crate, module] = path.split('::');
  if (/^parquill$/.test(crate) && module !== undefined) return `parquill::${module}`;
  if (/^(__wbg|__wbindgen|__externref|wasm_bindgen|wasmwriter|js_sys|F64)/.test(crate)) return 'wasm-bindgen';
  return path.includes('::') ? crate : 'others';
}

/** Code by group, the largest first. */
export function groupSizes(functions) {
  const groups = new Map();
  for (const { name, bytes } of functions) {
    const group = groupOf(name);
    groups.set(group, (groups.get(group) ?? 0) + bytes);
  }
  return [...groups].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes);
}
