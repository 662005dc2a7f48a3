/** True when `live` lacks or contradicts something of `wanted`; what only `live` has does not matter. */
import { memberOf } from '@podvisor/base';
export function differs(wanted: unknown, live: unknown): boolean {
  if (wanted === undefined) return false;
  if (Array.isArray(wanted)) {
    const items: readonly unknown[] = Array.isArray(live) ? live : [];
    return items.length !== wanted.length || wanted.some((item, index) => differs(item, items[index]));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    const fields =
      typeof live === 'object' && live !== null ? (live as Readonly<Record<string, unknown>>) : {};
    return Object.entries(wanted).some(([key, value]) => differs(value, memberOf(fields, key)));
  }
  // Kubernetes leaves zero values out of its answers.
  if (live === undefined && (wanted === false || wanted === 0 || wanted === '')) return false;
  return wanted !== live;
}
