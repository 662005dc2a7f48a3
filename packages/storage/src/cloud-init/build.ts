/** The cloud-init disk of a VM. */
import type { LauncherPaths, VirtualMachineInstance } from '@podvisor/api';
import { buildIso } from '../iso.ts';
import { type CloudInitData, type CloudInitKind, cloudInitFiles, cloudInitVolume } from './data.ts';
import { readCloudInitData } from './read-data.ts';

/** Labels by which cloud-init finds its data sources. */
const LABELS = { noCloud: 'cidata', configDrive: 'config-2' } as const;

/** A NoCloud seed for `vmi` at `path`. */
export async function buildNoCloudIso(
  path: string,
  vmi: VirtualMachineInstance,
  data: CloudInitData,
  signal?: AbortSignal,
): Promise<void> {
  await buildIso(path, cloudInitFiles('noCloud', vmi, data), options('noCloud', signal));
}

/** A ConfigDrive for `vmi` at `path`. */
export async function buildConfigDriveIso(
  path: string,
  vmi: VirtualMachineInstance,
  data: CloudInitData,
  signal?: AbortSignal,
): Promise<void> {
  await buildIso(path, cloudInitFiles('configDrive', vmi, data), options('configDrive', signal));
}

/** A last word on what the ISO will hold, e.g. of a hook sidecar. */
export type CloudInitEditor = (
  kind: CloudInitKind,
  data: CloudInitData,
  volume: string,
) => Promise<CloudInitData>;

/** Makes the ISO of the first cloud-init volume, from the spec and the mounted secrets. */
export async function prepareCloudInit(
  vmi: VirtualMachineInstance,
  paths: LauncherPaths,
  signal?: AbortSignal,
  edit: CloudInitEditor = async (_kind, data) => data,
): Promise<{ readonly volume: string; readonly path: string } | undefined> {
  const found = cloudInitVolume(vmi.spec.volumes);
  if (found === undefined) return undefined;
  const namespace = vmi.metadata?.namespace ?? 'default';
  const name = vmi.metadata?.name ?? '';
  const data = readCloudInitData(vmi, found.kind, found.volume.name, found.source, paths);
  const path =
    found.kind === 'noCloud' ? paths.noCloudIso(namespace, name) : paths.configDriveIso(namespace, name);
  const build = found.kind === 'noCloud' ? buildNoCloudIso : buildConfigDriveIso;
  await build(path, vmi, await edit(found.kind, data, found.volume.name), signal);
  return { volume: found.volume.name, path };
}

function options(kind: keyof typeof LABELS, signal: AbortSignal | undefined): Parameters<typeof buildIso>[2] {
  return { label: LABELS[kind], ...(signal === undefined ? {} : { signal }) };
}
