/** The type of a built-in kind by its apiVersion, also of kinds that are only sent and never stored. */
import { library } from './library.ts';
import { resourceTable } from './resources.ts';
import type { StructSchema } from './schema.ts';

const UNSTORED: Readonly<Record<string, string>> = {
  'v1 Status': 'Status',
  'autoscaling/v1 Scale': 'Scale',
  'policy/v1 Eviction': 'Eviction',
  'authentication.k8s.io/v1 TokenRequest': 'AuthenticationV1TokenRequest',
};

let types: ReadonlyMap<string, string> | undefined;

/** Undefined for custom resources and unknown kinds. */
export function builtinType(apiVersion: string, kind: string): StructSchema | undefined {
  types ??= new Map([
    ...Object.entries(UNSTORED),
    ...resourceTable().flatMap(({ group, version, resources }) =>
      resources.map((row): [string, string] => [
        `${group === '' ? version : `${group}/${version}`} ${row.kind}`,
        row.type,
      ]),
    ),
  ]);
  const name = types.get(`${apiVersion} ${kind}`);
  return name === undefined ? undefined : library.struct(name);
}
