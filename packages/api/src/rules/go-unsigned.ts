/** Unsigned numbers of KubeVirt's Go types: which of them Go can read, and what it says of the others. */

export type UnsignedType = 'uint32' | 'uint64';

const MOST: Readonly<Record<UnsignedType, number>> = { uint32: 2 ** 32 - 1, uint64: 2 ** 64 };

/** Whether Go reads `value` into a field of this type. */
export function fitsUnsigned(value: number, type: UnsignedType): boolean {
  return value >= 0 && value <= MOST[type];
}

/** The sentence in which Go refuses a number; `field` begins with the name of KubeVirt's type. */
export function unreadableNumber(value: unknown, field: string, type: UnsignedType): string {
  return `json: cannot unmarshal number ${String(value)} into Go struct field ${field} of type ${type}`;
}
