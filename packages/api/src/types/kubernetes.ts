import type { Int32, Int64, IntOrString, Quantity, Time } from './meta.ts';

/** - */
export interface Affinity {
  /** - */
  readonly nodeAffinity?: NodeAffinity;
  /** - */
  readonly podAffinity?: PodAffinity;
  /** - */
  readonly podAntiAffinity?: PodAffinity;
}

/** - */
export interface NodeAffinity {
  /**
   * -
   * @listType atomic
   */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
  /** - */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
}

/** - */
export interface PreferredSchedulingTerm {
  /** - */
  readonly preference: NodeSelectorTerm;
  /** - */
  readonly weight: Int32;
}

/**
 * -
 * @mapType atomic
 */
export interface NodeSelectorTerm {
  /**
   * -
   * @listType atomic
   */
  readonly matchExpressions?: readonly SelectorRequirement[];
  /**
   * -
   * @listType atomic
   */
  readonly matchFields?: readonly SelectorRequirement[];
}

/** - */
export interface SelectorRequirement {
  /** - */
  readonly key: string;
  /** - */
  readonly operator: string;
  /**
   * -
   * @listType atomic
   */
  readonly values?: readonly string[];
}

/**
 * -
 * @mapType atomic
 */
export interface NodeSelector {
  /**
   * -
   * @listType atomic
   */
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/** - */
export interface PodAffinity {
  /**
   * -
   * @listType atomic
   */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
  /**
   * -
   * @listType atomic
   */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
}

/** - */
export interface WeightedPodAffinityTerm {
  /** - */
  readonly podAffinityTerm: PodAffinityTerm;
  /** - */
  readonly weight: Int32;
}

/** - */
export interface PodAffinityTerm {
  /** - */
  readonly labelSelector?: LabelSelector;
  /**
   * -
   * @listType atomic
   */
  readonly matchLabelKeys?: readonly string[];
  /**
   * -
   * @listType atomic
   */
  readonly mismatchLabelKeys?: readonly string[];
  /** - */
  readonly namespaceSelector?: LabelSelector;
  /**
   * -
   * @listType atomic
   */
  readonly namespaces?: readonly string[];
  /** - */
  readonly topologyKey: string;
}

/**
 * -
 * @mapType atomic
 */
export interface LabelSelector {
  /**
   * -
   * @listType atomic
   */
  readonly matchExpressions?: readonly SelectorRequirement[];
  /** - */
  readonly matchLabels?: Readonly<Record<string, string>>;
}

/** - */
export interface PodDNSConfig {
  /**
   * -
   * @listType atomic
   */
  readonly nameservers?: readonly string[];
  /**
   * -
   * @listType atomic
   */
  readonly options?: readonly PodDNSConfigOption[];
  /**
   * -
   * @listType atomic
   */
  readonly searches?: readonly string[];
}

/** - */
export interface PodDNSConfigOption {
  /** - */
  readonly name?: string;
  /** - */
  readonly value?: string;
}

/** - */
export interface ExecAction {
  /**
   * -
   * @listType atomic
   */
  readonly command?: readonly string[];
}

/** - */
export interface HTTPGetAction {
  /** - */
  readonly host?: string;
  /**
   * -
   * @listType atomic
   */
  readonly httpHeaders?: readonly HTTPHeader[];
  /** - */
  readonly path?: string;
  /** - */
  readonly port: IntOrString;
  /** - */
  readonly scheme?: string;
}

/** - */
export interface HTTPHeader {
  /** - */
  readonly name: string;
  /** - */
  readonly value: string;
}

/** - */
export interface TCPSocketAction {
  /** - */
  readonly host?: string;
  /** - */
  readonly port: IntOrString;
}

/** - */
export interface PodResourceClaim {
  /** - */
  readonly name: string;
  /** - */
  readonly resourceClaimName?: string;
  /** - */
  readonly resourceClaimTemplateName?: string;
}

/** - */
export interface Toleration {
  /** - */
  readonly effect?: string;
  /** - */
  readonly key?: string;
  /** - */
  readonly operator?: string;
  /** - */
  readonly tolerationSeconds?: Int64;
  /** - */
  readonly value?: string;
}

/** - */
export interface TopologySpreadConstraint {
  /** - */
  readonly labelSelector?: LabelSelector;
  /**
   * -
   * @listType atomic
   */
  readonly matchLabelKeys?: readonly string[];
  /** - */
  readonly maxSkew: Int32;
  /** - */
  readonly minDomains?: Int32;
  /** - */
  readonly nodeAffinityPolicy?: string;
  /** - */
  readonly nodeTaintsPolicy?: string;
  /** - */
  readonly topologyKey: string;
  /** - */
  readonly whenUnsatisfiable: string;
}

/**
 * -
 * @mapType atomic
 */
export interface LocalObjectReference {
  /**
   * -
   * @default ""
   */
  readonly name?: string;
}

/**
 * -
 * @mapType atomic
 */
export interface ObjectFieldSelector {
  /** - */
  readonly apiVersion?: string;
  /** - */
  readonly fieldPath: string;
}

/**
 * -
 * @mapType atomic
 */
export interface ResourceFieldSelector {
  /** - */
  readonly containerName?: string;
  /** - */
  readonly divisor?: Quantity;
  /** - */
  readonly resource: string;
}

/** - */
export interface PersistentVolumeClaimSpec {
  /**
   * -
   * @listType atomic
   */
  readonly accessModes?: readonly string[];
  /** - */
  readonly dataSource?: TypedLocalObjectReference;
  /** - */
  readonly dataSourceRef?: TypedObjectReference;
  /** - */
  readonly resources?: ResourceRequirementsWithoutClaims;
  /** - */
  readonly selector?: LabelSelector;
  /** - */
  readonly storageClassName?: string;
  /** - */
  readonly volumeAttributesClassName?: string;
  /** - */
  readonly volumeMode?: string;
  /** - */
  readonly volumeName?: string;
}

/**
 * -
 * @mapType atomic
 */
export interface TypedLocalObjectReference {
  /** - */
  readonly apiGroup?: string;
  /** - */
  readonly kind: string;
  /** - */
  readonly name: string;
}

/** - */
export interface TypedObjectReference {
  /** - */
  readonly apiGroup?: string;
  /** - */
  readonly kind: string;
  /** - */
  readonly name: string;
  /** - */
  readonly namespace?: string;
}

/** - */
export interface ResourceRequirementsWithoutClaims {
  /** - */
  readonly limits?: Readonly<Record<string, Quantity>>;
  /** - */
  readonly requests?: Readonly<Record<string, Quantity>>;
}

/** - */
export interface StandardCondition {
  /** - */
  readonly lastTransitionTime: Time;
  /**
   * -
   * @maxLength 32768
   */
  readonly message: string;
  /**
   * -
   * @minimum 0
   */
  readonly observedGeneration?: Int64;
  /**
   * -
   * @maxLength 1024
   * @minLength 1
   * @pattern ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$
   */
  readonly reason: string;
  /** - */
  readonly status: 'True' | 'False' | 'Unknown';
  /**
   * -
   * @maxLength 316
   * @pattern ^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\u002f)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$
   */
  readonly type: string;
}
