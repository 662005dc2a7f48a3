/** Label values that several metrics share. Pure. */
import type { Interface, KubernetesObject, Network } from '@podvisor/api';

/** What KubeVirt writes where nothing is known. */
export const NONE = '<none>';

export function objectLabels({ metadata }: KubernetesObject): {
  readonly name: string;
  readonly namespace: string;
} {
  return { name: metadata?.name ?? '', namespace: metadata?.namespace ?? '' };
}

/** What a template says about its guest, by the annotations that dashboards know. */
export function workloadLabels(annotations: Readonly<Record<string, string>> = {}): {
  readonly os: string;
  readonly workload: string;
  readonly flavor: string;
} {
  const of = (key: string): string => annotations[`vm.kubevirt.io/${key}`] ?? NONE;
  return { os: of('os'), workload: of('workload'), flavor: of('flavor') };
}

export function vnicLabels(
  nic: Interface,
  networks: readonly Network[] = [],
): Readonly<Record<string, string>> {
  const network = networks.find(({ name }) => name === nic.name);
  const core = (['masquerade', 'bridge', 'sriov'] as const).find((kind) => nic[kind] !== undefined);
  return {
    vnic_name: nic.name,
    binding_type: core === undefined ? 'plugin' : 'core',
    network: network?.multus?.networkName ?? (network?.pod === undefined ? NONE : 'pod networking'),
    binding_name: core ?? nic.binding?.name ?? (nic.passtBinding === undefined ? NONE : 'passt'),
    model: nic.model ?? NONE,
  };
}

/** Seconds since the epoch of an RFC 3339 time; 0 for none. */
export function epochSeconds(time: string | undefined): number {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000);
}
