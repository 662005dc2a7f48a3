/** Plain words that YAML 1.1, and so Kubernetes, does not read as text. */
import type { Json } from './json.ts';

const TRUE = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON']);
const FALSE = new Set(['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF']);

/** A plain (unquoted) scalar in YAML 1.1 that js-yaml's 1.2 schema reads as text. */
export function yaml11Scalar(text: string): Json | undefined {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  return undefined;
}
