/** An XML element as plain data: what the writer prints and the parser returns. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Text directly inside this element; empty when there is none. */
  readonly text: string;
  /** Printed behind the opening tag, for people; the parser drops comments. */
  readonly comment?: string;
}

/** The direct children with the given name, in document order. */
export function childrenNamed(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}
