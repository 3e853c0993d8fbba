/** Objects that hold other values: plain objects and maps of any realm, read without what they inherit. */

export const prototypeOf = Object.getPrototypeOf as (value: object) => object | null;
export const commonPrototype = Object.prototype;
const mapKeys = Map.prototype.keys;
const mapValues = Map.prototype.values;

/** An object that is nothing but its own properties. */
export function isPlain(value: object): boolean {
  const prototype = prototypeOf(value);
  return prototype === commonPrototype || prototype === null || prototypeOf(prototype) === null;
}

/** Whether plain objects of this realm have something else under a name that is not theirs. */
export function isInherited(name: string): boolean {
  return name in commonPrototype;
}

export function isMap(value: object): value is Map<unknown, unknown> {
  if (!(value instanceof Map) && Object.prototype.toString.call(value) !== '[object Map]') return false;
  try {
    mapKeys.call(value as Map<unknown, unknown>);
    return true;
  } catch {
    return false;
  }
}

export const keysOf = (map: Map<unknown, unknown>): Iterable<unknown> => mapKeys.call(map);
export const valuesOf = (map: Map<unknown, unknown>): Iterable<unknown> => mapValues.call(map);
