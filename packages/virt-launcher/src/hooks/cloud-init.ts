/** Cloud-init data in the words of hook sidecars, which are those of KubeVirt's Go structures. Pure. */
import { isRecord } from '@podvisor/base';
import type { VirtualMachineInstance } from '@podvisor/api';
import {
  type CloudInitData,
  type CloudInitKind,
  cloudInitMetaData,
  type DeviceMetadata,
} from '@podvisor/storage';

/** What a sidecar is given and gives back, JSON. */
interface SidecarCloudInit {
  readonly DataSource: CloudInitKind;
  readonly NoCloudMetaData: Readonly<Record<string, unknown>> | null;
  readonly ConfigDriveMetaData: Readonly<Record<string, unknown>> | null;
  readonly UserData: string;
  readonly NetworkData: string;
  readonly DevicesData: readonly DeviceMetadata[] | null;
  readonly VolumeName: string;
}

/** The data for a sidecar: the whole of it, and the source that older sidecars know. */
export function cloudInitForSidecar(
  kind: CloudInitKind,
  vmi: VirtualMachineInstance,
  data: CloudInitData,
  volume: string,
): { readonly cloudInitData: Buffer; readonly cloudInitNoCloudSource: Buffer } {
  const metaData = cloudInitMetaData(kind, vmi, data);
  const UserData = text(data.userData);
  const NetworkData = text(data.networkData);
  const all: SidecarCloudInit = {
    DataSource: kind,
    NoCloudMetaData: kind === 'noCloud' ? metaData : null,
    ConfigDriveMetaData: kind === 'configDrive' ? metaData : null,
    UserData,
    NetworkData,
    DevicesData: data.devices ?? null,
    VolumeName: volume,
  };
  const source = kind === 'noCloud' ? { userData: UserData, networkData: NetworkData } : {};
  return { cloudInitData: json(all), cloudInitNoCloudSource: json(source) };
}

/** What the sidecar made of it. Throws when its answer cannot be read. */
export function cloudInitFromSidecar(
  kind: CloudInitKind,
  data: CloudInitData,
  answer: { readonly cloudInitData: Uint8Array; readonly cloudInitNoCloudSource: Uint8Array },
): CloudInitData {
  if (answer.cloudInitData.length > 0) {
    const all = parse(answer.cloudInitData);
    const metaData = all[kind === 'noCloud' ? 'NoCloudMetaData' : 'ConfigDriveMetaData'];
    return {
      ...withTexts(data, all['UserData'], all['NetworkData']),
      ...(isRecord(metaData) ? { metaData } : {}),
    };
  }
  if (answer.cloudInitNoCloudSource.length === 0) return data;
  const source = parse(answer.cloudInitNoCloudSource);
  return withTexts(data, source['userData'], source['networkData']);
}

function withTexts(data: CloudInitData, userData: unknown, networkData: unknown): CloudInitData {
  return {
    ...data,
    ...(typeof userData === 'string' ? { userData: Buffer.from(userData) } : {}),
    ...(typeof networkData === 'string' && networkData !== ''
      ? { networkData: Buffer.from(networkData) }
      : {}),
  };
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text(bytes));
  if (!isRecord(value)) throw new Error('the cloud-init data of the hook sidecar is no object');
  return value;
}

function text(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
