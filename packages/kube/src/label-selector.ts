/** Label selectors for the wire. Whether labels match one is asked of `matchesSelector` in @podvisor/api. */
import type { LabelSelector } from '@podvisor/api';

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
