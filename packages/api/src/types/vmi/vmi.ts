import type { AccessCredential } from './access-credential.ts';
import type { DomainSpec } from './domain.ts';
import type {
  Affinity,
  ExecAction,
  HTTPGetAction,
  PodDNSConfig,
  PodResourceClaim,
  TCPSocketAction,
  Toleration,
  TopologySpreadConstraint,
} from '../kubernetes/kubernetes.ts';
import type { EmptyObject, Int32, Int64, KubernetesObject } from '../kubernetes/meta.ts';
import type { Network } from './network.ts';
import type { VMIStatus } from './vmi-status.ts';
import type { UtilityVolume, Volume } from './volume.ts';

/** A running guest, or one that is about to run: one instance, one launcher Pod, one QEMU process. */
export interface VirtualMachineInstance extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstance';
  /** What runs. Fixed at creation, apart from what can be plugged. */
  readonly spec: VMISpec;
  /** What is known of the guest; written by Podvisor. */
  readonly status?: VMIStatus;
}

/** What a guest is made of and where it may run. */
export interface VMISpec {
  /**
   * SSH keys and passwords that are brought into the guest.
   * @maxItems 256
   * @listType atomic
   */
  readonly accessCredentials?: readonly AccessCredential[];
  /** Which nodes and neighbours the launcher Pod wants or avoids. */
  readonly affinity?: Affinity;
  /** CPU architecture: amd64, arm64 or s390x; the cluster's default when empty. */
  readonly architecture?: string;
  /** DNS servers, search domains and options, added to what dnsPolicy gives. */
  readonly dnsConfig?: PodDNSConfig;
  /** How DNS is set up: ClusterFirst (default), ClusterFirstWithHostNet, Default or None. */
  readonly dnsPolicy?: string;
  /** The machine itself: CPU, memory, devices, firmware. */
  readonly domain: DomainSpec;
  /** What happens when the node is drained: None, LiveMigrate, LiveMigrateIfPossible, External or HibernateIfNotMigratable (Podvisor's own). */
  readonly evictionStrategy?: string;
  /** Hostname of the guest; the name of the instance when empty. */
  readonly hostname?: string;
  /** When this probe fails, the guest is stopped. */
  readonly livenessProbe?: Probe;
  /**
   * Networks that the interfaces are attached to, by name.
   * @maxItems 256
   */
  readonly networks?: readonly Network[];
  /** Labels that the node must have. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Priority class of the launcher Pod. */
  readonly priorityClassName?: string;
  /** While this probe fails, the guest is not ready and Services leave it out. */
  readonly readinessProbe?: Probe;
  /**
   * Resource claims that devices and networks take their hardware from.
   * @listMapKeys ["name"]
   * @listType map
   */
  readonly resourceClaims?: readonly PodResourceClaim[];
  /** Scheduler that places the launcher Pod. */
  readonly schedulerName?: string;
  /** Service account of the launcher Pod. */
  readonly serviceAccountName?: string;
  /** Paused starts the guest frozen, to be resumed by hand. */
  readonly startStrategy?: string;
  /** With hostname, makes the guest's full DNS name. */
  readonly subdomain?: string;
  /** Seconds that the guest may take to shut down before it is powered off; 30 when unset. */
  readonly terminationGracePeriodSeconds?: Int64;
  /** Taints that the launcher Pod puts up with. */
  readonly tolerations?: readonly Toleration[];
  /**
   * How instances are spread over zones, nodes or other domains.
   * @listMapKeys ["topologyKey","whenUnsatisfiable"]
   * @listType map
   */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  /**
   * Claims that the launcher uses for the guest (dumps, backups); attached while it runs.
   * @maxItems 256
   * @listMapKeys ["name"]
   * @listType map
   */
  readonly utilityVolumes?: readonly UtilityVolume[];
  /**
   * Where the data of disks and filesystems comes from, by name.
   * @maxItems 256
   */
  readonly volumes?: readonly Volume[];
}

/** Asks the guest at intervals whether it is well; exactly one handler is set. */
export interface Probe {
  /** Runs a command in the guest through the guest agent; exit code 0 is success. */
  readonly exec?: ExecAction;
  /** Failures in a row that count as failed; 3 when unset. */
  readonly failureThreshold?: Int32;
  /** Pings the guest agent. */
  readonly guestAgentPing?: EmptyObject;
  /** Asks for a page over HTTP. */
  readonly httpGet?: HTTPGetAction;
  /** Seconds to wait after the start. */
  readonly initialDelaySeconds?: Int32;
  /** Seconds between two probes; 10 when unset. */
  readonly periodSeconds?: Int32;
  /** Successes in a row that count as well again; 1 when unset. */
  readonly successThreshold?: Int32;
  /** Opens a TCP connection. */
  readonly tcpSocket?: TCPSocketAction;
  /** Seconds after which a probe has failed; 1 when unset. */
  readonly timeoutSeconds?: Int32;
}
