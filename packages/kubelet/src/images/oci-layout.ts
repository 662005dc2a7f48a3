/**
 * Reads an OCI image layout on disk: index → manifest → configuration and layers. The documents are a registry's:
 * nothing is believed of their types or sizes.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageConfig } from './types.ts';

export interface LayoutImage {
  readonly manifestDigest: string;
  /** Digests, the bottom layer first. */
  readonly layers: readonly string[];
  readonly config: ImageConfig;
}

/** The layout is not one of an image. */
export class LayoutError extends Error {
  override readonly name = 'LayoutError';
}

type Fields = Readonly<Record<string, unknown>>;

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
/** What registries and tools allow for a manifest. */
const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;
const MAX_NESTING = 4;

/** Where a blob of the layout is. A digest is never a path. */
export function blobPath(layout: string, digest: string): string {
  const match = /^(?:(sha256):([0-9a-f]{64})|(sha512):([0-9a-f]{128}))$/.exec(digest);
  if (match === null) throw new LayoutError(`"${digest.slice(0, 200)}" is not a digest`);
  return join(layout, 'blobs', match[1] ?? match[3] ?? '', match[2] ?? match[4] ?? '');
}

/** Throws LayoutError. */
export function readLayout(layout: string): LayoutImage {
  let document = readDocument(join(layout, 'index.json'), 'index');
  let digest = '';
  // An index may point at further indexes, one per platform.
  for (let depth = 0; document['manifests'] !== undefined; depth += 1) {
    if (depth > MAX_NESTING) throw new LayoutError('the image index is nested too deeply');
    digest = digestOf(chosenOf(listOf(document['manifests'], 'the list of manifests')));
    document = readDocument(blobPath(layout, digest), 'manifest');
  }
  if (document['config'] === undefined) throw new LayoutError('the image manifest names no configuration');
  const file = readDocument(blobPath(layout, digestOf(document['config'])), 'configuration');
  const config = fieldsOf(file['config'] ?? {}, 'the configuration');
  return {
    manifestDigest: digest,
    layers: listOf(document['layers'] ?? [], 'the list of layers').map(digestOf),
    config: {
      env: textsOf(config['Env'], 'Env'),
      entrypoint: textsOf(config['Entrypoint'], 'Entrypoint'),
      command: textsOf(config['Cmd'], 'Cmd'),
      workingDir: textOf(config['WorkingDir'], 'WorkingDir') || '/',
      user: textOf(config['User'], 'User'),
    },
  };
}

/** The manifest of this machine's kind, or the first. */
function chosenOf(manifests: readonly unknown[]): unknown {
  const wanted = ARCHITECTURES[process.arch] ?? process.arch;
  const own = manifests.find((manifest) => {
    const platform = fieldsOf(fieldsOf(manifest, 'a manifest')['platform'] ?? {}, 'a platform');
    return platform['architecture'] === wanted && platform['os'] !== 'unknown';
  });
  const chosen = own ?? manifests[0];
  if (chosen === undefined) throw new LayoutError('the image index is empty');
  return chosen;
}

function readDocument(path: string, what: string): Fields {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new LayoutError(`the image ${what} is missing`);
  if (size > MAX_DOCUMENT_BYTES) throw new LayoutError(`the image ${what} has ${size} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new LayoutError(`the image ${what} is not JSON`, { cause });
  }
  return fieldsOf(value, `the image ${what}`);
}

function digestOf(descriptor: unknown): string {
  const { digest } = fieldsOf(descriptor, 'a descriptor');
  if (typeof digest !== 'string') throw new LayoutError('a descriptor has no digest');
  blobPath('', digest);
  return digest;
}

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new LayoutError(`${what} is not an object`);
  return value as Fields;
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new LayoutError(`${what} is not a list`);
  return value;
}

/** Go writes an empty list as null. */
function textsOf(value: unknown, what: string): readonly string[] {
  return listOf(value ?? [], what).map((item) => textOf(item, what));
}

function textOf(value: unknown, what: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new LayoutError(`${what} of the configuration is not text`);
  return value;
}
