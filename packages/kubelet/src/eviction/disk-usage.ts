/** What a Pod takes of the node's disk beside its claims, by looking. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Pod } from '@podvisor/api';
import { listMounts, run } from '@podvisor/sys';
import { type KubeletContext, podContainersDirectory, podDirectory } from '../context.ts';
import { POD_FILES } from '../pod/pod-files.ts';
import { uidOf } from '../pod/types.ts';
import { volumeDirectory } from '../volumes/paths.ts';
import type { DiskUsage } from './decide.ts';

const PARTS = ['upper', 'log', 'log.1', 'termination-log'];

/** How many files a Pod has on the node's disk. */
export async function fileCount(context: KubeletContext, pod: Pod): Promise<number> {
  const uid = uidOf(pod);
  const places = [podDirectory(context, uid), podContainersDirectory(context, uid)];
  return await sumBelow(places, '--inodes');
}

export async function diskUsage(context: KubeletContext, pod: Pod): Promise<DiskUsage> {
  const uid = uidOf(pod);
  const mounted = new Set(listMounts().map(({ mountPoint }) => mountPoint));
  const volumes = new Map<string, number>();
  for (const { name, emptyDir } of pod.spec.volumes ?? []) {
    if (emptyDir === undefined || (emptyDir.medium ?? '') !== '') continue;
    volumes.set(name, await bytesBelow([volumeDirectory(context, uid, 'empty-dir', name)]));
  }
  const containers = new Map<string, number>();
  const root = podContainersDirectory(context, uid);
  for (const { name } of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    const own = join(root, name);
    const runs = existsSync(own) ? readdirSync(own).map((attempt) => join(own, attempt)) : [];
    // Its root is a view of layers; the writable one and what is bound into it are what it takes.
    const paths = runs.flatMap((path) => PARTS.map((part) => join(path, part)));
    containers.set(name, await bytesBelow(paths.filter((path) => !mounted.has(path))));
  }
  const files = POD_FILES.map((name) => join(podDirectory(context, uid), name));
  return { volumes, containers, files: await bytesBelow(files) };
}

/** Blocks below the paths, on their own file system. What vanishes meanwhile does not count. */
function bytesBelow(paths: readonly string[]): Promise<number> {
  return sumBelow(paths, '--block-size=1');
}

async function sumBelow(paths: readonly string[], unit: string): Promise<number> {
  const present = paths.filter((path) => existsSync(path));
  if (present.length === 0) return 0;
  const { stdout } = await run('du', ['-s', '-c', '-x', unit, ...present], { okCodes: [0, 1] });
  return Number(stdout.trim().split('\n').at(-1)?.split('\t')[0] ?? 0);
}
