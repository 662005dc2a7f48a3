/** True when the text has a control character: below space, DEL, or U+0080 to U+009F. */
export function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 32 || (code >= 127 && code < 160)) return true;
  }
  return false;
}
