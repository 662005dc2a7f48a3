/** Container disks that this repository builds itself, put into the node's image store when a manifest names them. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type {
  DataVolume,
  DataVolumeSpec,
  KubernetesObject,
  VirtualMachine,
  VirtualMachineInstance,
  VMISpec,
} from '@podvisor/api';
import { entriesBelow, type InstancePaths, run } from '@podvisor/sys';
import { whileTelling } from '../../output/still.ts';

/** Built by this repository itself. */
export const HELLO = 'podvisor.local/hello:1';

/** All container disk images that the objects ask for, also as sources of DataVolumes. */
export function imagesOf(objects: readonly KubernetesObject[]): ReadonlySet<string> {
  const images = new Set<string>();
  for (const object of objects)
    for (const volume of specOf(object)?.volumes ?? [])
      if (volume.containerDisk !== undefined) images.add(volume.containerDisk.image);
  for (const { source } of objects.flatMap(dataVolumesOf)) {
    const name = /^docker:\/\/(.+)$/.exec(source?.registry?.url ?? '')?.[1];
    if (name !== undefined) images.add(name);
  }
  return images;
}

function dataVolumesOf(object: KubernetesObject): readonly DataVolumeSpec[] {
  // Objects are as somebody wrote them: what is missing is told by the server.
  if (object.kind === 'DataVolume') return [(object as DataVolume).spec ?? {}];
  if (object.kind !== 'VirtualMachine') return [];
  return ((object as Partial<VirtualMachine>).spec?.dataVolumeTemplates ?? []).map(({ spec }) => spec ?? {});
}

function specOf(object: KubernetesObject): VMISpec | undefined {
  if (object.kind === 'VirtualMachine') return (object as Partial<VirtualMachine>).spec?.template?.spec;
  if (object.kind === 'VirtualMachineInstance') return (object as VirtualMachineInstance).spec;
  return undefined;
}

/** Builds and imports what is missing. `say` is told before each slow step. */
export async function ensureLocalImages(
  images: ReadonlySet<string>,
  root: string,
  paths: InstancePaths,
  say: (text: string) => void,
): Promise<void> {
  if (!images.has(HELLO)) return;
  const nodeAgent = join(paths.lib, 'node-agent.mjs');
  const node = join(paths.lib, 'node');
  // The name stays, its content follows the sources: what was made of older ones is made again.
  const sources = sourcesHash(join(root, 'images/hello'));
  const imported = join(paths.images, 'hello.sources');
  if (existsSync(imported) && readFileSync(imported, 'utf8') === sources) {
    const { code } = await run(node, [nodeAgent, 'image', 'exists', '--home', paths.home, HELLO], {
      okCodes: [0, 1],
    });
    if (code === 0) return;
  }
  const archive = join(root, `build/images/hello-${sources.slice(0, 12)}.tar`);
  if (!existsSync(archive)) {
    say(`building ${HELLO} from Debian's packages (once, about 15 s)`);
    const building = run(node, [join(root, 'images/hello/build.ts'), archive, HELLO], { timeoutMs: 600_000 });
    await whileTelling(`building ${HELLO}`, building);
  }
  await run(node, [nodeAgent, 'image', 'import', '--home', paths.home, archive, HELLO], {
    timeoutMs: 120_000,
  });
  writeFileSync(imported, sources);
}

function sourcesHash(directory: string): string {
  const hash = createHash('sha256');
  for (const entry of [...entriesBelow(directory)].toSorted((a, b) =>
    join(a.parentPath, a.name).localeCompare(join(b.parentPath, b.name)),
  )) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    hash.update(`${relative(directory, path)}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}
