/**
 * Where the groups of Kubernetes stand among each other in discovery, and the versions within each: what `kubectl`
 * takes for a short name that several groups have. Groups in order; the numbers are in the APIServices that clients read.
 */

export interface GroupPriority {
  readonly group: string;
  /** `groupPriorityMinimum`: higher ones stand first. */
  readonly priority: number;
  /** `versionPriority` of versions that have another than GA's 15. */
  readonly versions?: Readonly<Record<string, number>>;
}

export interface Priority {
  readonly group: number;
  readonly version: number;
}

const GA = 15;

const PRIORITIES: readonly GroupPriority[] = [
  { group: '', priority: 18000, versions: { v1: 1 } },
  { group: 'apps', priority: 17800 },
  { group: 'events.k8s.io', priority: 17750 },
  { group: 'authentication.k8s.io', priority: 17700 },
  { group: 'authorization.k8s.io', priority: 17600 },
  { group: 'autoscaling', priority: 17500, versions: { v2: 30 } },
  { group: 'batch', priority: 17400 },
  { group: 'certificates.k8s.io', priority: 17300 },
  { group: 'networking.k8s.io', priority: 17200 },
  { group: 'policy', priority: 17100 },
  { group: 'rbac.authorization.k8s.io', priority: 17000 },
  { group: 'storage.k8s.io', priority: 16800 },
  { group: 'admissionregistration.k8s.io', priority: 16700, versions: { v1beta1: 12, v1alpha1: 9 } },
  { group: 'apiextensions.k8s.io', priority: 16700 },
  { group: 'scheduling.k8s.io', priority: 16600 },
  { group: 'coordination.k8s.io', priority: 16500 },
  { group: 'node.k8s.io', priority: 16300 },
  { group: 'discovery.k8s.io', priority: 16200 },
  { group: 'resource.k8s.io', priority: 16200, versions: { v1: 21, v1beta2: 15, v1beta1: 9 } },
  { group: 'flowcontrol.apiserver.k8s.io', priority: 16100, versions: { v1: 21 } },
];

const byGroup = new Map(PRIORITIES.map((entry) => [entry.group, entry]));

/** What every group of a CustomResourceDefinition has. */
export const CUSTOM_PRIORITY: Priority = { group: 1000, version: 100 };

/** Undefined for groups that are not Kubernetes' own, and for the group of APIServices, which has none itself. */
export function builtinPriority(group: string, version: string): Priority | undefined {
  const entry = byGroup.get(group);
  return entry === undefined
    ? undefined
    : { group: entry.priority, version: entry.versions?.[version] ?? GA };
}
