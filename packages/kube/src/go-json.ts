/**
 * JSON as Kubernetes itself writes it. It compares the value of a JSON patch's `test` with what is stored as text, and
 * Go's encoder escapes these characters: `a > b` sent as it is would never be equal to the stored `a \u003e b`.
 */
const ESCAPED = /[<>&\u2028\u2029]/g;

export function goJson(value: unknown): string {
  // Outside of strings JSON has none of them.
  return JSON.stringify(value).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
