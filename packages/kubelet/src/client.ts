/** What the kubelet needs of an API client; `KubeClient` fits. */
import type { EventType, KubeClient } from '@podvisor/kube';
import type { Pod } from '@podvisor/api';

export type KubeletClient = Pick<
  KubeClient,
  'get' | 'find' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'request'
>;

/** Tells people of a Pod's troubles; `EventRecorder` fits. */
export interface PodEvents {
  event(pod: Pod, type: EventType, reason: string, message: string): void;
}
