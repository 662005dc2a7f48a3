/**
 * Quantities in their canonical text: `2.5` CPUs become `2500m`, `1024Mi` becomes `1Gi`, the number 2 becomes
 * `"2"`. Clients compare stored objects as text, and Kubernetes writes quantities so wherever it writes them.
 */
import { isQuantitySchema } from '../crds/quantity-schema.ts';
import { isQuantity, parseQuantity } from '@podvisor/base';
import type { JSONSchemaProps } from '../crds/schema.ts';
import { draftOf } from '../draft.ts';
import { schemas } from '../gen/schemas.ts';
import type { VirtualMachine } from '../types/index.ts';

/** Makes the quantities of a draft canonical. The draft is the spec of an object of that kind. */
export function canonicalizeSpec(spec: object, kind: 'VirtualMachine' | 'VirtualMachineInstance'): void {
  canonicalize(spec, schemas[kind]?.properties?.spec ?? {});
}

/** The VM with canonical quantities, as a server that has read it writes it. */
export function withCanonicalQuantities(vm: VirtualMachine): VirtualMachine {
  const draft = draftOf(vm);
  canonicalizeSpec(draft.spec ?? {}, 'VirtualMachine');
  return draft;
}

function canonicalize(value: unknown, schema: JSONSchemaProps): void {
  if (Array.isArray(value)) {
    for (const item of value) canonicalize(item, schema.items ?? {});
    return;
  }
  if (!isRecord(value)) return;
  for (const [key, part] of Object.entries(value)) {
    const own = schema.properties?.[key] ?? schema.additionalProperties ?? {};
    if (isQuantitySchema(own) && (typeof part === 'string' || typeof part === 'number') && isQuantity(part))
      value[key] = parseQuantity(part).toString();
    else canonicalize(part, own);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
