/** The resource of NetworkPolicies. */
import type { NetworkPolicy } from '@podvisor/api';
import { defineResource } from '@podvisor/kube';

export const networkPolicies = defineResource<NetworkPolicy>(
  'NetworkPolicy',
  'networkpolicies',
  'networking.k8s.io/v1',
);
