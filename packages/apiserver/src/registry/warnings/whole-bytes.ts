/** Amounts that are counted in whole bytes. */
import { isQuantity, parseQuantity } from '@podvisor/base';
import { at, type Json } from '../../wire/json.ts';

/** `names`: the amounts of the map that are looked at. */
export function fractionWarnings(
  amounts: Json | undefined,
  path: string,
  names: readonly string[] = ['memory', 'ephemeral-storage'],
): string[] {
  return names.flatMap((name) => {
    const value = at(amounts, name);
    if ((typeof value !== 'string' && typeof value !== 'number') || !isQuantity(value)) return [];
    const amount = parseQuantity(value);
    return amount.nano % 1_000_000_000n === 0n
      ? []
      : [`${path}[${name}]: fractional byte value "${amount.toString()}" is invalid, must be an integer`];
  });
}
