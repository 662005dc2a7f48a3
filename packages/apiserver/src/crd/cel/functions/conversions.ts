/** Conversions of CEL's standard library that the CEL library lacks. */
import type { Environment } from '@marcbachmann/cel-js';
import { declaring } from './declare.ts';
import { patternFor } from './texts.ts';

const TIMESTAMP = 'google.protobuf.Timestamp';
const DURATION = 'google.protobuf.Duration';

export function declareConversions(env: Environment): void {
  const f = declaring(env);
  const same = (value: unknown): unknown => value;
  f(`timestamp(${TIMESTAMP}): ${TIMESTAMP}`, same);
  f(`duration(${DURATION}): ${DURATION}`, same);
  f(`string(${TIMESTAMP}): string`, (time: Date) => time.toISOString().replace('.000Z', 'Z'));
  f(`string(${DURATION}): string`, (duration: object) => String(duration));
  f(`int(${TIMESTAMP}): int`, (time: Date) => BigInt(Math.floor(time.getTime() / 1000)));
  f('int(uint): int', (value: object) => BigInt(String(value)));
  f('matches(string, string): bool', (text: string, pattern: string) => patternFor(text, pattern).test(text));
}
