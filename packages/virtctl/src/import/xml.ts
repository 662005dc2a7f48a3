/** Looking into XML of other systems: names without their namespaces, depth and breadth bounded by the document's size. */
import { parseXml, type XmlElement } from '@podvisor/translate';
import { ImportError, MAX_DESCRIPTION_BYTES } from './machine.ts';

export function readXml(text: string, what: string): XmlElement {
  if (text.length > MAX_DESCRIPTION_BYTES)
    throw new ImportError(`${what} is larger than any description of a machine`);
  try {
    return parseXml(text);
  } catch (error) {
    throw new ImportError(`${what} is not readable XML`, { cause: error });
  }
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

export function nameOf(element: XmlElement): string {
  return local(element.name);
}

export function children(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return (element?.children ?? []).filter((child) => local(child.name) === name);
}

export function child(element: XmlElement | undefined, ...names: readonly string[]): XmlElement | undefined {
  return names.reduce<XmlElement | undefined>((found, name) => children(found, name)[0], element);
}

/** An attribute, whatever its namespace. */
export function attribute(element: XmlElement | undefined, name: string): string | undefined {
  return Object.entries(element?.attributes ?? {}).find(([key]) => local(key) === name)?.[1];
}

/** Text of a child. */
export function text(element: XmlElement | undefined, name: string): string {
  return (child(element, name)?.text ?? '').trim();
}

/** All elements of a name, at any depth. */
export function* descendants(element: XmlElement, name: string): Generator<XmlElement> {
  const open = [element];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (local(next.name) === name) yield next;
    open.push(...next.children.toReversed());
  }
}
