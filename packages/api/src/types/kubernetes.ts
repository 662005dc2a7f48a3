import type { Int32, Int64, IntOrString, Quantity } from './meta.ts';

/** - */
export interface Affinity {
  /**
   * -
   */
  readonly nodeAffinity?: NodeAffinity;
  /**
   * -
   */
  readonly podAffinity?: PodAffinity;
  /**
   * -
   */
  readonly podAntiAffinity?: PodAffinity;
}

/** - */
export interface NodeAffinity {
  /**
   * -
   * @listType atomic
   */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
  /**
   * -
   * @mapType atomic
   */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
}

/** - */
export interface PreferredSchedulingTerm {
  /**
   * -
   * @mapType atomic
   */
  readonly preference: NodeSelectorTerm;
  /**
   * -
   */
  readonly weight: Int32;
}

/** - */
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
  /**
   * -
   */
  readonly key: string;
  /**
   * -
   */
  readonly operator: string;
  /**
   * -
   * @listType atomic
   */
  readonly values?: readonly string[];
}

/** - */
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
  /**
   * -
   */
  readonly podAffinityTerm: PodAffinityTerm;
  /**
   * -
   */
  readonly weight: Int32;
}

/** - */
export interface PodAffinityTerm {
  /**
   * -
   * @mapType atomic
   */
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
  /**
   * -
   * @mapType atomic
   */
  readonly namespaceSelector?: LabelSelector;
  /**
   * -
   * @listType atomic
   */
  readonly namespaces?: readonly string[];
  /**
   * -
   */
  readonly topologyKey: string;
}

/** - */
export interface LabelSelector {
  /**
   * -
   * @listType atomic
   */
  readonly matchExpressions?: readonly SelectorRequirement[];
  /**
   * -
   */
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
  /**
   * -
   */
  readonly name?: string;
  /**
   * -
   */
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
  /**
   * -
   */
  readonly host?: string;
  /**
   * -
   * @listType atomic
   */
  readonly httpHeaders?: readonly HTTPHeader[];
  /**
   * -
   */
  readonly path?: string;
  /**
   * -
   */
  readonly port: IntOrString;
  /**
   * -
   */
  readonly scheme?: string;
}

/** - */
export interface HTTPHeader {
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly value: string;
}

/** - */
export interface TCPSocketAction {
  /**
   * -
   */
  readonly host?: string;
  /**
   * -
   */
  readonly port: IntOrString;
}

/** - */
export interface PodResourceClaim {
  /**
   * -
   */
  readonly name: string;
  /**
   * -
   */
  readonly resourceClaimName?: string;
  /**
   * -
   */
  readonly resourceClaimTemplateName?: string;
}

/** - */
export interface Toleration {
  /**
   * -
   */
  readonly effect?: string;
  /**
   * -
   */
  readonly key?: string;
  /**
   * -
   */
  readonly operator?: string;
  /**
   * -
   */
  readonly tolerationSeconds?: Int64;
  /**
   * -
   */
  readonly value?: string;
}

/** - */
export interface TopologySpreadConstraint {
  /**
   * -
   * @mapType atomic
   */
  readonly labelSelector?: LabelSelector;
  /**
   * -
   * @listType atomic
   */
  readonly matchLabelKeys?: readonly string[];
  /**
   * -
   */
  readonly maxSkew: Int32;
  /**
   * -
   */
  readonly minDomains?: Int32;
  /**
   * -
   */
  readonly nodeAffinityPolicy?: string;
  /**
   * -
   */
  readonly nodeTaintsPolicy?: string;
  /**
   * -
   */
  readonly topologyKey: string;
  /**
   * -
   */
  readonly whenUnsatisfiable: string;
}

/** - */
export interface LocalObjectReference {
  /**
   * -
   * @default 
   */
  readonly name?: string;
}

/** - */
export interface ObjectFieldSelector {
  /**
   * -
   */
  readonly apiVersion?: string;
  /**
   * -
   */
  readonly fieldPath: string;
}

/** - */
export interface ResourceFieldSelector {
  /**
   * -
   */
  readonly containerName?: string;
  /**
   * -
   */
  readonly divisor?: Quantity;
  /**
   * -
   */
  readonly resource: string;
}
