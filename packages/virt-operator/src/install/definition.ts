/** CustomResourceDefinitions of kinds that others defined. Pure. */
import type { Manifest } from './manifest.ts';

export type Schema = Readonly<Record<string, unknown>>;

export interface Definition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  /** Fields beside apiVersion, kind and metadata. */
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly hasStatus?: boolean;
  /** Name, type, JSON path; further fields of a printer column. */
  readonly columns?: readonly (readonly [name: string, type: string, jsonPath: string])[];
  readonly annotations?: Readonly<Record<string, string>>;
}

export function definitionOf(definition: Definition): Manifest {
  const { group, version, kind, plural, shortNames, categories, scope, annotations } = definition;
  const columns = (definition.columns ?? []).map(([name, type, jsonPath]) => ({ name, type, jsonPath }));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      group,
      scope,
      names: {
        plural,
        singular: kind.toLowerCase(),
        kind,
        listKind: `${kind}List`,
        ...(shortNames === undefined ? {} : { shortNames }),
        ...(categories === undefined ? {} : { categories }),
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...(definition.hasStatus === true ? { subresources: { status: {} } } : {}),
          ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns }),
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                ...definition.properties,
              },
              ...(definition.required === undefined ? {} : { required: definition.required }),
            },
          },
        },
      ],
    },
  };
}

export const text = (description?: string): Schema => ({
  type: 'string',
  ...(description === undefined ? {} : { description }),
});
export const object = (
  properties: Readonly<Record<string, Schema>>,
  required?: readonly string[],
): Schema => ({
  type: 'object',
  properties,
  ...(required === undefined ? {} : { required }),
});
export const time: Schema = { type: 'string', format: 'date-time' };
export const quantity: Schema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};
export const texts: Schema = { type: 'object', additionalProperties: { type: 'string' } };
/** Any object; its fields are kept as they are. */
export const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
