// Made by scripts/generate-kubernetes-types.ts from packages/apiserver/src/registry/types. Do not edit.
import type { Int32, Int64, IntOrString, Quantity, Time } from '../meta.ts';

/** Which nodes and neighbours a Pod wants or avoids. */
export interface Affinity {
  /** Nodes that the Pod wants. */
  readonly nodeAffinity?: NodeAffinity;
  /** Pods that it wants near. */
  readonly podAffinity?: PodAffinity;
  /** Pods that it wants far. */
  readonly podAntiAffinity?: PodAffinity;
}

/** A command. */
export interface ExecAction {
  /**
   * The command and its arguments.
   * @listType atomic
   */
  readonly command?: readonly string[];
}

/** A page asked for over HTTP. */
export interface HTTPGetAction {
  /** Host to ask; the guest when unset. */
  readonly host?: string;
  /**
   * Headers to send.
   * @listType atomic
   */
  readonly httpHeaders?: readonly HTTPHeader[];
  /** Path of the page. */
  readonly path?: string;
  /** Port, by number or name. */
  readonly port: IntOrString;
  /** HTTP (default) or HTTPS. */
  readonly scheme?: string;
}

/** A header. */
export interface HTTPHeader {
  /** Its name. */
  readonly name: string;
  /** Its value. */
  readonly value: string;
}

/**
 * Objects whose labels meet all requirements.
 * @mapType atomic
 */
export interface LabelSelector {
  /**
   * Requirements on labels.
   * @listType atomic
   */
  readonly matchExpressions?: readonly SelectorRequirement[];
  /** Labels and their values. */
  readonly matchLabels?: Readonly<Record<string, string>>;
}

/**
 * An object of the same namespace.
 * @mapType atomic
 */
export interface LocalObjectReference {
  /**
   * Its name.
   * @default ""
   */
  readonly name?: string;
}

/** Nodes that a Pod wants. */
export interface NodeAffinity {
  /**
   * Nodes that are better than others.
   * @listType atomic
   */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
  /** Nodes that are possible at all. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
}

/**
 * Nodes that meet one of the terms.
 * @mapType atomic
 */
export interface NodeSelector {
  /**
   * The terms.
   * @listType atomic
   */
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/**
 * Nodes that meet all requirements.
 * @mapType atomic
 */
export interface NodeSelectorTerm {
  /**
   * Requirements on labels.
   * @listType atomic
   */
  readonly matchExpressions?: readonly SelectorRequirement[];
  /**
   * Requirements on fields: metadata.name.
   * @listType atomic
   */
  readonly matchFields?: readonly SelectorRequirement[];
}

/**
 * A field of an object.
 * @mapType atomic
 */
export interface ObjectFieldSelector {
  /** API version that the path is written in. */
  readonly apiVersion?: string;
  /** Path of the field. */
  readonly fieldPath: string;
}

/** A PersistentVolumeClaim. */
export interface PersistentVolumeClaimSpec {
  /**
   * Access modes.
   * @listType atomic
   */
  readonly accessModes?: readonly string[];
  /** Object that fills the claim. */
  readonly dataSource?: TypedLocalObjectReference;
  /** Object that fills the claim, also of other namespaces. */
  readonly dataSourceRef?: TypedObjectReference;
  /** Size of the claim. */
  readonly resources?: ResourceRequirementsWithoutClaims;
  /** Volumes that may be bound. */
  readonly selector?: LabelSelector;
  /** Storage class; the cluster's default when unset. */
  readonly storageClassName?: string;
  /** Attributes class of the volume. */
  readonly volumeAttributesClassName?: string;
  /** Filesystem or Block. */
  readonly volumeMode?: string;
  /** Volume to bind. */
  readonly volumeName?: string;
}

/** Pods to be near to, or far from. */
export interface PodAffinity {
  /**
   * Pods that matter more or less.
   * @listType atomic
   */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
  /**
   * Pods that decide.
   * @listType atomic
   */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
}

/** Pods, and what near means. */
export interface PodAffinityTerm {
  /** Labels of the Pods. */
  readonly labelSelector?: LabelSelector;
  /**
   * Labels that must equal those of the new Pod.
   * @listType atomic
   */
  readonly matchLabelKeys?: readonly string[];
  /**
   * Labels that must differ from those of the new Pod.
   * @listType atomic
   */
  readonly mismatchLabelKeys?: readonly string[];
  /** Labels of their namespaces. */
  readonly namespaceSelector?: LabelSelector;
  /**
   * Their namespaces; the Pod's own when unset.
   * @listType atomic
   */
  readonly namespaces?: readonly string[];
  /** Node label whose equal value means near. */
  readonly topologyKey: string;
}

/** DNS servers, search domains and options. */
export interface PodDNSConfig {
  /**
   * Addresses of servers, at most 3.
   * @listType atomic
   */
  readonly nameservers?: readonly string[];
  /**
   * Options of the resolver.
   * @listType atomic
   */
  readonly options?: readonly PodDNSConfigOption[];
  /**
   * Search domains, at most 6.
   * @listType atomic
   */
  readonly searches?: readonly string[];
}

/** An option of the resolver. */
export interface PodDNSConfigOption {
  /** Its name. */
  readonly name?: string;
  /** Its value. */
  readonly value?: string;
}

/** A resource claim of a Pod; one of the references is set. */
export interface PodResourceClaim {
  /** Name by which the spec refers to it. */
  readonly name: string;
  /** A claim that exists. */
  readonly resourceClaimName?: string;
  /** A template from which a claim is made. */
  readonly resourceClaimTemplateName?: string;
}

/** Nodes that are better than others. */
export interface PreferredSchedulingTerm {
  /** The nodes. */
  readonly preference: NodeSelectorTerm;
  /** How much better, from 1 to 100. */
  readonly weight: Int32;
}

/**
 * A request or limit of a container.
 * @mapType atomic
 */
export interface ResourceFieldSelector {
  /** The container. */
  readonly containerName?: string;
  /** What the value is divided by. */
  readonly divisor?: Quantity;
  /** The resource, such as limits.cpu. */
  readonly resource: string;
}

/** Requests and limits. */
export interface ResourceRequirementsWithoutClaims {
  /** The most that may be used. */
  readonly limits?: Readonly<Record<string, Quantity>>;
  /** What is sure to be there. */
  readonly requests?: Readonly<Record<string, Quantity>>;
}

/** A requirement on one key. */
export interface SelectorRequirement {
  /** The key. */
  readonly key: string;
  /** In, NotIn, Exists, DoesNotExist, and for nodes Gt and Lt. */
  readonly operator: string;
  /**
   * The values, for In, NotIn, Gt and Lt.
   * @listType atomic
   */
  readonly values?: readonly string[];
}

/** One aspect of the state. */
export interface StandardCondition {
  /** When it last changed. */
  readonly lastTransitionTime: Time;
  /**
   * What happened, for people.
   * @maxLength 32768
   */
  readonly message: string;
  /**
   * Generation of the spec that it is about.
   * @minimum 0
   */
  readonly observedGeneration?: Int64;
  /**
   * Why, in one word.
   * @maxLength 1024
   * @minLength 1
   * @pattern ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$
   */
  readonly reason: string;
  /** True, False or Unknown. */
  readonly status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   * @maxLength 316
   * @pattern ^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\u002f)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$
   */
  readonly type: string;
}

/** A TCP connection. */
export interface TCPSocketAction {
  /** Host to connect to; the guest when unset. */
  readonly host?: string;
  /** Port, by number or name. */
  readonly port: IntOrString;
}

/** A taint that a Pod puts up with. */
export interface Toleration {
  /** NoSchedule, PreferNoSchedule or NoExecute; all when empty. */
  readonly effect?: string;
  /** Key of the taint; all when empty. */
  readonly key?: string;
  /** Equal (default) or Exists. */
  readonly operator?: string;
  /** Seconds that the Pod stays after a NoExecute taint; forever when unset. */
  readonly tolerationSeconds?: Int64;
  /** Value of the taint, for Equal. */
  readonly value?: string;
}

/** How Pods are spread over domains. */
export interface TopologySpreadConstraint {
  /** Pods that are counted. */
  readonly labelSelector?: LabelSelector;
  /**
   * Labels that must equal those of the new Pod.
   * @listType atomic
   */
  readonly matchLabelKeys?: readonly string[];
  /** How uneven it may get. */
  readonly maxSkew: Int32;
  /** Number of domains that there should be. */
  readonly minDomains?: Int32;
  /** Whether nodes that affinity rules out count: Honor or Ignore. */
  readonly nodeAffinityPolicy?: string;
  /** Whether tainted nodes count: Honor or Ignore. */
  readonly nodeTaintsPolicy?: string;
  /** Node label whose value names the domain. */
  readonly topologyKey: string;
  /** DoNotSchedule or ScheduleAnyway. */
  readonly whenUnsatisfiable: string;
}

/**
 * An object of the same namespace, of any kind.
 * @mapType atomic
 */
export interface TypedLocalObjectReference {
  /** Its API group. */
  readonly apiGroup?: string;
  /** Its kind. */
  readonly kind: string;
  /** Its name. */
  readonly name: string;
}

/** An object of any namespace and kind. */
export interface TypedObjectReference {
  /** Its API group. */
  readonly apiGroup?: string;
  /** Its kind. */
  readonly kind: string;
  /** Its name. */
  readonly name: string;
  /** Its namespace. */
  readonly namespace?: string;
}

/** Pods that matter more or less. */
export interface WeightedPodAffinityTerm {
  /** The Pods. */
  readonly podAffinityTerm: PodAffinityTerm;
  /** How much, from 1 to 100. */
  readonly weight: Int32;
}
