/**
 * Members of objects whose keys come from outside. Kubernetes lets `constructor`, `__proto__` or `toString` be
 * keys like any other (of labels, ConfigMaps, custom resources); in JavaScript a plain read finds what every object
 * inherits, and a plain write of `__proto__` changes the object's prototype. Whoever reads or writes by a key that
 * was not written in our own source uses these two.
 */

/** The object's own member; undefined when it only inherits one, or there is no object. */
export function memberOf<T>(object: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Gives the object a member of its own, whatever its name. */
export function setMember<T>(object: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
