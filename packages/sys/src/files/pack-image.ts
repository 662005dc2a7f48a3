/** A container image of one layer, made of a directory: an OCI layout that skopeo and every registry take. */
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from '../processes/run.ts';

const TYPES = 'application/vnd.oci.image';
/** A disk of some gigabytes is written and read once each. */
const PACK_MS = 3_600_000;

export interface PackOptions {
  /** Its content becomes the image's root. */
  readonly directory: string;
  /** Made here; must not exist. */
  readonly layout: string;
  /** The image's name inside the layout. */
  readonly reference: string;
  /** Who owns all files in the image. */
  readonly user: number;
  /** Who its containers run as when their Pod does not say; root unless told. */
  readonly runAs?: number;
}

export async function packImage({ directory, layout, reference, user, runAs }: PackOptions): Promise<void> {
  const blobs = join(layout, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const unnamed = join(blobs, 'layer');
  const owner = [`--owner=${user}`, `--group=${user}`, '--mode=u=rwX,go=rX', '--mtime=@0', '--sort=name'];
  await run('tar', [...owner, '-cf', unnamed, '-C', directory, '.'], {
    timeoutMs: PACK_MS,
  });
  const hash = createHash('sha256');
  await pipeline(createReadStream(unnamed), hash);
  const digest = hash.digest('hex');
  renameSync(unnamed, join(blobs, digest));
  const layer = { digest: `sha256:${digest}`, size: statSync(join(blobs, digest)).size };
  const put = (value: object): { readonly digest: string; readonly size: number } => {
    const content = Buffer.from(JSON.stringify(value));
    const name = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(blobs, name), content);
    return { digest: `sha256:${name}`, size: content.length };
  };
  const config = put({
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    config: runAs === undefined ? {} : { User: String(runAs) },
    rootfs: { type: 'layers', diff_ids: [layer.digest] },
  });
  const mediaType = `${TYPES}.manifest.v1+json`;
  const manifest = put({
    schemaVersion: 2,
    mediaType,
    config: { mediaType: `${TYPES}.config.v1+json`, ...config },
    layers: [{ mediaType: `${TYPES}.layer.v1.tar`, ...layer }],
  });
  const annotations = { 'org.opencontainers.image.ref.name': reference };
  const index = { schemaVersion: 2, manifests: [{ mediaType, ...manifest, annotations }] };
  writeFileSync(join(layout, 'index.json'), JSON.stringify(index));
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
}
