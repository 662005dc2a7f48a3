/** Recorded surface of the kinds: names, categories, columns, subresources, versions. */
import { type CustomResourceDefinition, crds } from '@podvisor/api';
import { differences } from '../differences.ts';
import { subject } from '../subject.ts';

interface SurfaceRecord {
  /** Name of the CRD. */
  readonly id: string;
  readonly surface: unknown;
}

export const crdSurface = subject<SurfaceRecord>('surface of the kinds', /^crd-surface\.json$/, {
  load: (text) => {
    const list: readonly { readonly name: string; readonly conversion?: unknown }[] = JSON.parse(text);
    return list.map(({ conversion: _conversion, ...surface }) => ({ id: surface.name, surface }));
  },
  check: ({ id, surface }) => {
    const crd = crds.find(({ metadata }) => metadata.name === id);
    return crd === undefined ? [`there is no CRD ${id}`] : differences(surface, surfaceOf(crd));
  },
});

function surfaceOf({ metadata, spec }: CustomResourceDefinition): unknown {
  return {
    name: metadata.name,
    group: spec.group,
    kind: spec.names.kind,
    plural: spec.names.plural,
    singular: spec.names.singular,
    shortNames: spec.names.shortNames ?? null,
    categories: spec.names.categories ?? null,
    scope: spec.scope,
    versions: spec.versions.map((version) => ({
      name: version.name,
      served: version.served,
      storage: version.storage,
      deprecated: version.deprecated ?? null,
      subresources: version.subresources ?? null,
      printerColumns: version.additionalPrinterColumns ?? null,
    })),
  };
}
