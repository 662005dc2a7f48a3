/** Characters off the ends of a text, in time that grows with its length: `/[…]+$/` begins anew at each of them. Pure. */

/** `text` without those of `characters` that it ends with. */
export function stripEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** `text` without those of `characters` that it begins or ends with. */
export function strip(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return stripEnd(text.slice(start), characters);
}
