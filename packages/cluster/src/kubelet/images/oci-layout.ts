/** Reads an OCI image layout on disk: index → manifest → configuration and layers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageConfig } from './types.ts';

interface Descriptor {
  readonly mediaType?: string;
  readonly digest: string;
  readonly platform?: { readonly architecture?: string; readonly os?: string };
}

interface Manifest {
  readonly manifests?: readonly Descriptor[];
  readonly config?: Descriptor;
  readonly layers?: readonly Descriptor[];
}

interface ConfigFile {
  readonly config?: {
    readonly Env?: readonly string[] | null;
    readonly Entrypoint?: readonly string[] | null;
    readonly Cmd?: readonly string[] | null;
    readonly WorkingDir?: string;
    readonly User?: string;
  };
}

export interface LayoutImage {
  readonly manifestDigest: string;
  /** Digests, the bottom layer first. */
  readonly layers: readonly string[];
  readonly config: ImageConfig;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Where a blob of the layout is. A digest is never a path. */
export function blobPath(layout: string, digest: string): string {
  const match = /^(sha256|sha512):([0-9a-f]+)$/.exec(digest);
  if (match === null) throw new Error(`"${digest}" is not a digest`);
  return join(layout, 'blobs', match[1] ?? '', match[2] ?? '');
}

export function readLayout(layout: string): LayoutImage {
  let document = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as Manifest;
  let digest = '';
  // An index may point at further indexes, one per platform.
  for (let depth = 0; document.manifests !== undefined; depth += 1) {
    if (depth > 4) throw new Error('the image index is nested too deeply');
    const wanted = ARCHITECTURES[process.arch] ?? process.arch;
    const chosen =
      document.manifests.find((m) => m.platform?.architecture === wanted && m.platform.os !== 'unknown') ??
      document.manifests[0];
    if (chosen === undefined) throw new Error('the image index is empty');
    digest = chosen.digest;
    document = JSON.parse(readFileSync(blobPath(layout, digest), 'utf8')) as Manifest;
  }
  if (document.config === undefined) throw new Error('the image manifest names no configuration');
  const { config = {} } = JSON.parse(
    readFileSync(blobPath(layout, document.config.digest), 'utf8'),
  ) as ConfigFile;
  return {
    manifestDigest: digest,
    layers: (document.layers ?? []).map((layer) => layer.digest),
    config: {
      env: config.Env ?? [],
      entrypoint: config.Entrypoint ?? [],
      command: config.Cmd ?? [],
      workingDir: config.WorkingDir || '/',
      user: config.User ?? '',
    },
  };
}
