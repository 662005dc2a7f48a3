/**
 * Which parts of a table nftables takes, when it does not take the whole: one bad Service must not leave all others
 * without rules. Asks about halves, so that a few bad ones among many are found quickly.
 */
export async function acceptable<T>(
  parts: readonly T[],
  accepts: (parts: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  if (parts.length === 0 || (await accepts(parts))) return parts;
  if (parts.length === 1) return [];
  const middle = Math.ceil(parts.length / 2);
  const first = await acceptable(parts.slice(0, middle), accepts);
  // The second half is asked about beside what is taken of the first, so that the two fit together.
  return [...first, ...(await acceptable(parts.slice(middle), (some) => accepts([...first, ...some])))];
}
