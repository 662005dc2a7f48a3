/** The installation as the page shows it. Pure. */
import type { KubernetesObject } from '@podvisor/api';
import type { Tone } from './rows.ts';

/** The parts of a KubeVirt object that are shown. */
export interface KubeVirtObject extends KubernetesObject {
  readonly status?: {
    readonly phase?: string;
    readonly observedKubeVirtVersion?: string;
    readonly targetKubeVirtVersion?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

export interface PodObject extends KubernetesObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount?: number; readonly image?: string }[];
  };
}

export interface ComponentRow {
  readonly name: string;
  readonly node: string;
  readonly state: string;
  readonly tone: Tone;
  readonly restarts: number;
}

/** Pods of the installation, without those of guests. */
export function componentRows(pods: readonly PodObject[]): readonly ComponentRow[] {
  return pods
    .filter(({ metadata }) => metadata?.labels?.['kubevirt.io'] !== 'virt-launcher')
    .map(({ metadata, spec, status }): ComponentRow => {
      const isReady =
        status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
      return {
        name: metadata?.name ?? '',
        node: spec?.nodeName ?? '',
        state: isReady ? 'Ready' : (status?.phase ?? 'Unknown'),
        tone: isReady ? 'good' : status?.phase === 'Failed' ? 'bad' : 'busy',
        restarts: (status?.containerStatuses ?? []).reduce(
          (sum, { restartCount = 0 }) => sum + restartCount,
          0,
        ),
      };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Certificates are renewed when a fifth of their year is left. */
export function daysTone(days: number): Tone {
  if (days < 14) return 'bad';
  return days < 60 ? 'busy' : 'good';
}
