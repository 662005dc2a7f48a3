/**
 * Fields whose type in Kubernetes knows a few values only. KubeVirt's definitions of its kinds do not say so, but its
 * webhooks look before anything else: another value is refused in the words of a schema, and no field is blamed.
 */
import { type Admission, refusal } from './admission.ts';
import { metadataProblems } from './embedded-metadata.ts';
import { valuesAt } from './values-at.ts';

/** Paths go through lists without an index, as the words do. */
type Closed = readonly (readonly [path: string, values: readonly string[]])[];

const SELECTOR_OPERATORS = ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const HONOUR = ['Honor', 'Ignore'];
const SCHEMES = ['HTTP', 'HTTPS'];
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem', 'FromStorageProfile'];
const NODE_TERMS = [
  'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms',
  'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.preference',
];

const PLACEMENT: Closed = [
  ...NODE_TERMS.flatMap((terms) =>
    ['matchExpressions', 'matchFields'].map(
      (list) => [`${terms}.${list}.operator`, SELECTOR_OPERATORS] as const,
    ),
  ),
  ['tolerations.effect', ['NoExecute', 'NoSchedule', 'PreferNoSchedule']],
  ['tolerations.operator', ['Equal', 'Exists']],
];

const DOMAIN: Closed = [['firmware.kernelBoot.container.imagePullPolicy', PULL_POLICIES]];

const VMI_SPEC: Closed = [
  ...PLACEMENT,
  ...below('domain', DOMAIN),
  ['dnsPolicy', ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']],
  ['livenessProbe.httpGet.scheme', SCHEMES],
  ['readinessProbe.httpGet.scheme', SCHEMES],
  ['topologySpreadConstraints.nodeAffinityPolicy', HONOUR],
  ['topologySpreadConstraints.nodeTaintsPolicy', HONOUR],
  ['topologySpreadConstraints.whenUnsatisfiable', ['DoNotSchedule', 'ScheduleAnyway']],
  ['volumes.containerDisk.imagePullPolicy', PULL_POLICIES],
];

const DATA_VOLUME_SPEC: Closed = ['pvc', 'storage'].flatMap(
  (claim): Closed => [
    [`${claim}.accessModes`, ACCESS_MODES],
    [`${claim}.volumeMode`, VOLUME_MODES],
  ],
);

/** Pools are not among them: KubeVirt looks at their templates by its rules alone. */
const CLOSED = {
  KubeVirt: [
    ['spec.imagePullPolicy', PULL_POLICIES],
    ['spec.configuration.imagePullPolicy', PULL_POLICIES],
    ...below('spec.infra.nodePlacement', PLACEMENT),
    ...below('spec.workloads.nodePlacement', PLACEMENT),
  ],
  VirtualMachine: [
    ...below('spec.dataVolumeTemplates.spec', DATA_VOLUME_SPEC),
    ...below('spec.template.spec', VMI_SPEC),
  ],
  VirtualMachineInstance: below('spec', VMI_SPEC),
  VirtualMachineInstancePreset: below('spec.domain', DOMAIN),
  VirtualMachineInstanceReplicaSet: below('spec.template.spec', VMI_SPEC),
} satisfies Readonly<Record<string, Closed>>;

/** Metadata inside specs, which the same look is about. */
const METADATA: Readonly<Partial<Record<ClosedKind, readonly string[]>>> = {
  VirtualMachine: ['spec.dataVolumeTemplates.metadata', 'spec.template.metadata'],
  VirtualMachineInstanceReplicaSet: ['spec.template.metadata'],
};

/** Kinds that have such fields. */
export type ClosedKind = keyof typeof CLOSED;

/** The refusal of an object with values or metadata that Kubernetes does not know; undefined when there are none. */
export function closedValueRefusal(kind: ClosedKind, object: unknown): Admission | undefined {
  const problems = closedValueProblems(kind, object);
  return problems.length === 0 ? undefined : refusal(problems.join(', '), 422);
}

/** One sentence for each value and each field of metadata that Kubernetes does not know. */
export function closedValueProblems(kind: ClosedKind, object: unknown): readonly string[] {
  const values = CLOSED[kind].flatMap(([field, known]) =>
    valuesAt(object, field.split('.'))
      .filter((value) => !known.some((one) => one === value))
      .map(() => `${field} in body should be one of [${known.join(' ')}]`),
  );
  const metadata = (METADATA[kind] ?? []).flatMap((field) =>
    valuesAt(object, field.split('.')).flatMap((value) => metadataProblems(value, field)),
  );
  return [...values, ...metadata];
}

function below(path: string, closed: Closed): Closed {
  return closed.map(([field, values]) => [`${path}.${field}`, values]);
}
