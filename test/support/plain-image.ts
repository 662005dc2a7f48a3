/** Images of a few files, made here and loaded into a home, so that no test needs a registry. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Instance } from './instance.ts';

const TYPES = 'application/vnd.oci.image';

/** Loads an image under `name`. `fill` writes its files into a directory; a busybox unless told. */
export async function importImage(
  instance: Instance,
  name: string,
  fill: (directory: string) => void = busybox,
): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'podvisor-image-'));
  try {
    const files = join(work, 'files');
    mkdirSync(files);
    fill(files);
    const layer = execFileSync('tar', ['--create', '--owner=0', '--group=0', '-C', files, '.'], {
      maxBuffer: 64 * 1024 * 1024,
    });
    const layout = join(work, 'layout');
    writeLayout(layout, layer);
    const { code, stderr } = await instance.podvisor(['image', 'import', layout, name]);
    assert.equal(code, 0, stderr);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Fills an image with the host's busybox, which is one static program, and names for its tools. */
export function busybox(directory: string): void {
  mkdirSync(join(directory, 'bin'));
  copyFileSync('/bin/busybox', join(directory, 'bin/busybox'));
  chmodSync(join(directory, 'bin/busybox'), 0o755);
  for (const tool of [
    'sh',
    'cat',
    'dd',
    'sleep',
    'ls',
    'ln',
    'sync',
    'rm',
    'mkdir',
    'echo',
    'nc',
    'df',
    'id',
  ])
    symlinkSync('busybox', join(directory, 'bin', tool));
  for (const path of ['tmp', 'etc']) mkdirSync(join(directory, path));
}

function writeLayout(layout: string, layer: Buffer): void {
  const put = (content: Buffer, mediaType: string): object => {
    const digest = createHash('sha256').update(content).digest('hex');
    const path = join(layout, 'blobs/sha256', digest);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return { mediaType, digest: `sha256:${digest}`, size: content.length };
  };
  const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
  const diff = createHash('sha256').update(layer).digest('hex');
  const config = {
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    config: {},
    rootfs: { type: 'layers', diff_ids: [`sha256:${diff}`] },
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: `${TYPES}.manifest.v1+json`,
    config: put(json(config), `${TYPES}.config.v1+json`),
    layers: [put(layer, `${TYPES}.layer.v1.tar`)],
  };
  const entry = put(json(manifest), manifest.mediaType);
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(join(layout, 'index.json'), json({ schemaVersion: 2, manifests: [entry] }));
}
