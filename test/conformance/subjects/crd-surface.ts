/** Recorded surface of the kinds: names, categories, columns, subresources, versions. */
import { type CustomResourceDefinition, crds } from '@podvisor/api';
import { differences } from '../differences.ts';
import { subject } from '../subject.ts';

interface Surface {
  /** Name of the CRD. */
  readonly name: string;
  readonly conversion?: unknown;
}

/** Columns that we add; they are shown with `-o wide` only. */
const ADDED: ReadonlySet<string> = new Set(['PauseMilliseconds']);

export const crdSurface = subject<string, unknown, CustomResourceDefinition | undefined>(
  'surface of the kinds',
  /^crd-surface\.json$/,
  {
    load: (text) => {
      const list: readonly Surface[] = JSON.parse(text);
      return list.map(({ conversion: _conversion, ...surface }) => ({
        id: surface.name,
        input: surface.name,
        expected: surface,
      }));
    },
    answer: (name) => crds.find(({ metadata }) => metadata.name === name),
    compare: (expected, crd, name) =>
      crd === undefined ? [`there is no CRD ${name}`] : differences(expected, surfaceOf(crd)),
  },
);

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
      printerColumns: version.additionalPrinterColumns?.filter(({ name }) => !ADDED.has(name)) ?? null,
    })),
  };
}
