/** `podvisor images build`: the images of the components, for a Kubernetes that is not ours. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from '@podvisor/sys';
import type { Command } from 'commander';
import { table } from '../../output/table.ts';
import { VERSION } from '../../version.ts';
import { type BuildOptions, type BuiltImage, buildImages } from './build.ts';
import { pushImages, saveImages } from './carry.ts';
import type { ImageRecipe } from './recipes.ts';
import { chosenImages, LOCAL_PREFIX, prefixArgument, referenceOf, tagArgument } from './references.ts';

interface Flags {
  readonly push?: string;
  readonly save?: string;
  readonly tag: string;
  readonly cache?: string;
  readonly mirror: readonly string[];
  readonly refresh: boolean;
  readonly offline: boolean;
  readonly check: boolean;
}

export function addImagesCommand(program: Command, root: string): void {
  program
    .command('images')
    .description('Images of the components, for a Kubernetes cluster.')
    .command('build [names...]')
    .description('Build the images (or those named) from Debian packages and this checkout.')
    .option('--push <prefix>', 'push them to REGISTRY/PATH, as PREFIX/NAME:TAG', prefixArgument)
    .option('--save <dir>', 'write them as OCI archives, with their lists of packages (SPDX)')
    .option('--tag <tag>', 'their tag', tagArgument, VERSION)
    .option('--refresh', 'ask Debian for newer packages than those in the cache', false)
    .option('--offline', 'take packages from the cache, or fail', false)
    .option('--check', 'build everything a second time, in an empty cache, and compare the digests', false)
    .option('--mirror <url>', 'Debian mirror; more than once for more', collect, [])
    .option('--cache <dir>', 'where layers are kept for the next build (default ~/.cache/podvisor/images)')
    .addHelpText('after', HELP)
    .action((names: readonly string[], flags: Flags) => imagesBuild(root, names, flags));
}

const HELP = `
Needs root, and the network for Debian's packages when the cache does not have them.
Credentials for --push are those of \`skopeo login\` or \`docker login\`.

Examples:
  podvisor images build --save /tmp/images
  podvisor images build --push registry.example.com/podvisor --tag v1.0.0
  podvisor images build virt-api --check`;

async function imagesBuild(root: string, names: readonly string[], flags: Flags): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error('podvisor images build needs root: files in images belong to root');
  if (flags.offline && (flags.refresh || flags.check))
    throw new Error('--offline fetches no packages, which --refresh and --check do: leave one out');
  const startedAt = Date.now();
  const say = (text: string): void =>
    console.error(`${`${Math.round((Date.now() - startedAt) / 1000)} s`.padStart(5)}  ${text}`);
  const options: BuildOptions = {
    root,
    cache: resolve(flags.cache ?? defaultCache()),
    images: startable(root, chosenImages(names), say),
    tag: flags.tag,
    created: await createdTime(root),
    mirrors: flags.mirror,
    refresh: flags.refresh,
    offline: flags.offline,
    say,
  };
  const images = await buildImages(options);
  if (flags.check) await check(options, images);
  const prefix = flags.push ?? LOCAL_PREFIX;
  if (flags.save !== undefined)
    await saveImages(images, { directory: resolve(flags.save), prefix, tag: flags.tag }, say);
  if (flags.push !== undefined) await pushImages(images, { prefix, tag: flags.tag }, say);
  console.log(listing(images, prefix, flags.tag));
  assertSizes(images);
  console.log(`Images are built in ${Math.round((Date.now() - startedAt) / 1000)} s. ${nextStep(flags)}`);
}

/** Without the images of programs that this checkout does not have. */
function startable(
  root: string,
  images: readonly ImageRecipe[],
  say: (text: string) => void,
): readonly ImageRecipe[] {
  return images.filter(({ name, bundles, binaries = [] }) => {
    const files = [...bundles.map((bundle) => `${bundle}.mjs`), ...binaries];
    const missing = files.filter((file) => !existsSync(join(root, 'dist', file)));
    if (missing.length > 0) say(`${name} is left out: this checkout has no program ${missing.join(', ')}`);
    return missing.length === 0;
  });
}

/** SOURCE_DATE_EPOCH, or the time of the commit; a checkout without history has no time. */
async function createdTime(root: string): Promise<number> {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined) {
    if (!/^\d{1,10}$/.test(given)) throw new Error('SOURCE_DATE_EPOCH must be seconds since 1970');
    return Number(given);
  }
  try {
    const { stdout } = await run('git', ['-C', root, 'log', '-1', '--format=%ct']);
    return Number(stdout.trim());
  } catch {
    return 0; // an unpacked archive of the sources
  }
}

/** Throws when a second build, which has nothing of the first, gives other images. */
async function check(options: BuildOptions, images: readonly BuiltImage[]): Promise<void> {
  options.say('once more, in an empty cache');
  const cache = mkdtempSync(join(options.cache, 'check.'));
  try {
    const again = await buildImages({ ...options, cache });
    const differing = images.filter(({ digest }, index) => digest !== again[index]?.digest);
    if (differing.length > 0)
      throw new Error(
        `the second build of ${differing.map(({ name }) => name).join(', ')} has another digest. Debian's packages may be newer than those in the cache: build with --refresh --check`,
      );
    options.say(`the second build has the same ${images.length} digests`);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

const MIB = 1024 * 1024;

export function mebibytes(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}

function listing(images: readonly BuiltImage[], prefix: string, tag: string): string {
  return table(
    ['IMAGE', 'MIB', 'OWN MIB', 'LIMIT', 'PACKAGES', 'DIGEST'],
    images.map(({ name, bytes, ownBytes, limitBytes, packages, digest }) => [
      referenceOf(prefix, name, tag),
      mebibytes(bytes),
      mebibytes(ownBytes),
      mebibytes(limitBytes),
      String(packages),
      digest,
    ]),
  );
}

/** The gate of SPECIFICATION.md. */
export function assertSizes(images: readonly Pick<BuiltImage, 'name' | 'bytes' | 'limitBytes'>[]): void {
  const large = images.filter(({ bytes, limitBytes }) => bytes > limitBytes);
  if (large.length === 0) return;
  const each = large.map(
    ({ name, bytes, limitBytes }) => `${name} has ${mebibytes(bytes)} of ${mebibytes(limitBytes)} MiB`,
  );
  throw new Error(`images are larger than they may be: ${each.join(', ')}`);
}

function nextStep({ push, save, tag }: Flags): string {
  if (push !== undefined) return `A cluster finds them as ${referenceOf(push, 'NAME', tag)}.`;
  if (save !== undefined)
    return `Next: podvisor image import ${join(save, 'NAME.tar')} NAME, or --push PREFIX.`;
  return 'Next: --save DIR writes them to files, --push PREFIX to a registry.';
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function defaultCache(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'podvisor/images');
}
