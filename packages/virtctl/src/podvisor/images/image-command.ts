/** `podvisor image`: the images of this machine, for container disks and DataVolumes without a registry. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject, Pod } from '@podvisor/api';
import { KubeClient, resources } from '@podvisor/kube';
import { defaultHome, type InstancePaths, instancePaths, readPidFile, run } from '@podvisor/sys';
import { table } from '../../output/table.ts';
import { isArchive, packDisk } from './disk-image.ts';
import { accessibleHome } from '../home/home-access.ts';
import { usersOf } from './image-users.ts';
import { Progress, type ProgressMode } from '../../progress.ts';
import { ensureLocalImages, HELLO } from './local-images.ts';
import { withRegistry } from './references.ts';

const TIMEOUT_MS = 1_800_000;
const MIB = 1024 * 1024;

interface StoredImage {
  readonly name: string;
  readonly bytes: number;
}

/** The home's own program for its image store; throws where there is no home. */
function storeOf(): { readonly paths: InstancePaths; image(...args: string[]): Promise<string> } {
  const paths = instancePaths(defaultHome());
  accessibleHome(paths.home);
  const nodeAgent = join(paths.lib, 'node-agent.mjs');
  if (!existsSync(nodeAgent)) throw new Error(`${paths.home} is not set up yet: run \`podvisor up\` first`);
  return {
    paths,
    image: async (verb, ...rest) => {
      const args = [nodeAgent, 'image', verb, '--home', paths.home, ...rest];
      return (await run(join(paths.lib, 'node'), args, { timeoutMs: TIMEOUT_MS })).stdout;
    },
  };
}

/** Loads an OCI layout, an OCI archive or a docker archive under a name; makes a container disk of a disk image. */
export async function importImage(file: string, name: string, mode: ProgressMode): Promise<void> {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  if (!isArchive(file)) return await buildOf(file, name, mode);
  const { image } = storeOf();
  withRegistry(name);
  process.stdout.write(await image('import', file, name));
}

/** `hello`, which this repository makes itself, or a container disk of a disk image. */
export async function buildImage(
  root: string,
  name: string,
  disk: string | undefined,
  mode: ProgressMode,
): Promise<void> {
  if (disk !== undefined) return await buildOf(disk, name, mode);
  if (name !== 'hello' && name !== HELLO)
    throw new Error(`--disk FILE says what ${name} is made of; without it only \`hello\` can be built`);
  const { paths } = storeOf();
  await ensureLocalImages(new Set([HELLO]), root, paths, (text) => console.log(text));
  console.log(`${HELLO} is there`);
}

async function buildOf(file: string, name: string, mode: ProgressMode): Promise<void> {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const reference = withRegistry(name);
  const { paths, image } = storeOf();
  // Beside the images: a disk must fit there anyway, and /tmp may be small.
  mkdirSync(paths.images, { recursive: true });
  const work = mkdtempSync(join(paths.images, 'building.'));
  try {
    const layout = join(work, 'layout');
    const progress = new Progress({ what: 'image build', mode, out: process.stderr, now: Date.now });
    const info = await packDisk(file, reference, layout, progress);
    await image('import', layout, reference);
    const size = Math.round(info['virtual-size'] / MIB);
    console.log(
      `${reference}: a disk of ${size} MiB from ${file}. In a VM: containerDisk: {image: ${reference}}`,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function storedImages({
  image,
}: Pick<ReturnType<typeof storeOf>, 'image'>): Promise<readonly StoredImage[]> {
  return JSON.parse(await image('list')) as readonly StoredImage[];
}

/** For completion. */
export async function imageNames(): Promise<readonly string[]> {
  return (await storedImages(storeOf())).map(({ name }) => name);
}

export async function listImages(): Promise<void> {
  const { paths, image } = storeOf();
  const images = await storedImages({ image });
  const cluster = await clusterOf(paths).catch(() => undefined);
  const rows = images.map(({ name, bytes }) => [
    name,
    `${(bytes / MIB).toFixed(1)} MiB`,
    cluster === undefined ? 'not known' : usersOf(name, ...cluster).join(', ') || 'nobody',
  ]);
  console.log(table(['Name', 'Size', 'Used by'], rows));
  if (cluster === undefined) console.log('Who uses them is known while the home runs: podvisor up');
}

export async function removeImage(name: string): Promise<void> {
  const { paths, image } = storeOf();
  const images = await storedImages({ image });
  const found = images.find((one) => one.name === name || one.name === withRegistry(name));
  if (found === undefined)
    throw new Error(
      `there is no image ${name}; there are: ${images.map((one) => one.name).join(', ') || 'none'}`,
    );
  const isDown = readPidFile(`${paths.run}/supervisor.pid`) === undefined;
  // While the home is up and does not answer, who uses the image is not known.
  const users = isDown ? [] : usersOf(found.name, ...(await clusterOf(paths)));
  if (users.length > 0) throw new Error(`${found.name} is used by ${users.join(', ')}`);
  await image('remove', found.name);
  console.log(`${found.name} is removed (${(found.bytes / MIB).toFixed(1)} MiB)`);
}

async function clusterOf({
  kubeconfig,
}: InstancePaths): Promise<[readonly KubernetesObject[], readonly Pod[]]> {
  const client = KubeClient.fromKubeconfig(kubeconfig, 'podvisor');
  const signal = AbortSignal.timeout(10_000);
  const [vms, vmis, volumes, pods] = await Promise.all([
    client.list(resources.virtualMachines, {}, signal),
    client.list(resources.virtualMachineInstances, {}, signal),
    client.list(resources.dataVolumes, {}, signal),
    client.list(resources.pods, {}, signal),
  ]);
  const kinded = (kind: string, items: readonly KubernetesObject[]): readonly KubernetesObject[] =>
    items.map((item) => ({ ...item, kind }));
  const objects = [
    ...kinded('VirtualMachine', vms.items),
    ...kinded('VirtualMachineInstance', vmis.items),
    ...kinded('DataVolume', volumes.items),
  ];
  return [objects, pods.items];
}
