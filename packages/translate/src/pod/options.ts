/** What the launcher Pod depends on besides its VMI. */
import type { ClusterConfig, LocalObjectReference } from '@podvisor/api';
import type { OverheadTable } from './resources/overhead-tables.ts';

/** What is known about a PVC that the VMI names. */
export interface ClaimFacts {
  readonly block: boolean;
  /** Several nodes may mount it at once (ReadWriteMany). */
  readonly shared?: boolean;
  /** Tells VMs apart that share a LUN with persistent reservations. */
  readonly uid?: string;
}

/** Facts about the namespace that change what a Pod must declare. */
export interface NamespaceFacts {
  readonly labels?: Readonly<Record<string, string>>;
  /** A ResourceQuota there counts `limits.cpu`. */
  readonly cpuLimitsQuota?: boolean;
  /** A ResourceQuota there counts `limits.memory`. */
  readonly memoryLimitsQuota?: boolean;
}

/** What a migration target must share with its source. */
export interface MigrationTarget {
  readonly migrationUid: string;
  readonly migrationName: string;
  /** Digests that the source Pod runs, by volume name; the target must not pull anything else. */
  readonly imageIds?: Readonly<Record<string, string>>;
  /** SELinux level of the source Pod, where the cluster matches levels. */
  readonly seLinuxLevel?: string;
}

/** How the images of container disks and of kernel boots come into a launcher Pod. */
export type ContainerDiskForm = 'image-volumes' | 'containers';

/** Options of `renderLauncherPod`. */
export interface LauncherPodOptions {
  readonly launcherImage: string;
  /** The cluster's configuration with its defaults filled in. */
  readonly config: ClusterConfig;
  /** By claim name; a claim that is missing here is an error. */
  readonly claims?: Readonly<Record<string, ClaimFacts>>;
  readonly namespace?: NamespaceFacts;
  /** Ours unless told. */
  readonly overheadTable?: OverheadTable;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  /** PVC that keeps TPM state, NVRAM and dirty bitmaps of the VM. */
  readonly stateClaim?: string;
  /** Resource names that network attachment definitions ask for, by network name. */
  readonly networkResources?: Readonly<Record<string, string>>;
  /** Seccomp profile on the nodes for Pods with passt, which makes a user namespace of its own. Absent: none named. */
  readonly passtSeccompProfile?: string;
  /** The same for virtiofs containers. */
  readonly virtiofsSeccompProfile?: string;
  /**
   * The nodes' RuntimeDefault profile suits launchers, also for post-copy migration (userfaultfd), so Pods name it
   * and satisfy the Pod Security level `restricted`. Otherwise only the cluster's configuration names a profile.
   */
  readonly runtimeDefaultSeccomp?: boolean;
  /**
   * How images of container disks come into the Pod: as its volumes, or held by containers out of which virt-handler
   * shows the disks. Absent: the gate ImageVolume decides.
   */
  readonly containerDisks?: ContainerDiskForm;
  readonly migrationTarget?: MigrationTarget;
  /** Annotations that others add, e.g. for secondary networks; they win. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The Pod cannot be rendered yet, or at all. */
export class LauncherPodError extends Error {
  /** `missing-claim`: try again when the PVC exists. */
  readonly kind: 'missing-claim' | 'invalid';

  constructor(kind: 'missing-claim' | 'invalid', message: string) {
    super(message);
    this.name = 'LauncherPodError';
    this.kind = kind;
  }
}

/** The cluster's pull policy, for containers that run the launcher image. */
export function imagePullPolicy({ config }: LauncherPodOptions): 'Always' | 'IfNotPresent' | 'Never' {
  const policy = config.imagePullPolicy;
  return policy === 'Always' || policy === 'Never' ? policy : 'IfNotPresent';
}
