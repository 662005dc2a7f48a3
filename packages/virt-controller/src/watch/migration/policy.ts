/** Which MigrationPolicy applies to a VMI, and the settings that follow from it and the cluster's. Pure. */
import { memberOf } from '@podvisor/base';
import type {
  MigrationConfiguration,
  MigrationDefaults,
  MigrationPolicy,
  VirtualMachineInstance,
} from '@podvisor/api';

type Labels = Readonly<Record<string, string>>;

interface Match {
  readonly policy: MigrationPolicy;
  readonly vmiLabels: number;
  readonly allLabels: number;
}

/**
 * The policy whose selectors all match. Of several, the one with most labels; of equals, the one with most labels of
 * the VMI; of equals, the first by name.
 */
export function policyFor(
  vmi: VirtualMachineInstance,
  namespaceLabels: Labels,
  policies: readonly MigrationPolicy[],
): MigrationPolicy | undefined {
  const matches = policies.flatMap((policy): readonly Match[] => {
    const ofVmi = policy.spec.selectors?.virtualMachineInstanceSelector ?? {};
    const ofNamespace = policy.spec.selectors?.namespaceSelector ?? {};
    const applies = holds(ofVmi, vmi.metadata?.labels ?? {}) && holds(ofNamespace, namespaceLabels);
    if (!applies || policy.spec.selectors === undefined) return [];
    const vmiLabels = Object.keys(ofVmi).length;
    return [{ policy, vmiLabels, allLabels: vmiLabels + Object.keys(ofNamespace).length }];
  });
  const name = ({ policy }: Match): string => policy.metadata?.name ?? '';
  return matches.toSorted(
    (a, b) => b.allLabels - a.allLabels || b.vmiLabels - a.vmiLabels || (name(a) < name(b) ? -1 : 1),
  )[0]?.policy;
}

/** The cluster's settings with those of the policy over them: what a migration is started with, for good. */
export function frozenConfiguration(
  cluster: MigrationDefaults,
  policy: MigrationPolicy | undefined,
): MigrationConfiguration {
  if (policy === undefined) return cluster;
  const {
    allowAutoConverge = cluster.allowAutoConverge,
    allowPostCopy = cluster.allowPostCopy,
    // Who allows post-copy allows its disturbance, unless told otherwise in the same place.
    allowWorkloadDisruption = policy.spec.allowPostCopy ?? cluster.allowWorkloadDisruption,
    bandwidthPerMigration = cluster.bandwidthPerMigration,
    completionTimeoutPerGiB = cluster.completionTimeoutPerGiB,
    maxDowntimeMs = cluster.maxDowntimeMs,
    experimental,
  } = policy.spec;
  return {
    ...cluster,
    allowAutoConverge,
    allowPostCopy,
    allowWorkloadDisruption,
    bandwidthPerMigration,
    completionTimeoutPerGiB,
    maxDowntimeMs,
    ...(experimental === undefined ? {} : { experimental }),
  };
}

function holds(selector: Labels, labels: Labels): boolean {
  return Object.entries(selector).every(([key, value]) => memberOf(labels, key) === value);
}
