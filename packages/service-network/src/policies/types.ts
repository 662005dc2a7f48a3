/** NetworkPolicies, as far as they are enforced. */
import type { KubernetesObject, LabelSelector } from '@podvisor/api';
import { defineResource } from '@podvisor/kube';

export interface NetworkPolicy extends KubernetesObject {
  readonly spec?: {
    readonly podSelector?: LabelSelector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly {
      readonly from?: readonly PolicyPeer[];
      readonly ports?: readonly PolicyPort[];
    }[];
    readonly egress?: readonly {
      readonly to?: readonly PolicyPeer[];
      readonly ports?: readonly PolicyPort[];
    }[];
  };
}

export interface PolicyPeer {
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
  readonly namespaceSelector?: LabelSelector;
  readonly podSelector?: LabelSelector;
}

export interface PolicyPort {
  readonly protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
}

export const networkPolicies = defineResource<NetworkPolicy>(
  'NetworkPolicy',
  'networkpolicies',
  'networking.k8s.io/v1',
);
