/**
 * The OCI layout in the cache: umoci puts images together in it, layer by layer, skopeo carries them from it. A tag
 * names what was made of which content, so what is there under its tag need not be made again.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@podvisor/sys';
import { LAYER_TIME_SECONDS } from './tar-layer.ts';

const COMPRESS_TIMEOUT_MS = 900_000;

export interface StoredImage {
  /** Of the manifest. */
  readonly digest: string;
  readonly layers: readonly { readonly digest: string; readonly size: number }[];
}

export interface ImageSettings {
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Seconds since 1970. */
  readonly created: number;
}

interface Descriptor {
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

export class OciStore {
  readonly #layout: string;

  constructor(layout: string) {
    this.#layout = layout;
  }

  /** Makes the layout and an image without layers in it. */
  async prepare(): Promise<void> {
    if (!existsSync(join(this.#layout, 'oci-layout'))) await run('umoci', ['init', '--layout', this.#layout]);
    if (!this.has(EMPTY)) await run('umoci', ['new', '--image', `${this.#layout}:${EMPTY}`]);
  }

  has(tag: string): boolean {
    return this.#manifests().has(tag);
  }

  /** Puts an uncompressed layer on top of `from`; the result is `tag`. */
  async addLayer(from: string, tag: string, archive: string, what: string): Promise<void> {
    await run(
      'umoci',
      [
        ...['raw', 'add-layer', '--image', `${this.#layout}:${from}`, '--tag', tag],
        ...['--history.created', isoTime(LAYER_TIME_SECONDS), '--history.created_by', what],
        archive,
      ],
      { timeoutMs: COMPRESS_TIMEOUT_MS },
    );
  }

  /** `from` with other settings is `tag`. */
  async configure(
    from: string,
    tag: string,
    { user, entrypoint, env, labels, created }: ImageSettings,
  ): Promise<void> {
    const each = (flag: string, values: Readonly<Record<string, string>>): string[] =>
      Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`]);
    await run('umoci', [
      ...['config', '--image', `${this.#layout}:${from}`, '--tag', tag, '--no-history'],
      ...['--os', 'linux', '--architecture', 'amd64', '--created', isoTime(created)],
      ...['--config.user', user, '--config.workingdir', '/'],
      ...entrypoint.flatMap((word) => ['--config.entrypoint', word]),
      ...each('--config.env', env),
      ...each('--config.label', labels),
    ]);
  }

  read(tag: string): StoredImage {
    const digest = this.#manifests().get(tag);
    if (digest === undefined) throw new Error(`${this.#layout} has no image ${tag}`);
    const { layers } = JSON.parse(this.#blob(digest)) as { readonly layers: readonly Descriptor[] };
    return { digest, layers: layers.map((layer) => ({ digest: layer.digest, size: layer.size })) };
  }

  /** skopeo's name of an image in here. */
  source(tag: string): string {
    return `oci:${this.#layout}:${tag}`;
  }

  /** Removes images by tag, and what only they had. */
  async remove(isUnwanted: (tag: string) => boolean): Promise<void> {
    const unwanted = [...this.#manifests().keys()].filter(isUnwanted);
    for (const tag of unwanted) await run('umoci', ['rm', '--image', `${this.#layout}:${tag}`]);
    if (unwanted.length > 0) this.#removeUnused();
  }

  /** As `umoci gc`, which reads every layer to its end and takes as long as packing them. */
  #removeUnused(): void {
    const used = new Set(
      [...this.#manifests().values()].flatMap((digest) => [digest, ...this.#partsOf(digest)]),
    );
    const blobs = join(this.#layout, 'blobs/sha256');
    for (const name of readdirSync(blobs)) if (!used.has(`sha256:${name}`)) rmSync(join(blobs, name));
  }

  #partsOf(digest: string): readonly string[] {
    const { config, layers } = JSON.parse(this.#blob(digest)) as {
      readonly config: Descriptor;
      readonly layers: readonly Descriptor[] | null;
    };
    return [config.digest, ...(layers ?? []).map((layer) => layer.digest)];
  }

  #manifests(): ReadonlyMap<string, string> {
    const { manifests } = JSON.parse(readFileSync(join(this.#layout, 'index.json'), 'utf8')) as {
      readonly manifests: readonly Descriptor[] | null;
    };
    return new Map(
      (manifests ?? []).map(({ annotations, digest }) => [
        annotations?.['org.opencontainers.image.ref.name'] ?? '',
        digest,
      ]),
    );
  }

  #blob(digest: string): string {
    return readFileSync(join(this.#layout, 'blobs', digest.replace(':', '/')), 'utf8');
  }
}

/** An image without layers, on which all are built. */
export const EMPTY = 'empty';

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
