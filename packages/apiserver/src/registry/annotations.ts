/** How much an object may carry in annotations: keys and values together, in bytes. */
export const MAX_ANNOTATIONS = 256 * 1024;

export function areTooLarge(annotations: Readonly<Record<string, string>>): boolean {
  const bytes = Object.entries(annotations)
    .flat()
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return bytes > MAX_ANNOTATIONS;
}
