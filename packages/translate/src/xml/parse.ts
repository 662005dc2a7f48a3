/**
 * Reads XML that libvirt wrote into an element tree. Values stay text: numbers and booleans are the
 * codec's business. Entities of a document type are not expanded, so a hostile document cannot grow.
 */
import { isRecord } from '@podvisor/base';
import { XMLParser } from 'fast-xml-parser';
import type { XmlElement } from './tree.ts';

/** The text is not one well-formed XML element. */
export class XmlParseError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'XmlParseError';
  }
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/** The root element. Throws XmlParseError. */
export function parseXml(text: string): XmlElement {
  let nodes: unknown;
  try {
    nodes = parser.parse(text, true);
  } catch (cause) {
    throw new XmlParseError('the document is not well-formed XML', { cause });
  }
  const roots = elementsOf(nodes);
  const root = roots[0];
  if (root === undefined || roots.length !== 1) {
    throw new XmlParseError(`expected one root element, found ${roots.length}`);
  }
  return root;
}

function elementsOf(nodes: unknown): XmlElement[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: unknown) => {
    if (!isRecord(node)) return [];
    const name = Object.keys(node).find((key) => key !== ':@' && key !== '#text' && key !== '#comment');
    if (name === undefined) return [];
    const content = node[name];
    return [
      { name, attributes: attributesOf(node[':@']), children: elementsOf(content), text: textOf(content) },
    ];
  });
}

function attributesOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [name, decodeLeftovers(String(text))]),
  );
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((node: unknown) =>
      isRecord(node) && '#text' in node ? [decodeLeftovers(String(node['#text']))] : [],
    )
    .join('');
}

/** Numeric references, which the parser leaves alone and our own writer uses for line ends and tabs. */
function decodeLeftovers(text: string): string {
  return text.replace(/&#(x[0-9a-fA-F]{1,6}|\d{1,7});/g, (whole, digits: string) => {
    const code = digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number(digits);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
