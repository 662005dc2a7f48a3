/** True when `live` lacks or contradicts something of `wanted`; what only `live` has does not matter. */
export function differs(wanted: unknown, live: unknown): boolean {
  if (wanted === undefined) return false;
  if (Array.isArray(wanted)) {
    if (!Array.isArray(live) || live.length !== wanted.length) return wanted.length > 0 || live !== undefined;
    return wanted.some((item, index) => differs(item, live[index]));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof live !== 'object' || live === null) return Object.keys(wanted).length > 0;
    const fields = live as Readonly<Record<string, unknown>>;
    return Object.entries(wanted).some(([key, value]) => differs(value, fields[key]));
  }
  return wanted !== live;
}
