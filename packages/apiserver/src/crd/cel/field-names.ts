/** How properties are called in CEL: names that are no identifiers, or words of the language, are written with escapes. */

/** Words that CEL keeps for itself. */
const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const ESCAPABLE = /^[A-Za-z_./-][A-Za-z0-9_./-]*$/;

/**
 * The names by which expressions reach a property; none when its characters have no escape. A reserved word is
 * reached by its escape and, as Kubernetes does since 1.34, by itself.
 */
export function fieldNames(property: string): readonly string[] {
  if (RESERVED.has(property)) return [`__${property}__`, property];
  if (!ESCAPABLE.test(property)) return [];
  return [
    property
      .replaceAll('__', '__underscores__')
      .replaceAll('.', '__dot__')
      .replaceAll('-', '__dash__')
      .replaceAll('/', '__slash__'),
  ];
}
