import type { AccessCredential } from './access-credential.ts';
import type { DomainSpec } from './domain.ts';
import type { Affinity, ExecAction, HTTPGetAction, PodDNSConfig, PodResourceClaim, TCPSocketAction, Toleration, TopologySpreadConstraint } from './kubernetes.ts';
import type { EmptyObject, Int32, Int64, KubernetesObject } from './meta.ts';
import type { Network } from './network.ts';
import type { VMIStatus } from './vmi-status.ts';
import type { UtilityVolume, Volume } from './volume.ts';

/** - */
export interface VirtualMachineInstance extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstance';
  /** - */
  readonly spec: VMISpec;
  /** - */
  readonly status?: VMIStatus;
}

/** - */
export interface VMISpec {
  /**
   * -
   * @maxItems 256
   * @listType atomic
   */
  readonly accessCredentials?: readonly AccessCredential[];
  /** - */
  readonly affinity?: Affinity;
  /** - */
  readonly architecture?: string;
  /** - */
  readonly dnsConfig?: PodDNSConfig;
  /** - */
  readonly dnsPolicy?: string;
  /** - */
  readonly domain: DomainSpec;
  /** - */
  readonly evictionStrategy?: string;
  /** - */
  readonly hostname?: string;
  /** - */
  readonly livenessProbe?: Probe;
  /**
   * -
   * @maxItems 256
   */
  readonly networks?: readonly Network[];
  /** - */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** - */
  readonly priorityClassName?: string;
  /** - */
  readonly readinessProbe?: Probe;
  /**
   * -
   * @listMapKeys ["name"]
   * @listType map
   */
  readonly resourceClaims?: readonly PodResourceClaim[];
  /** - */
  readonly schedulerName?: string;
  /** - */
  readonly serviceAccountName?: string;
  /** - */
  readonly startStrategy?: string;
  /** - */
  readonly subdomain?: string;
  /** - */
  readonly terminationGracePeriodSeconds?: Int64;
  /** - */
  readonly tolerations?: readonly Toleration[];
  /**
   * -
   * @listMapKeys ["topologyKey","whenUnsatisfiable"]
   * @listType map
   */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  /**
   * -
   * @maxItems 256
   * @listMapKeys ["name"]
   * @listType map
   */
  readonly utilityVolumes?: readonly UtilityVolume[];
  /**
   * -
   * @maxItems 256
   */
  readonly volumes?: readonly Volume[];
}

/** - */
export interface Probe {
  /** - */
  readonly exec?: ExecAction;
  /** - */
  readonly failureThreshold?: Int32;
  /** - */
  readonly guestAgentPing?: EmptyObject;
  /** - */
  readonly httpGet?: HTTPGetAction;
  /** - */
  readonly initialDelaySeconds?: Int32;
  /** - */
  readonly periodSeconds?: Int32;
  /** - */
  readonly successThreshold?: Int32;
  /** - */
  readonly tcpSocket?: TCPSocketAction;
  /** - */
  readonly timeoutSeconds?: Int32;
}
