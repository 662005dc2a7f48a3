/** Fields that count something: what is less than nothing cannot be read. */

/** The sentence in which Go says it; `field` begins with the name of KubeVirt's type. */
export function negative(value: unknown, field: string, type: 'uint32' | 'uint64'): string {
  return `json: cannot unmarshal number ${String(value)} into Go struct field ${field} of type ${type}`;
}
