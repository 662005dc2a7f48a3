/**
 * Text of others on a terminal: names that tenants chose, what they wrote into annotations and events, what a launcher
 * that was taken over logs. Control characters would move the cursor, change the title or worse. Pure.
 */

/** In one line. */
export function plainText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

/** With its lines. */
export function plainLines(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, ' ');
}

const OWN_COLOUR = /\u001b\[(?:0|1|2|22|3[0-79]|9[0-7])m|[^\P{Cc}\n]/gu;

/** With its lines and the colours that we give them. Who names a colour in a text of his own colours it, no more. */
export function colouredLines(text: string): string {
  return text.replaceAll(OWN_COLOUR, (found) => (found.length > 1 ? found : ' '));
}

/** Indented JSON. What it escapes by itself is not all that terminals obey. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\u009f]/g,
    (found) => `\\u00${found.charCodeAt(0).toString(16)}`,
  );
}

/** Plain data with every text in it plain. */
export function plainTexts<T>(data: T): T {
  const text = JSON.stringify(data, (_, value: unknown) =>
    typeof value === 'string' ? plainLines(value) : value,
  );
  return JSON.parse(text) as T;
}
