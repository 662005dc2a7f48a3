/** The CustomResourceDefinitions: the surface of the registry with the schemas of the types. */
import { schemas } from '../gen/schemas.ts';
import { type KindEntry, kindRegistry } from './registry.ts';
import type { CustomResourceDefinition } from './schema.ts';

/** Every CRD that Podvisor installs, KubeVirt first. */
export const crds: readonly CustomResourceDefinition[] = kindRegistry.map(buildCrd);

/** The CRD of a kind; throws for a kind that is not ours. */
export function crdFor(kind: string): CustomResourceDefinition {
  const crd = crds.find((candidate) => candidate.spec.names.kind === kind);
  if (!crd) throw new Error(`${kind} is not a kind of kubevirt.io`);
  return crd;
}

function buildCrd(entry: KindEntry): CustomResourceDefinition {
  const schema = schemas[entry.kind];
  if (!schema) throw new Error(`${entry.kind} has no schema: run node scripts/generate-crds.ts`);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${entry.plural}.${entry.group}`,
      labels: entry.kind === 'KubeVirt' ? { 'operator.kubevirt.io': '' } : { 'kubevirt.io': '' },
    },
    spec: {
      group: entry.group,
      scope: entry.scope,
      names: {
        kind: entry.kind,
        listKind: `${entry.kind}List`,
        plural: entry.plural,
        singular: entry.kind.toLowerCase(),
        ...(entry.shortNames && { shortNames: entry.shortNames }),
        ...(entry.categories && { categories: entry.categories }),
      },
      conversion: { strategy: 'None' },
      versions: entry.versions.map((version) => ({
        name: version.name,
        served: true,
        storage: version.storage,
        ...(version.deprecated && { deprecated: true }),
        ...(version.deprecationWarning && { deprecationWarning: version.deprecationWarning }),
        schema: { openAPIV3Schema: schema },
        ...(entry.subresources && { subresources: entry.subresources }),
        ...(entry.columns && { additionalPrinterColumns: entry.columns }),
      })),
    },
  };
}
