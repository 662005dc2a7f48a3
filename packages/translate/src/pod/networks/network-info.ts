/**
 * `kubevirt.io/network-info` of a launcher Pod: which devices of the node serve its networks. virt-controller makes
 * it from what Multus said about the Pod; the launcher and the sidecars of binding plugins read it as a file. Pure.
 */
import { isRecord } from '@podvisor/base';
import type { VirtualMachineInstance } from '@podvisor/api';
import { secondaryInterfaceName } from './network-annotations.ts';

export const NETWORK_STATUS = 'k8s.v1.cni.cncf.io/network-status';
export const NETWORK_INFO = 'kubevirt.io/network-info';
/** The file, below `mountPaths.podInfo`. */
export const NETWORK_INFO_FILE = 'network-info';

const MAX_TEXT = 64 * 1024;

/** One network of the VMI and the device behind it. */
export interface NetworkDevice {
  readonly network: string;
  /** As the device plugin tells it: `type`, and under that name the addresses. */
  readonly deviceInfo?: Readonly<Record<string, unknown>>;
  readonly mac?: string;
}

/**
 * The annotation's text, from Multus' status of the Pod; undefined while that names no device of an SR-IOV or plugin
 * network. The status was written by others: what is not as expected counts as not there.
 */
export function networkInfoOf(vmi: VirtualMachineInstance, status: string | undefined): string | undefined {
  const concerned = (vmi.spec.domain.devices.interfaces ?? []).filter(
    ({ sriov, binding, state }) => (sriov !== undefined || binding !== undefined) && state !== 'absent',
  );
  if (concerned.length === 0) return undefined;
  const entries = listOf(parsed(status ?? '')).filter(isRecord);
  const interfaces = concerned.flatMap(({ name }): readonly NetworkDevice[] => {
    const network = vmi.spec.networks?.find((candidate) => candidate.name === name);
    const isOwn = network?.pod !== undefined || network?.multus?.default === true;
    const entry = entries.find((candidate) =>
      isOwn ? candidate['default'] === true : candidate['interface'] === secondaryInterfaceName(name),
    );
    const { 'device-info': deviceInfo, mac } = entry ?? {};
    if (!isRecord(deviceInfo)) return [];
    return [{ network: name, deviceInfo, ...(typeof mac === 'string' && mac !== '' ? { mac } : {}) }];
  });
  return interfaces.length === 0 ? undefined : JSON.stringify({ interfaces });
}

/** What the annotation says; empty when it says nothing that can be read. */
export function readNetworkInfo(text: string): readonly NetworkDevice[] {
  const info = parsed(text);
  return listOf(isRecord(info) ? info['interfaces'] : undefined).flatMap((entry) => {
    if (!isRecord(entry) || typeof entry['network'] !== 'string') return [];
    const { network, deviceInfo } = entry;
    return [{ network, ...(isRecord(deviceInfo) ? { deviceInfo } : {}) }];
  });
}

function parsed(text: string): unknown {
  if (text.length > MAX_TEXT) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Half a file, or not Multus' hand: nothing is known.
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
