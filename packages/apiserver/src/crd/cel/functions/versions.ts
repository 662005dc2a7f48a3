/** Versions: `semver("1.2.3-rc.1")`; with `true` behind it, what people leave out is filled in (`v1.2`). */
import type { Environment } from '@marcbachmann/cel-js';
import { declaring } from './declare.ts';

class Version {
  readonly numbers: readonly bigint[];
  readonly before: readonly string[];
  constructor(numbers: readonly bigint[], before: readonly string[]) {
    this.numbers = numbers;
    this.before = before;
  }
}

const NUMBER = '(0|[1-9]\\d*)';
const PART = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${PART}(?:\\.${PART})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** Without a leading v, with three numbers that do not begin with zeros. */
function normalized(text: string): string {
  const [numbers = '', ...rest] = text.replace(/^v/, '').split(/(?=[-+])/);
  const parts = numbers.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + rest.join('');
}

function parse(text: string): Version | undefined {
  const found = VERSION.exec(text);
  if (found === null) return undefined;
  return new Version(
    found.slice(1, 4).map((part) => BigInt(part)),
    found[4]?.split('.') ?? [],
  );
}

function need(text: string): Version {
  const found = parse(text);
  if (found === undefined)
    throw new Error(`semver parse error during conversion from string: ${JSON.stringify(text)}`);
  return found;
}

/** Numbers come before words; a version with something before it comes before the one without. */
function compareParts(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) return 1;
    if (left === right) continue;
    const [isLeftNumber, isRightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
    if (isLeftNumber && isRightNumber) return BigInt(left) < BigInt(right) ? -1 : 1;
    if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return a.length < b.length ? -1 : 0;
}

function compare(a: Version, b: Version): number {
  for (const [i, left] of a.numbers.entries()) {
    const right = b.numbers[i] ?? 0n;
    if (left !== right) return left < right ? -1 : 1;
  }
  return compareParts(a.before, b.before);
}

export function declareVersions(env: Environment): void {
  const type = 'kubernetes.Semver';
  env.registerType(type, Version);
  env.registerOperator(`${type} == ${type}`, (a: Version, b: Version) => compare(a, b) === 0);
  const f = declaring(env);
  const written = (text: string, normalize: boolean): string => (normalize ? normalized(text) : text);
  f('isSemver(string): bool', (text: string) => parse(text) !== undefined);
  f(
    'isSemver(string, bool): bool',
    (text: string, normalize: boolean) => parse(written(text, normalize)) !== undefined,
  );
  f(`semver(string): ${type}`, need);
  f(`semver(string, bool): ${type}`, (text: string, normalize: boolean) => need(written(text, normalize)));
  for (const [i, name] of ['major', 'minor', 'patch'].entries())
    f(`${type}.${name}(): int`, ({ numbers }: Version) => numbers[i] ?? 0n);
  f(`${type}.isGreaterThan(${type}): bool`, (a: Version, b: Version) => compare(a, b) > 0);
  f(`${type}.isLessThan(${type}): bool`, (a: Version, b: Version) => compare(a, b) < 0);
  f(`${type}.compareTo(${type}): int`, (a: Version, b: Version) => BigInt(compare(a, b)));
}
