/** configMap, secret, downwardAPI and projected: files that the API holds. */
import type { PodVolume } from '@podvisor/api';
import { mountTmpfs } from '@podvisor/sys';
import { uidOf } from '../pod/types.ts';
import { type ProjectedFile, type ProjectedFiles, writeFilesAtomically } from './atomic-files.ts';
import { configMapFiles, DEFAULT_MODE, downwardFiles, secretFiles } from './keyed-files.ts';
import { fsGroupOf, ownDirectory } from './ownership.ts';
import { isMountPoint, makeDirectory, volumeDirectory } from './paths.ts';
import type { ServiceAccountTokens } from './service-account-token.ts';
import { type MountedVolume, type VolumeContext, VolumeError } from './types.ts';

export async function setUpConfigMap(volume: PodVolume, context: VolumeContext): Promise<MountedVolume> {
  const source = volume.configMap ?? {};
  const files = await configMapFiles(source.name ?? '', source, source.defaultMode ?? DEFAULT_MODE, context);
  return await show('configmap', volume.name, files, context, 'disk');
}

export async function setUpSecret(volume: PodVolume, context: VolumeContext): Promise<MountedVolume> {
  const source = volume.secret ?? {};
  const files = await secretFiles(
    source.secretName ?? '',
    source,
    source.defaultMode ?? DEFAULT_MODE,
    context,
  );
  return await show('secret', volume.name, files, context, 'memory');
}

export async function setUpDownwardApi(volume: PodVolume, context: VolumeContext): Promise<MountedVolume> {
  const source = volume.downwardAPI ?? {};
  const files = downwardFiles(context.pod, source, source.defaultMode ?? DEFAULT_MODE, context.facts);
  return await show('downward-api', volume.name, files, context, 'disk');
}

export async function setUpProjected(
  volume: PodVolume,
  context: VolumeContext,
  tokens: ServiceAccountTokens,
): Promise<MountedVolume> {
  const mode = volume.projected?.defaultMode ?? DEFAULT_MODE;
  const files = new Map<string, ProjectedFile>();
  for (const source of volume.projected?.sources ?? []) {
    for (const [path, file] of await sourceFiles(source, mode, context, tokens)) files.set(path, file);
  }
  return await show('projected', volume.name, files, context, 'memory');
}

type Source = NonNullable<NonNullable<PodVolume['projected']>['sources']>[number];

async function sourceFiles(
  source: Source,
  mode: number,
  context: VolumeContext,
  tokens: ServiceAccountTokens,
): Promise<ProjectedFiles> {
  if (source.configMap !== undefined) {
    return await configMapFiles(source.configMap.name ?? '', source.configMap, mode, context);
  }
  if (source.secret !== undefined)
    return await secretFiles(source.secret.name ?? '', source.secret, mode, context);
  if (source.downwardAPI !== undefined)
    return downwardFiles(context.pod, source.downwardAPI, mode, context.facts);
  if (source.serviceAccountToken !== undefined) {
    const token = await tokens.get(source.serviceAccountToken, context);
    return new Map([
      [source.serviceAccountToken.path, { content: Buffer.from(token), mode: tokenMode(context, mode) }],
    ]);
  }
  throw new VolumeError(
    `a projected source of kind ${Object.keys(source).join(', ')} is not supported by this node`,
  );
}

/** A token is for its Pod only; without a common group it must be readable by whatever user runs there. */
function tokenMode({ pod }: VolumeContext, mode: number): number {
  return fsGroupOf(pod) === undefined ? mode : 0o640;
}

/** What may not touch the disk is kept in memory. */
async function show(
  plugin: string,
  name: string,
  files: ProjectedFiles,
  { kubelet, pod }: VolumeContext,
  medium: 'disk' | 'memory',
): Promise<MountedVolume> {
  const path = volumeDirectory(kubelet, uidOf(pod), plugin, name);
  await makeDirectory(path);
  if (medium === 'memory' && !isMountPoint(path)) mountTmpfs(path, 'mode=0755,size=64m');
  await ownDirectory(path, 0o755, fsGroupOf(pod));
  await writeFilesAtomically(path, files, fsGroupOf(pod));
  return { kind: 'files', path, readOnly: true, isProjected: true };
}
