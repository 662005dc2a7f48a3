/**
 * What tests of DataVolumes need of their home: on a cluster of somebody else DataVolumes are asked for (where CDI is,
 * it provides them), images come out of this checkout, and bytes of claims by exports.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { resources } from '@podvisor/kube';
import { eventually } from './eventually.ts';
import { isForeign } from './home.ts';
import { type Instance, root } from './instance.ts';
import { machineAddress } from './network-world.ts';

const KUBEVIRT = { namespace: 'kubevirt', name: 'kubevirt' };

/** Resolves when somebody fills DataVolumes. */
export async function askForDataVolumes(instance: Instance): Promise<void> {
  if (!isForeign) return;
  const manifest = join(instance.home, 'kubevirt.json');
  const developerConfiguration = { featureGates: ['DataVolumes'] };
  const spec = { configuration: { developerConfiguration } };
  const kind = { apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt' };
  writeFileSync(manifest, JSON.stringify({ ...kind, metadata: KUBEVIRT, spec }));
  await instance.up(manifest);
  await eventually('somebody fills DataVolumes', 120_000, async () => {
    const found = await instance.client.get(resources.kubeVirts, KUBEVIRT);
    const { conditions = [] } = found.status ?? {};
    const reason = conditions.find(({ type }) => type === 'DataVolumes')?.reason;
    const isDone = conditions.some(({ type, status }) => type === 'Progressing' && status === 'False');
    return isDone && (reason === 'Installed' || reason === 'ProvidedByOthers') ? true : undefined;
  });
}

/** The disk of the usual guest as a file of this machine: out of the home's images, or of the archive of this checkout. */
export function helloDisk({ home }: Instance): string {
  const layers = join(home, 'images/layers');
  if (!isForeign) return join(layers, readdirSync(layers)[0] ?? '', 'files/disk/hello.qcow2');
  const built = join(root, 'build/images');
  const archive = readdirSync(built).find((name) => /^hello-.*\.tar$/.test(name));
  assert.ok(archive, 'an image of the usual guest: ./podvisor up examples/hello.yaml once');
  const work = join(home, 'hello');
  mkdirSync(work);
  execFileSync('tar', ['-xf', join(built, archive), '-C', work]);
  const blobs = join(work, 'blobs/sha256');
  const json = (digest: string): Record<string, never> =>
    JSON.parse(readFileSync(join(blobs, digest.replace('sha256:', '')), 'utf8')) as Record<string, never>;
  const index = JSON.parse(readFileSync(join(work, 'index.json'), 'utf8')) as {
    readonly manifests: readonly [{ readonly digest: string }];
  };
  const { layers: found } = json(index.manifests[0].digest) as unknown as {
    readonly layers: readonly [{ readonly digest: string }];
  };
  execFileSync('tar', ['-xf', join(blobs, found[0].digest.replace('sha256:', '')), '-C', work]);
  return join(work, 'disk/hello.qcow2');
}

/** An address of this machine that every Pod reaches. */
export async function addressForPods({ client, podCidr }: Instance): Promise<string> {
  // In a home: the API server's address among Services.
  if (!isForeign) return podCidr.replace(/\.0\.0\/16$/, '.96.1');
  const [node] = (await client.list(resources.nodes, {})).items;
  return machineAddress(node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '');
}

/** The image in a claim that no Pod uses, as a file of this machine. */
export async function diskOf(instance: Instance, name: string): Promise<string> {
  if (!isForeign) {
    const key = { namespace: 'default', name };
    const { spec } = await instance.client.get(resources.persistentVolumeClaims, key);
    return join(instance.home, 'volumes', spec.volumeName ?? '', 'disk.img');
  }
  const packed = join(instance.home, `${name}.gz`);
  const words = ['vmexport', 'download', `read-${name}`, `--pvc=${name}`, `--output=${packed}`];
  const { code, stdout, stderr } = await instance.virtctl(...words, '--port-forward');
  assert.equal(code, 0, stdout + stderr);
  const disk = join(instance.home, `${name}.img`);
  writeFileSync(disk, gunzipSync(readFileSync(packed)));
  rmSync(packed);
  return disk;
}
