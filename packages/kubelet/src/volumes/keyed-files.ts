/** Files from the keys of config maps and secrets, and from fields of the Pod. */
import type { ConfigMap, KeyToPath, Pod, PodVolumeSource, Secret } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { fieldValue, type PodFacts, resourceValue } from '../pod/field-path.ts';
import type { ProjectedFile } from './atomic-files.ts';
import { type VolumeContext, VolumeError } from './types.ts';

export const DEFAULT_MODE = 0o644;

interface KeyedSource {
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
}

type Files = Map<string, ProjectedFile>;

export async function configMapFiles(
  name: string,
  source: KeyedSource,
  mode: number,
  context: VolumeContext,
): Promise<Files> {
  const key = { namespace: context.pod.metadata.namespace, name };
  const found: ConfigMap | undefined = await context.client.find(resources.configMaps, key);
  if (found === undefined && source.optional !== true) throw new VolumeError(`configmap "${name}" not found`);
  const text = Object.entries(found?.data ?? {}).map(([k, v]) => [k, Buffer.from(v)] as const);
  const binary = Object.entries(found?.binaryData ?? {}).map(
    ([k, v]) => [k, Buffer.from(v, 'base64')] as const,
  );
  return pickKeys(`configmap "${name}"`, new Map([...text, ...binary]), source, mode);
}

export async function secretFiles(
  name: string,
  source: KeyedSource,
  mode: number,
  context: VolumeContext,
): Promise<Files> {
  const key = { namespace: context.pod.metadata.namespace, name };
  const found: Secret | undefined = await context.client.find(resources.secrets, key);
  if (found === undefined && source.optional !== true) throw new VolumeError(`secret "${name}" not found`);
  const data = Object.entries(found?.data ?? {}).map(([k, v]) => [k, Buffer.from(v, 'base64')] as const);
  return pickKeys(`secret "${name}"`, new Map(data), source, mode);
}

function pickKeys(what: string, data: ReadonlyMap<string, Buffer>, source: KeyedSource, mode: number): Files {
  if (source.items === undefined || source.items.length === 0) {
    return new Map([...data].map(([key, content]) => [key, { content, mode }]));
  }
  const files: Files = new Map();
  for (const item of source.items) {
    const content = data.get(item.key);
    if (content !== undefined) files.set(item.path, { content, mode: item.mode ?? mode });
    else if (source.optional !== true) throw new VolumeError(`${what} has no key "${item.key}"`);
  }
  return files;
}

export function downwardFiles(
  pod: Pod,
  source: NonNullable<PodVolumeSource['downwardAPI']>,
  mode: number,
  facts: PodFacts,
): Files {
  const files: Files = new Map();
  for (const item of source.items ?? []) {
    const text =
      item.fieldRef !== undefined
        ? fieldValue(pod, item.fieldRef.fieldPath, facts)
        : item.resourceFieldRef !== undefined
          ? resourceValue(pod, undefined, item.resourceFieldRef, facts)
          : '';
    files.set(item.path, { content: Buffer.from(text), mode: item.mode ?? mode });
  }
  return files;
}
