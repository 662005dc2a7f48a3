/**
 * Fields of a VMI spec whose type in Kubernetes knows a few values only. KubeVirt's definitions of its kinds do not
 * say so, but its webhooks look before anything else: another value is refused in the words of a schema, and no
 * field is blamed.
 */
import type { VMISpec } from '../types/index.ts';

const SELECTOR_OPERATORS = ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const HONOUR = ['Honor', 'Ignore'];
const SCHEMES = ['HTTP', 'HTTPS'];
const REQUIRED_TERMS =
  'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
const PREFERRED_TERMS = 'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.preference';

/** Paths go through lists without an index, as the words do. */
const CLOSED: readonly (readonly [path: string, values: readonly string[]])[] = [
  ...[REQUIRED_TERMS, PREFERRED_TERMS].flatMap((terms) =>
    ['matchExpressions', 'matchFields'].map(
      (list) => [`${terms}.${list}.operator`, SELECTOR_OPERATORS] as const,
    ),
  ),
  ['dnsPolicy', ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']],
  ['domain.firmware.kernelBoot.container.imagePullPolicy', PULL_POLICIES],
  ['livenessProbe.httpGet.scheme', SCHEMES],
  ['readinessProbe.httpGet.scheme', SCHEMES],
  ['tolerations.effect', ['NoExecute', 'NoSchedule', 'PreferNoSchedule']],
  ['tolerations.operator', ['Equal', 'Exists']],
  ['topologySpreadConstraints.nodeAffinityPolicy', HONOUR],
  ['topologySpreadConstraints.nodeTaintsPolicy', HONOUR],
  ['topologySpreadConstraints.whenUnsatisfiable', ['DoNotSchedule', 'ScheduleAnyway']],
  ['volumes.containerDisk.imagePullPolicy', PULL_POLICIES],
];

/** One sentence for each value that Kubernetes does not know. `path` is where the spec stands. */
export function closedValueProblems(spec: VMISpec | undefined, path: string): readonly string[] {
  return CLOSED.flatMap(([field, values]) =>
    valuesAt(spec, field.split('.'))
      .filter((value) => !values.some((known) => known === value))
      .map(() => `${path}.${field} in body should be one of [${values.join(' ')}]`),
  );
}

function valuesAt(value: unknown, keys: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, keys));
  const [key, ...rest] = keys;
  if (key === undefined) return value === undefined || value === null ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return valuesAt((value as Readonly<Record<string, unknown>>)[key], rest);
}
