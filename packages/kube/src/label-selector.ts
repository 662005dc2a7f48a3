/** Label selectors: matching objects here, and writing them for the wire. */
import { memberOf } from '@podvisor/base';
import type { LabelSelector, SelectorRequirement } from '@podvisor/api';

type Labels = Readonly<Record<string, string>>;

/** True when the labels satisfy the selector. An empty selector matches everything, none (`undefined`) nothing. */
export function matchesLabels(selector: LabelSelector | undefined, labels: Labels | undefined): boolean {
  if (selector === undefined) return false;
  const have = labels ?? {};
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    if (memberOf(have, key) !== value) return false;
  }
  return (selector.matchExpressions ?? []).every((requirement) => matchesRequirement(requirement, have));
}

/** One expression; `Gt` and `Lt` (node affinity) compare integers. An unknown operator matches nothing. */
export function matchesRequirement(requirement: SelectorRequirement, labels: Labels): boolean {
  const value = memberOf(labels, requirement.key);
  const values = requirement.values ?? [];
  switch (requirement.operator) {
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

/** The selector in query form (`a=b,c in (d,e),!f`). */
export function formatLabelSelector(selector: LabelSelector): string {
  const parts = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (operator === 'Exists') parts.push(key);
    else if (operator === 'DoesNotExist') parts.push(`!${key}`);
    else parts.push(`${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`);
  }
  return parts.join(',');
}
