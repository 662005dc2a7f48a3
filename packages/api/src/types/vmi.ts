import type { DomainSpec } from './domain.ts';
import type { Affinity, ExecAction, HTTPGetAction, PodDNSConfig, PodResourceClaim, TCPSocketAction, Toleration, TopologySpreadConstraint } from './kubernetes.ts';
import type { EmptyObject, Int32, Int64, KubernetesObject } from './meta.ts';
import type { Network } from './network.ts';
import type { UtilityVolume, Volume } from './storage.ts';
import type { VMIStatus } from './vmi-status.ts';

/** - */
export interface VirtualMachineInstance extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineInstance';
  /**
   * -
   */
  readonly spec: VMISpec;
  /**
   * -
   */
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
  /**
   * -
   */
  readonly affinity?: Affinity;
  /**
   * -
   */
  readonly architecture?: string;
  /**
   * -
   */
  readonly dnsConfig?: PodDNSConfig;
  /**
   * -
   */
  readonly dnsPolicy?: string;
  /**
   * -
   */
  readonly domain: DomainSpec;
  /**
   * -
   */
  readonly evictionStrategy?: string;
  /**
   * -
   */
  readonly hostname?: string;
  /**
   * -
   */
  readonly livenessProbe?: Probe;
  /**
   * -
   * @maxItems 256
   */
  readonly networks?: readonly Network[];
  /**
   * -
   */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /**
   * -
   */
  readonly priorityClassName?: string;
  /**
   * -
   */
  readonly readinessProbe?: Probe;
  /**
   * -
   * @listMapKeys ["name"]
   * @listType map
   */
  readonly resourceClaims?: readonly PodResourceClaim[];
  /**
   * -
   */
  readonly schedulerName?: string;
  /**
   * -
   */
  readonly serviceAccountName?: string;
  /**
   * -
   */
  readonly startStrategy?: string;
  /**
   * -
   */
  readonly subdomain?: string;
  /**
   * -
   */
  readonly terminationGracePeriodSeconds?: Int64;
  /**
   * -
   */
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
export interface AccessCredential {
  /**
   * -
   */
  readonly sshPublicKey?: SSHPublicKeyAccessCredential;
  /**
   * -
   */
  readonly userPassword?: UserPasswordAccessCredential;
}

/** - */
export interface SSHPublicKeyAccessCredential {
  /**
   * -
   */
  readonly propagationMethod: SSHPublicKeyPropagationMethod;
  /**
   * -
   */
  readonly source: AccessCredentialSource;
}

/** - */
export interface SSHPublicKeyPropagationMethod {
  /**
   * -
   */
  readonly configDrive?: EmptyObject;
  /**
   * -
   */
  readonly noCloud?: EmptyObject;
  /**
   * -
   */
  readonly qemuGuestAgent?: QemuGuestAgentSSHUsers;
}

/** - */
export interface QemuGuestAgentSSHUsers {
  /**
   * -
   * @listType set
   */
  readonly users: readonly string[];
}

/** - */
export interface AccessCredentialSource {
  /**
   * -
   */
  readonly secret?: AccessCredentialSecret;
}

/** - */
export interface AccessCredentialSecret {
  /**
   * -
   */
  readonly secretName: string;
}

/** - */
export interface UserPasswordAccessCredential {
  /**
   * -
   */
  readonly propagationMethod: UserPasswordPropagationMethod;
  /**
   * -
   */
  readonly source: AccessCredentialSource;
}

/** - */
export interface UserPasswordPropagationMethod {
  /**
   * -
   */
  readonly qemuGuestAgent?: EmptyObject;
}

/** - */
export interface Probe {
  /**
   * -
   */
  readonly exec?: ExecAction;
  /**
   * -
   */
  readonly failureThreshold?: Int32;
  /**
   * -
   */
  readonly guestAgentPing?: EmptyObject;
  /**
   * -
   */
  readonly httpGet?: HTTPGetAction;
  /**
   * -
   */
  readonly initialDelaySeconds?: Int32;
  /**
   * -
   */
  readonly periodSeconds?: Int32;
  /**
   * -
   */
  readonly successThreshold?: Int32;
  /**
   * -
   */
  readonly tcpSocket?: TCPSocketAction;
  /**
   * -
   */
  readonly timeoutSeconds?: Int32;
}
