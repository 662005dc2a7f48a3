/**
 * A set of field paths, as managed fields write it: a tree whose steps are `f:name` (a field), `k:{…}` (a
 * list item by its keys) and `v:…` (a list item by its value). A step is a member, has children, or both.
 */
import { setMember } from '@podvisor/base';
import { isObject, type JsonObject } from '../wire/json.ts';

/** An immutable-by-convention tree; operations return new trees, or one of the two when there is nothing to do. */
export class PathSet {
  readonly members: Set<string>;
  readonly children: Map<string, PathSet>;

  constructor(members: Iterable<string> = [], children: Iterable<readonly [string, PathSet]> = []) {
    this.members = new Set(members);
    this.children = new Map(children);
  }

  get empty(): boolean {
    if (this.members.size > 0) return false;
    for (const child of this.children.values()) if (!child.empty) return false;
    return true;
  }

  insert(path: readonly string[]): void {
    const last = path.length - 1;
    const below = path.slice(0, last).reduce<PathSet>((set, step) => set.child(step), this);
    const step = path[last];
    if (step !== undefined) below.members.add(step);
  }

  has(path: readonly string[]): boolean {
    const [step, ...rest] = path;
    if (step === undefined) return false;
    return rest.length === 0 ? this.members.has(step) : (this.children.get(step)?.has(rest) ?? false);
  }

  /** The child set of a step, made when missing. */
  child(step: string): PathSet {
    let found = this.children.get(step);
    if (found === undefined) {
      found = new PathSet();
      this.children.set(step, found);
    }
    return found;
  }

  /** Has no step at all: a set without members may have steps. */
  get #isBare(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  union(other: PathSet): PathSet {
    if (other.#isBare) return this;
    if (this.#isBare) return other;
    const out = new PathSet([...this.members, ...other.members], this.children);
    for (const [step, child] of other.children) {
      const mine = out.children.get(step);
      out.children.set(step, mine === undefined ? child : mine.union(child));
    }
    return out;
  }

  intersection(other: PathSet): PathSet {
    const out = new PathSet([...this.members].filter((step) => other.members.has(step)));
    for (const [step, child] of this.children) {
      const theirs = other.children.get(step);
      const common = theirs === undefined ? undefined : child.intersection(theirs);
      if (common !== undefined && !common.empty) out.children.set(step, common);
    }
    return out;
  }

  difference(other: PathSet): PathSet {
    if (other.#isBare) return this;
    const out = new PathSet([...this.members].filter((step) => !other.members.has(step)));
    for (const [step, child] of this.children) {
      const theirs = other.children.get(step);
      const rest = theirs === undefined ? child : child.difference(theirs);
      if (!rest.empty) out.children.set(step, rest);
    }
    return out;
  }

  /** Without the paths of `other` and everything below them. */
  recursiveDifference(other: PathSet): PathSet {
    if (other.#isBare) return this;
    const out = new PathSet([...this.members].filter((step) => !other.members.has(step)));
    for (const [step, child] of this.children) {
      if (other.members.has(step)) continue;
      const theirs = other.children.get(step);
      const rest = theirs === undefined ? child : child.recursiveDifference(theirs);
      if (!rest.empty) out.children.set(step, rest);
    }
    return out;
  }

  equals(other: PathSet): boolean {
    return this.difference(other).empty && other.difference(this).empty;
  }

  /** All member paths, in order. */
  *paths(prefix: readonly string[] = []): Generator<readonly string[]> {
    const steps = [...new Set([...this.members, ...this.children.keys()])].toSorted();
    for (const step of steps) {
      const here = [...prefix, step];
      if (this.members.has(step)) yield here;
      const child = this.children.get(step);
      if (child !== undefined) yield* child.paths(here);
    }
  }
}

/** The `fieldsV1` form. */
export function toFieldsV1(set: PathSet): JsonObject {
  const out: JsonObject = {};
  const steps = [...new Set([...set.members, ...set.children.keys()])].toSorted();
  for (const step of steps) {
    const child = set.children.get(step);
    if (child === undefined || child.empty) {
      if (set.members.has(step)) setMember(out, step, {});
      continue;
    }
    const below = toFieldsV1(child);
    setMember(out, step, set.members.has(step) ? { '.': {}, ...below } : below);
  }
  return out;
}

/** Reads the `fieldsV1` form. Throws on steps that are not known. */
export function fromFieldsV1(fields: JsonObject): PathSet {
  const set = new PathSet();
  for (const [step, value] of Object.entries(fields)) {
    if (step === '.') continue;
    if (!/^[fkvi]:/.test(step)) throw new Error(`missing colon: invalid path element "${step}"`);
    const below = isObject(value) ? value : {};
    const keys = Object.keys(below);
    if (keys.length === 0 || keys.includes('.')) set.members.add(step);
    if (keys.some((key) => key !== '.')) set.children.set(step, fromFieldsV1(below));
  }
  return set;
}

/** A path as messages write it: `.spec.ports[port=80,protocol="TCP"].name`. */
export function pathText(path: readonly string[]): string {
  return path
    .map((step) => {
      if (step.startsWith('f:')) return `.${step.slice(2)}`;
      if (step.startsWith('v:')) return `[=${step.slice(2)}]`;
      if (step.startsWith('i:')) return `[${step.slice(2)}]`;
      const keys = JSON.parse(step.slice(2)) as JsonObject;
      return `[${Object.entries(keys)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`;
    })
    .join('');
}
