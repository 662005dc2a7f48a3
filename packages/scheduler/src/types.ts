/** The words that the parts of the scheduler share. */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@podvisor/api';
import type { NodeInfo } from './node-info.ts';

/** Everything a decision may look at. */
export interface ClusterView {
  readonly nodes: readonly NodeInfo[];
  /** By `namespace/name`. */
  readonly claim: (key: string) => PersistentVolumeClaim | undefined;
  readonly volume: (name: string) => PersistentVolume | undefined;
  readonly namespaceLabels: (name: string) => Readonly<Record<string, string>>;
}

/** Why a node does not take a Pod, in Kubernetes' words. */
export interface Refusal {
  readonly reason: string;
  /** Could the node take it if other Pods went away? */
  readonly preemptionHelps: boolean;
}

/** Says why `node` cannot take the Pod; an empty list when it can. */
export type Filter = (node: NodeInfo) => readonly Refusal[];

/** What to do with a Pod. */
export type Decision =
  | { readonly kind: 'bind'; readonly node: string }
  | {
      readonly kind: 'preempt';
      readonly node: string;
      readonly victims: readonly Pod[];
      readonly message: string;
    }
  | { readonly kind: 'unschedulable'; readonly message: string };

export const refuse = (reason: string, preemptionHelps = false): Refusal => ({ reason, preemptionHelps });
