/** Types as cel-go writes them in its messages. Pure. */

/** What the CEL library says of a type. */
export interface CheckedType {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: CheckedType;
  readonly valueType?: CheckedType;
}

export function goType(type: CheckedType | undefined): string {
  if (type === undefined) return 'dyn';
  const inner = goType(type.valueType);
  switch (type.kind) {
    case 'list':
      return `list(${inner})`;
    case 'map':
      return `map(${goType(type.keyType)}, ${inner})`;
    case 'optional':
      return `optional_type(${inner})`;
    case 'param':
      return 'dyn';
    case 'message':
      return /^Object\d+$/.test(type.name) ? 'object' : type.name;
    default:
      return type.name;
  }
}

export const goTypes = (types: readonly (CheckedType | undefined)[]): string => types.map(goType).join(', ');
