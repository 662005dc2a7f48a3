/**
 * Whether a text fits a pattern in which `*` stands for any characters. An expression made of such a pattern would try all
 * ways to divide the text among the stars; here each piece is taken where it fits first, which is as good as any later
 * place. Pure.
 */
export function matchesStars(text: string, pattern: string): boolean {
  const [first = '', ...pieces] = pattern.split('*');
  const last = pieces.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
