/**
 * What a cloud-init disk holds, as pure data: which files, with which contents. NoCloud and ConfigDrive are
 * two layouts of the same facts.
 */
import type { CloudInitSource, VirtualMachineInstance, Volume } from '@podvisor/api';
import { guestHostname } from '../hostname.ts';

export type CloudInitKind = 'noCloud' | 'configDrive';

/** Raw contents, wherever they came from. */
export interface CloudInitData {
  readonly userData: Uint8Array;
  /** Absent: no network file is written and cloud-init uses its own default. */
  readonly networkData?: Uint8Array;
  readonly sshKeys: readonly string[];
  /** Tagged devices, once their places are known; for ConfigDrive alone. */
  readonly devices?: readonly DeviceMetadata[];
  /** Instead of the metadata that follows from the VMI: what a hook made of it. */
  readonly metaData?: Readonly<Record<string, unknown>>;
}

/** A device with tags, in the words of OpenStack's metadata. */
export interface DeviceMetadata {
  readonly type: 'nic' | 'disk';
  /** `pci`, or another kind of libvirt address. */
  readonly bus: string;
  readonly address: string;
  readonly mac?: string;
  readonly serial?: string;
  readonly tags: readonly string[];
}

/** One file of the ISO; `name` is relative and may hold directories. */
export interface IsoFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The cloud-init volume that counts (the first) and its kind. */
export function cloudInitVolume(
  volumes: readonly Volume[] | undefined,
): { readonly volume: Volume; readonly kind: CloudInitKind; readonly source: CloudInitSource } | undefined {
  for (const volume of volumes ?? []) {
    if (volume.cloudInitNoCloud !== undefined)
      return { volume, kind: 'noCloud', source: volume.cloudInitNoCloud };
    if (volume.cloudInitConfigDrive !== undefined)
      return { volume, kind: 'configDrive', source: volume.cloudInitConfigDrive };
  }
  return undefined;
}

/** Metadata of the instance, in the words of the data source. */
export function cloudInitMetaData(
  kind: CloudInitKind,
  vmi: VirtualMachineInstance,
  data: CloudInitData,
): Readonly<Record<string, unknown>> {
  return data.metaData ?? (kind === 'noCloud' ? noCloudMetaData(vmi, data) : configDriveMetaData(vmi, data));
}

/** Files of the ISO for this VM. */
export function cloudInitFiles(
  kind: CloudInitKind,
  vmi: VirtualMachineInstance,
  data: CloudInitData,
): readonly IsoFile[] {
  const [metaData, userData, networkData] = FILE_NAMES[kind];
  return [
    { name: metaData, content: json(cloudInitMetaData(kind, vmi, data)) },
    { name: userData, content: data.userData },
    ...(data.networkData === undefined ? [] : [{ name: networkData, content: data.networkData }]),
  ];
}

const FILE_NAMES: Record<CloudInitKind, readonly [metaData: string, userData: string, networkData: string]> =
  {
    noCloud: ['meta-data', 'user-data', 'network-config'],
    configDrive: [
      'openstack/latest/meta_data.json',
      'openstack/latest/user_data',
      'openstack/latest/network_data.json',
    ],
  };

function noCloudMetaData(vmi: VirtualMachineInstance, data: CloudInitData): Record<string, unknown> {
  return {
    ...instanceType(vmi, 'instance-type'),
    // The firmware UUID survives a restart, so that cloud-init runs its first-boot steps once per VM.
    'instance-id': vmi.spec.domain.firmware?.uuid ?? instanceName(vmi),
    'local-hostname': guestHostname(vmi),
    ...publicKeys(data.sshKeys, 'public-keys'),
  };
}

function configDriveMetaData(vmi: VirtualMachineInstance, data: CloudInitData): Record<string, unknown> {
  return {
    ...instanceType(vmi, 'instance_type'),
    instance_id: instanceName(vmi),
    hostname: guestHostname(vmi),
    uuid: vmi.spec.domain.firmware?.uuid ?? vmi.metadata?.uid ?? '',
    ...publicKeys(data.sshKeys, 'public_keys'),
    ...(data.devices === undefined ? {} : { devices: data.devices }),
  };
}

function instanceName(vmi: VirtualMachineInstance): string {
  return `${vmi.metadata?.name ?? ''}.${vmi.metadata?.namespace ?? 'default'}`;
}

function instanceType(vmi: VirtualMachineInstance, key: string): Record<string, string> {
  const annotations = vmi.metadata?.annotations ?? {};
  const name =
    annotations['kubevirt.io/cluster-instancetype-name'] ?? annotations['kubevirt.io/instancetype-name'];
  return name === undefined ? {} : { [key]: name };
}

function publicKeys(keys: readonly string[], key: string): Record<string, Record<string, string>> {
  return keys.length === 0 ? {} : { [key]: Object.fromEntries(keys.map((k, i) => [String(i), k])) };
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
