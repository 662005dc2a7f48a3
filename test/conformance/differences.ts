/** What differs between two JSON values, path by path. */

/** One line for each difference. Keys whose value is undefined count as absent, as in JSON. */
export function differences(expected: unknown, actual: unknown, path = ''): readonly string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return Array.from({ length: Math.max(expected.length, actual.length) }, (_, i) =>
      differences(expected[i], actual[i], `${path}[${i}]`),
    ).flat();
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) =>
      differences(expected[key], actual[key], path === '' ? key : `${path}.${key}`),
    );
  }
  if (Object.is(expected, actual)) return [];
  return [`${path === '' ? '(value)' : path}: expected ${show(expected)}, got ${show(actual)}`];
}

/** The difference between two sets of words. */
export function setDifferences(
  what: string,
  expected: Iterable<string>,
  actual: Iterable<string>,
): readonly string[] {
  const [want, have] = [new Set(expected), new Set(actual)];
  return [
    ...[...want].filter((item) => !have.has(item)).map((item) => `${what}: ${item} is missing`),
    ...[...have].filter((item) => !want.has(item)).map((item) => `${what}: ${item} is too many`),
  ];
}

const LONGEST = 400;
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
