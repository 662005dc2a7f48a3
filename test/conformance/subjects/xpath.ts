/**
 * The subset of XPath that recorded facts use: `/a/b[2]/@c` and `/a/b[2]`. An index counts siblings of one name from
 * 1; without an index the first is meant. An element's value is its own text.
 */
import type { XmlElement } from '../../../packages/translate/src/xml/tree.ts';

/** A path and the value recorded there. */
export type Fact = readonly [path: string, value: string];

/** The value at a path; undefined when there is no such element or attribute. */
export function valueAt(root: XmlElement, path: string): string | undefined {
  const [first, ...steps] = path.split('/').slice(1);
  if (first !== root.name) return undefined;
  let element: XmlElement = root;
  for (const step of steps) {
    if (step.startsWith('@')) return element.attributes[step.slice(1)];
    const match = /^([^[]+)(?:\[(\d+)\])?$/.exec(step);
    if (match === null) throw new Error(`step "${step}" of ${path} is not in the subset`);
    const next = element.children.filter((child) => child.name === match[1])[Number(match[2] ?? '1') - 1];
    if (next === undefined) return undefined;
    element = next;
  }
  return element.text;
}

/** Facts that do not hold, each as one line. */
export function factDifferences(root: XmlElement, facts: readonly Fact[]): readonly string[] {
  return facts.flatMap(([path, expected]) => {
    const actual = valueAt(root, path);
    return actual === expected
      ? []
      : [`${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
  });
}
