/** Kubernetes label selectors. */
import { memberOf } from '@podvisor/base';
import type { LabelSelector, SelectorRequirement } from './types/index.ts';

/** Whether labels satisfy a selector. An empty selector matches everything, a missing one nothing. */
export function matchesSelector(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  if (!selector) return false;
  const present = labels ?? {};
  const all = Object.entries(selector.matchLabels ?? {}).every(
    ([key, value]) => memberOf(present, key) === value,
  );
  return (
    all && (selector.matchExpressions ?? []).every((requirement) => matchesRequirement(requirement, present))
  );
}

/** One expression; `Gt` and `Lt` (node affinity) compare integers. An unknown operator matches nothing. */
export function matchesRequirement(
  { key, operator, values = [] }: SelectorRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = memberOf(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isInteger(value) && isInteger(values[0]) && BigInt(value) > BigInt(values[0]);
    case 'Lt':
      return isInteger(value) && isInteger(values[0]) && BigInt(value) < BigInt(values[0]);
    default:
      return false;
  }
}

function isInteger(text: string | undefined): text is string {
  return text !== undefined && /^[+-]?\d+$/.test(text);
}
