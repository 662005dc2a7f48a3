/**
 * Prints an element tree. Deterministic: two spaces of indentation, attributes in the order given, empty
 * elements closed in place, so that golden files and diffs stay readable.
 */
import type { XmlElement } from './tree.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Characters that XML 1.0 cannot carry in any form: libvirt refuses the whole document for one of them. */
// oxlint-disable-next-line no-control-regex -- naming these characters is the point
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** A value holds a character that no XML document can carry. */
export class XmlCharacterError extends Error {
  constructor(where: string) {
    super(`${where} holds a control character, which XML cannot carry`);
    this.name = 'XmlCharacterError';
  }
}

/** The document text of an element, ending in a newline. Throws XmlCharacterError. */
export function writeXml(element: XmlElement): string {
  const lines: string[] = [];
  writeElement(element, '', lines);
  return `${lines.join('\n')}\n`;
}

function writeElement(element: XmlElement, indent: string, lines: string[]): void {
  const attributes = Object.entries(element.attributes)
    .map(([name, value]) => ` ${name}='${escapeAttribute(value, `${element.name}/@${name}`)}'`)
    .join('');
  const open = `${indent}<${element.name}${attributes}`;
  const comment = element.comment === undefined ? '' : `  <!-- ${commentText(element.comment)} -->`;
  if (element.children.length === 0) {
    const text = escapeText(element.text, element.name);
    lines.push(`${open}${text === '' ? '/>' : `>${text}</${element.name}>`}${comment}`);
    return;
  }
  lines.push(`${open}>${escapeText(element.text, element.name)}${comment}`);
  for (const child of element.children) writeElement(child, `${indent}  `, lines);
  lines.push(`${indent}</${element.name}>`);
}

/** Two dashes would end a comment. */
function commentText(text: string): string {
  return escapeText(text, 'a comment').replaceAll('--', '- -');
}

function escapeText(text: string, where: string): string {
  if (FORBIDDEN.test(text)) throw new XmlCharacterError(where);
  return text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);
}

function escapeAttribute(text: string, where: string): string {
  if (FORBIDDEN.test(text)) throw new XmlCharacterError(where);
  return text
    .replace(/[&<>"\n\r\t]/g, (character) => ESCAPES[character] ?? character)
    .replaceAll("'", '&apos;');
}
