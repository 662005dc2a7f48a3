/**
 * What makes a launcher Pod a migration target: it keeps away from the node of its source, and goes only to nodes
 * whose CPU can go on where the source's stops. Pure.
 */
import { labels, nodeLabelPrefixes, type Pod, type VirtualMachineInstance } from '@podvisor/api';

type Labels = Readonly<Record<string, string>>;

/** The source of a migration, as far as it decides where the target may run. */
export interface MigrationSource {
  /** Labels of the node that the guest leaves. */
  readonly nodeLabels: Labels;
  /** Node selector of the Pod that the guest leaves. */
  readonly podNodeSelector: Labels;
}

/** Labels of a VMI that speak of where it runs now, not of the new Pod. */
const ABOUT_THE_SOURCE: readonly string[] = [
  labels.nodeName,
  labels.migrationTargetNodeName,
  labels.outdatedLauncherImage,
];

/**
 * The rendered launcher Pod as a target. `added` is the migration's own selector: it narrows, what the Pod asks
 * for stays.
 */
export function fitMigrationTarget(
  pod: Pod,
  vmi: VirtualMachineInstance,
  source: MigrationSource,
  added: Labels = {},
): Pod {
  const anti = pod.spec.affinity?.podAntiAffinity;
  const ownTerms = anti?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const awayFromSource = {
    labelSelector: { matchLabels: { [labels.createdBy]: vmi.metadata?.uid ?? '' } },
    topologyKey: 'kubernetes.io/hostname',
  };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: Object.fromEntries(
        Object.entries(pod.metadata.labels ?? {}).filter(([key]) => !ABOUT_THE_SOURCE.includes(key)),
      ),
    },
    spec: {
      ...pod.spec,
      nodeSelector: { ...added, ...pod.spec.nodeSelector, ...cpuSelector(vmi, source) },
      affinity: {
        ...pod.spec.affinity,
        podAntiAffinity: {
          ...anti,
          requiredDuringSchedulingIgnoredDuringExecution: [...ownTerms, awayFromSource],
        },
      },
    },
  };
}

/** True when the guest's CPU is that of the node it was started on. */
export function hasHostModelCpu({ spec }: VirtualMachineInstance): boolean {
  const model = spec.domain.cpu?.model;
  return !model || model === 'host-model';
}

/**
 * A guest with the host's CPU model keeps the model of its first node for life. After its first move, the Pod that
 * it leaves names that model; the node that it leaves may have another one.
 */
export function cpuSelector(vmi: VirtualMachineInstance, source: MigrationSource): Labels {
  if (!hasHostModelCpu(vmi)) return {};
  const inherited = Object.entries(source.podNodeSelector).filter(
    ([key]) =>
      key.startsWith(nodeLabelPrefixes.cpuModelMigration) ||
      key.startsWith(nodeLabelPrefixes.cpuFeature) ||
      key.startsWith(nodeLabelPrefixes.cpuVendor),
  );
  if (inherited.some(([key]) => key.startsWith(nodeLabelPrefixes.cpuModelMigration)))
    return Object.fromEntries(inherited);
  return Object.fromEntries(
    Object.entries(source.nodeLabels).flatMap(([key, value]) => {
      const after = (prefix: string): string | undefined =>
        key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
      const model = after(nodeLabelPrefixes.hostModelCPU);
      const feature = after(nodeLabelPrefixes.hostModelRequiredFeatures);
      if (model !== undefined) return [[`${nodeLabelPrefixes.cpuModelMigration}${model}`, value]];
      if (feature !== undefined) return [[`${nodeLabelPrefixes.cpuFeature}${feature}`, value]];
      return key.startsWith(nodeLabelPrefixes.cpuVendor) ? [[key, value]] : [];
    }),
  );
}

/** SELinux level of the Pod that the guest leaves: `user:role:type:level`; undefined without SELinux. */
export function seLinuxLevelOf(context: string | undefined): string | undefined {
  const [, , , ...level] = (context ?? '').split(':');
  return level.length === 0 ? undefined : level.join(':');
}
