/**
 * What a file seems to be that is given as a disk image and hardly is one. Any bytes can be those of a raw disk, so this
 * is a guess, for a warning: a page that says 404 instead of the image, a list of checksums, the archive around it. Pure.
 */

/** How much of a file is looked at. */
export const SEEMS_BYTES = 4096;

const MAGIC: readonly (readonly [what: string, magic: string, offset: number])[] = [
  ['a PDF document', '%PDF-', 0],
  ['a ZIP archive', 'PK\x03\x04', 0],
  ['a program (ELF)', '\x7fELF', 0],
  ['a tar archive', 'ustar', 257],
];

/** Undefined: nothing speaks against a disk. `head`: the first bytes of the file, all of a shorter one. */
export function seemsToBe(head: Uint8Array): string | undefined {
  if (head.length === 0) return 'an empty file';
  const found = MAGIC.find(([, magic, offset]) =>
    Buffer.from(magic, 'latin1').equals(head.subarray(offset, offset + magic.length)),
  );
  if (found !== undefined) return found[0];
  const text = asText(head);
  // A descriptor of VMDK is text, and names itself: whoever takes the upload judges it.
  if (text === undefined || text.startsWith('# Disk DescriptorFile')) return undefined;
  return /^\s*<(?:!doctype html|html)\b/i.test(text) ? 'an HTML page' : 'text';
}

/** Undefined: there are bytes that no text has. A character may be cut off at the end. */
function asText(head: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    return /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
