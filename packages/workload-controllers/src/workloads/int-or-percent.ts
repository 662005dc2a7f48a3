/** Counts that may be given as a share of the whole. Pure. */
import type { IntOrString } from '@podvisor/api';

/** `3` or `"25%"` of `total`. */
export function countOf(value: IntOrString | undefined, total: number, round: 'up' | 'down'): number {
  if (value === undefined) return 0;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value) : null;
  if (percent === null) return Number(value) || 0;
  const share = (Number(percent[1]) * total) / 100;
  return round === 'up' ? Math.ceil(share) : Math.floor(share);
}
