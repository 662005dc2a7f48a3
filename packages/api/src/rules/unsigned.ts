/** Fields that count something: what Go's unsigned types cannot hold cannot be read. */

export type UnsignedType = 'uint32' | 'uint64';

/** Above it a number is refused. 2⁶⁴ − 1 is no JavaScript number: the next one that is. */
const MOST: Readonly<Record<UnsignedType, number>> = { uint32: 2 ** 32 - 1, uint64: 2 ** 64 };

export function fitsUnsigned(value: number, type: UnsignedType): boolean {
  return value >= 0 && value <= MOST[type];
}

/** The sentence in which Go says it; `field` begins with the name of KubeVirt's type. */
export function notUnsigned(value: unknown, field: string, type: UnsignedType): string {
  return `json: cannot unmarshal number ${String(value)} into Go struct field ${field} of type ${type}`;
}
