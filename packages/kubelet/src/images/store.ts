/**
 * The images of this machine: unpacked layers by digest, and which name means which layers. Shared by all
 * nodes of the instance; everything is made beside its place and renamed, so that a crash leaves nothing
 * half made that looks whole.
 */
import { existsSync, lstatSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DialPolicy, messageOf, memberOf } from '@podvisor/base';
import {
  type CheckedNetwork,
  embeddedProgram,
  entriesBelow,
  openCheckedNetwork,
  readJson,
  removeTree,
  run,
  writeJson,
} from '@podvisor/sys';
import { launcherRootDirectory, launcherRootImage } from './launcher-root.ts';
import { blobPath, type LayoutImage, readLayout } from './oci-layout.ts';
import { watchPull } from './pull-progress.ts';
import { formatReference, parseReference } from './reference.ts';
import { checkRegistry, isLocalRegistry } from './registry-host.ts';
import { pullCause } from './pull-cause.ts';
import { type Image, type ImageConfig, ImageError, type PullPolicy } from './types.ts';
import { layerDirectories, unpackLayer } from './unpack.ts';

interface IndexEntry {
  readonly id: string;
  readonly layers: readonly string[];
  readonly config: ImageConfig;
}

export interface StoredImage {
  readonly name: string;
  readonly id: string;
  readonly bytes: number;
}

export interface EnsureOptions {
  /** Absent: as Kubernetes defaults it from the tag. */
  readonly policy?: PullPolicy;
  /** Ends waiting; the pull itself goes on for others. */
  readonly signal?: AbortSignal;
  onProgress?(progress: PullProgress): void;
  /** A docker configuration with `auths`; asked for only when something is pulled. */
  credentials?(): Promise<string | undefined>;
}

/** What is told of a pull: reason and message of an event. */
export interface PullProgress {
  readonly reason: 'Pulling' | 'Pulled';
  readonly message: string;
}

const PULL_TIMEOUT_MS = 1_800_000;

export class ImageStore {
  readonly #directory: string;
  readonly #policy: DialPolicy;
  /** Work under way, by name: two Pods that need one image pull it once. */
  readonly #pulls = new Map<string, Promise<Image>>();

  /** `policy`: registries that may be dialled although they are on this machine. */
  constructor(directory: string, policy: DialPolicy = {}) {
    this.#directory = directory;
    this.#policy = policy;
  }

  /** The image of this name if it is here. */
  resolve(reference: string): Image | undefined {
    const name = formatReference(parseReference(reference));
    const index = this.#index();
    // An image that was loaded by a tag is also there by its digest.
    const entry = memberOf(index, name) ?? Object.values(index).find(({ id }) => id === name);
    if (entry === undefined) return undefined;
    const layers = entry.layers.flatMap((digest) => layerDirectories(this.#layer(digest)));
    return { reference: name, id: entry.id, layers, config: entry.config };
  }

  /** All images that are here, by name. `bytes`: what their layers take on the disk; layers may be shared. */
  list(): readonly StoredImage[] {
    return Object.entries(this.#index()).map(([name, { id, layers }]) => ({
      name,
      id,
      bytes: layers.reduce((sum, digest) => sum + bytesBelow(this.#layer(digest)), 0),
    }));
  }

  /** Forgets a name, and removes the layers that no other has. False: there is no such image. */
  async remove(reference: string): Promise<boolean> {
    const name = formatReference(parseReference(reference));
    const { [name]: entry, ...others } = this.#index();
    if (entry === undefined) return false;
    writeJson(join(this.#directory, 'index.json'), others);
    const kept = new Set(Object.values(others).flatMap(({ layers }) => layers));
    for (const digest of entry.layers.filter((one) => !kept.has(one))) await removeTree(this.#layer(digest));
    return true;
  }

  /** The image, fetched from its registry if the policy says so. Throws ImageError. */
  async ensure(reference: string, options: EnsureOptions = {}): Promise<Image> {
    const { policy, signal, onProgress } = options;
    const program = embeddedProgram(reference);
    if (program !== undefined)
      return await launcherRootImage(launcherRootDirectory(this.#directory), program);
    const parsed = parseReference(reference);
    const effective = policy ?? (parsed.tag === 'latest' ? 'Always' : 'IfNotPresent');
    const present = this.resolve(reference);
    if (present !== undefined && (effective !== 'Always' || parsed.digest !== undefined)) return present;
    if (effective === 'Never') {
      if (present !== undefined) return present;
      throw new ImageError(
        'ErrImageNeverPull',
        reference,
        `Container image "${reference}" is not present with pull policy of Never`,
      );
    }
    const name = formatReference(parsed);
    // Images that were loaded by hand have no registry behind them: "Always" cannot fetch them again.
    if (present !== undefined && isLocalRegistry(parsed.registry)) return present;
    await checkRegistry(name, parsed.registry, this.#policy);
    onProgress?.({ reason: 'Pulling', message: `Pulling image "${reference}"` });
    const startedMs = performance.now();
    const tell = (text: string): void =>
      onProgress?.({ reason: 'Pulling', message: `Pulling image "${reference}": ${text}` });
    const pull = this.#once(name, async () =>
      this.#fetch(name, `docker://${name}`, parsed.registry, await options.credentials?.(), tell),
    );
    const image = await abortable(pull, signal);
    const took = `${Math.round(performance.now() - startedMs)}ms`;
    const message = `Successfully pulled image "${reference}" in ${took}, as ${image.id}`;
    onProgress?.({ reason: 'Pulled', message });
    return image;
  }

  /** Loads an OCI layout (directory), an OCI archive or a docker archive under the given name. */
  async importArchive(path: string, reference: string): Promise<Image> {
    const name = formatReference(parseReference(reference));
    const { stdout } = existsSync(join(path, 'oci-layout'))
      ? { stdout: 'index.json\n' }
      : await run('tar', ['--list', '--file', path]);
    const isOci = stdout.split('\n').some((member) => member.replace(/^\.\//, '') === 'index.json');
    const transport = existsSync(join(path, 'oci-layout')) ? 'oci' : isOci ? 'oci-archive' : 'docker-archive';
    return await this.#once(name, () => this.#fetch(name, `${transport}:${path}`, undefined));
  }

  #once(name: string, work: () => Promise<Image>): Promise<Image> {
    const running = this.#pulls.get(name);
    if (running !== undefined) return running;
    const promise = work().finally(() => this.#pulls.delete(name));
    this.#pulls.set(name, promise);
    return promise;
  }

  async #fetch(
    name: string,
    source: string,
    registry: string | undefined,
    credentials?: string,
    tell: (text: string) => void = () => undefined,
  ): Promise<Image> {
    await mkdir(this.#directory, { recursive: true });
    const layout = await mkdtemp(join(this.#directory, 'incoming.'));
    try {
      const authFile = credentials === undefined ? undefined : join(layout, 'credentials');
      if (authFile !== undefined) await writeFile(authFile, credentials ?? '', { mode: 0o600 });
      await using network =
        registry === undefined || !isProxied(registry) ? undefined : await openCheckedNetwork(this.#policy);
      const options = { ...sourceOptions(registry, authFile), network };
      let totalBytes: number | undefined;
      if (registry !== undefined) void layerBytes(source, options).then((bytes) => (totalBytes = bytes));
      const stop = watchPull(layout, () => totalBytes, tell);
      try {
        await copyImage(name, source, join(layout, 'oci'), registry, options);
      } finally {
        stop();
      }
      const image = readLayout(join(layout, 'oci'));
      for (const digest of image.layers)
        await unpackLayer(blobPath(join(layout, 'oci'), digest), this.#layer(digest));
      this.#remember(name, image);
    } finally {
      await rm(layout, { recursive: true, force: true });
    }
    const stored = this.resolve(name);
    if (stored === undefined)
      throw new ImageError('ErrImagePull', name, `image "${name}" vanished after it was stored`);
    return stored;
  }

  #remember(name: string, image: LayoutImage): void {
    const tag = name.slice(name.lastIndexOf('/') + 1).search(/[@:]/);
    const repository = tag === -1 ? name : name.slice(0, name.lastIndexOf('/') + 1 + tag);
    const entry: IndexEntry = {
      id: `${repository}@${image.manifestDigest}`,
      layers: image.layers.toReversed(),
      config: image.config,
    };
    writeJson(join(this.#directory, 'index.json'), { ...this.#index(), [name]: entry });
  }

  #index(): Readonly<Record<string, IndexEntry>> {
    return (readJson(join(this.#directory, 'index.json')) ?? {}) as Readonly<Record<string, IndexEntry>>;
  }

  #layer(digest: string): string {
    return join(this.#directory, 'layers', digest.replace(':', '-'));
  }
}

function bytesBelow(directory: string): number {
  let bytes = 0;
  for (const { parentPath, name } of existsSync(directory) ? entriesBelow(directory) : [])
    bytes += lstatSync(join(parentPath, name)).blocks * 512;
  return bytes;
}

interface SourceOptions {
  /** Where the tool runs; undefined: it needs none, or the administrator's own. */
  readonly network: CheckedNetwork | undefined;
  readonly isPlain: boolean;
  readonly authFile: string | undefined;
}

/**
 * A registry on this machine is the administrator's, and Go's tools dial loopback past any proxy. Where the node agent
 * has a proxy to reach the world by, that one decides.
 */
function isProxied(registry: string): boolean {
  const own = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
  return !isLocalRegistry(registry) && own.every((name) => (process.env[name] ?? '') === '');
}

function sourceOptions(
  registry: string | undefined,
  authFile: string | undefined,
): Omit<SourceOptions, 'network'> {
  return { isPlain: registry !== undefined && isLocalRegistry(registry), authFile };
}

/** What the layers weigh, packed; undefined when the registry does not say. */
async function layerBytes(
  source: string,
  { isPlain, authFile, network }: SourceOptions,
): Promise<number | undefined> {
  const options = [
    ...(isPlain ? ['--tls-verify=false'] : []),
    ...(authFile === undefined ? [] : ['--authfile', authFile]),
  ];
  try {
    const { stdout } = await (network?.run ?? run)('skopeo', ['inspect', '--no-tags', ...options, source]);
    const { LayersData = [] } = JSON.parse(stdout) as {
      readonly LayersData?: readonly { readonly Size?: number }[];
    };
    return LayersData.reduce((sum, { Size = 0 }) => sum + Size, 0);
  } catch {
    return undefined; // the pull itself will say what is wrong
  }
}

async function copyImage(
  name: string,
  source: string,
  layout: string,
  registry: string | undefined,
  { isPlain, authFile, network }: SourceOptions,
): Promise<void> {
  const options = [
    ...(isPlain ? ['--src-tls-verify=false'] : []),
    ...(authFile === undefined ? [] : ['--src-authfile', authFile]),
  ];
  try {
    const args = ['copy', '--insecure-policy', '--quiet', ...options, source, `oci:${layout}:image`];
    await (network?.run ?? run)('skopeo', args, { timeoutMs: PULL_TIMEOUT_MS });
  } catch (error) {
    const what = registry === undefined ? `failed to load image "${name}"` : `failed to pull image "${name}"`;
    const cause = network?.refusals[0] ?? pullCause(messageOf(error));
    throw new ImageError('ErrImagePull', name, `${what}: ${cause}`, error);
  }
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
