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

/** Plain data with every text in it plain. */
export function plainTexts<T>(data: T): T {
  const text = JSON.stringify(data, (_, value: unknown) =>
    typeof value === 'string' ? plainLines(value) : value,
  );
  return JSON.parse(text) as T;
}
