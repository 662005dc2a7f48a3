/**
 * The layers of Debian's packages, one for each set, each without what those that it is on have. mmdebstrap finds, fetches,
 * checks (apt's signatures) and unpacks; no maintainer script runs, so nothing of this machine gets in. What scripts
 * would have written and programs need (users, certificates, links) is written here.
 */
import { launcherPaths } from '@podvisor/api';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { entriesBelow, run, startProcess } from '@podvisor/sys';
import {
  type DebianPackage,
  MERGED_DIRECTORIES,
  parseContents,
  parseShown,
  SHOW_FORMAT,
} from './debian-packages.ts';
import { NEVER, type PackageSet, packagesOf, setsOf, SUITE } from './recipes.ts';
import { tarLayer } from './tar-layer.ts';
import { wantedFiles } from './wanted-files.ts';

export interface DebianLayer {
  readonly set: string;
  /** Uncompressed layer. */
  readonly archive: string;
  /** All packages with files in it or in the layers below. */
  readonly packages: readonly DebianPackage[];
}

export interface DebianOptions {
  /** An empty directory of our own. */
  readonly workDir: string;
  /** Debian mirrors; empty: Debian's own. */
  readonly mirrors: readonly string[];
  say(text: string): void;
}

/** Makes the layers of these sets, of which each comes after the one that it is on. */
export async function* debianLayers(
  options: DebianOptions,
  wanted: readonly PackageSet[],
): AsyncGenerator<DebianLayer> {
  /** Set → files of it and of those below. */
  const files = new Map<string | undefined, ReadonlySet<string>>();
  const versions = new Map<string, string>();
  for (const set of wanted) {
    const sets = setsOf({ set: set.name });
    const root = join(options.workDir, set.name);
    options.say(`packages of ${set.name}: asking Debian for ${packagesOf(sets).length} and what they need`);
    await unpack(root, sets, options);
    const packages = await keepPackages(root, set);
    assertSameVersions(versions, packages);
    for (const { name, version } of packages) versions.set(name, version);
    if (set.on === undefined) writeBase(root);
    const present = new Set(files.get(set.on));
    keepFiles(root, sets, present);
    files.set(set.name, present);
    const archive = join(options.workDir, `${set.name}.tar`);
    await tarLayer(root, archive);
    rmSync(root, { recursive: true, force: true });
    options.say(`packages of ${set.name}: ${packages.length}`);
    yield { set: set.name, archive, packages };
    rmSync(archive);
  }
}

/** Packages that were fetched for one set are at hand for the next. */
const SETUP_HOOK = [
  'mkdir -p "$1/var/cache/apt/archives" "$PODVISOR_DEBS"',
  ...MERGED_DIRECTORIES.map((name) => `mkdir -p "$1/usr/${name}" && ln -s "usr/${name}" "$1/${name}"`),
  'find "$PODVISOR_DEBS" -name "*.deb" -exec ln -t "$1/var/cache/apt/archives" {} +',
].join('; ');

async function unpack(
  root: string,
  sets: readonly PackageSet[],
  { workDir, mirrors, say }: DebianOptions,
): Promise<void> {
  const debs = join(workDir, 'debs');
  const mmdebstrap = await startProcess(
    'mmdebstrap',
    [
      ...['--mode=root', '--variant=extract', '--format=directory', '--skip=cleanup/apt'],
      ...[`--include=${packagesOf(sets).join(',')}`, `--setup-hook=${SETUP_HOOK}`],
      ...[SUITE, root, ...mirrors],
    ],
    { pipe: true, env: { PODVISOR_DEBS: debs, LC_ALL: 'C', TMPDIR: workDir } },
  );
  let tail = '';
  const hear = (chunk: Buffer): void => {
    tail = `${tail}${chunk.toString('utf8')}`.slice(-8192);
    for (const [, step = ''] of chunk.toString('utf8').matchAll(/^I: ((?:downloading|extracting).*?)\.*$/gm))
      say(`packages of ${sets.at(-1)?.name}: ${step}`);
  };
  for (const stream of [mmdebstrap.child.stdout, mmdebstrap.child.stderr]) stream?.on('data', hear);
  const { code } = await mmdebstrap.exited;
  if (code !== 0) throw new Error(packagesFailure(tail));
  const archives = join(root, 'var/cache/apt/archives');
  mkdirSync(debs, { recursive: true });
  await run('find', [archives, '-name', '*.deb', '-links', '1', '-exec', 'ln', '-t', debs, '{}', '+']);
}

/** What mmdebstrap or apt said, and what to do. */
export function packagesFailure(output: string): string {
  const said = output
    .split('\n')
    .filter((line) => /^(?:E|W|Err):/.test(line.trim()))
    .map((line) => line.trim().replace(/^[EW]: /, ''));
  const reason =
    said.find((line) => /resolve|connect|404|fetch|locate|signed|space/i.test(line)) ?? said.at(-1);
  return `Debian's packages could not be fetched: ${reason ?? 'mmdebstrap said nothing'}. Check the network, or name a mirror near you with --mirror URL`;
}

/** Removes the files of packages that are not to be there; gives those that are. */
async function keepPackages(root: string, set: PackageSet): Promise<readonly DebianPackage[]> {
  const archives = join(root, 'var/cache/apt/archives');
  const leftOut = new Set([...NEVER, ...set.leftOut]);
  const kept: string[] = [];
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
    const file = join(archives, name);
    if (!leftOut.has(name.split('_')[0] ?? '')) {
      kept.push(file);
      continue;
    }
    const { stdout } = await run('dpkg-deb', ['--contents', file]);
    for (const path of parseContents(stdout)) rmSync(join(root, path), { force: true });
  }
  const shown = await Promise.all(
    kept.map((file) => run('dpkg-deb', ['--show', `--showformat=${SHOW_FORMAT}`, file])),
  );
  return parseShown(shown.map(({ stdout }) => stdout).join(''));
}

/** The mirror may have changed between two sets: libraries of two versions would be in one image. */
function assertSameVersions(before: ReadonlyMap<string, string>, packages: readonly DebianPackage[]): void {
  for (const { name, version } of packages)
    if ((before.get(name) ?? version) !== version)
      throw new Error(
        `Debian's package ${name} went from ${before.get(name)} to ${version} while the images were built: build them again`,
      );
}

/** Removes what is not wanted or is in a layer below, and directories that are empty then. */
function keepFiles(root: string, sets: readonly PackageSet[], present: Set<string>): void {
  const isWanted = wantedFiles(sets);
  const directories: string[] = [];
  for (const entry of [...entriesBelow(root)]) {
    const path = relative(root, join(entry.parentPath, entry.name));
    if (entry.isDirectory()) {
      directories.push(path);
      continue;
    }
    const isOurs = OWN_FILES.has(path);
    if (present.has(path) || !(isOurs || isWanted(path))) rmSync(join(root, path));
    else present.add(path);
  }
  for (const directory of directories.toSorted().toReversed()) {
    if (EMPTY_DIRECTORIES.has(directory) && !present.has(`${directory}/`)) continue;
    if (readdirSync(join(root, directory)).length === 0) rmdirSync(join(root, directory));
  }
  for (const directory of EMPTY_DIRECTORIES.keys()) present.add(`${directory}/`);
}

/** Directories that programs and runtimes expect, with their modes. */
const EMPTY_DIRECTORIES: ReadonlyMap<string, number> = new Map([
  ...['dev', 'proc', 'sys', 'run', 'mnt', 'usr/bin', 'usr/sbin', 'var/lib', 'var/cache', 'var/log'].map(
    (path) => [path, 0o755] as const,
  ),
  ['root', 0o700],
  ['tmp', 0o1777],
  ['var/tmp', 0o1777],
]);

const USERS = [
  ['root', 0, '/root'],
  ['qemu', 107, launcherPaths().privateDir],
  ['podvisor', 1001, '/'],
  ['nobody', 65_534, '/'],
] as const;

const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt';
const OWN_FILES: ReadonlySet<string> = new Set([
  ...['etc/passwd', 'etc/group', 'etc/nsswitch.conf', CERTIFICATES, 'var/run', 'var/lock'],
  ...MERGED_DIRECTORIES,
]);

/** What maintainer scripts of the lowest set would have written. */
function writeBase(root: string): void {
  // Device nodes, mounts and state of mmdebstrap are none of an image's business.
  for (const name of ['dev', 'var', 'run', 'tmp']) rmSync(join(root, name), { recursive: true, force: true });
  for (const [path, mode] of EMPTY_DIRECTORIES) {
    mkdirSync(join(root, path), { recursive: true, mode: 0o755 });
    chmodSync(join(root, path), mode);
  }
  symlinkSync('/run', join(root, 'var/run'));
  symlinkSync('/run/lock', join(root, 'var/lock'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o644 });
  };
  write(
    'etc/passwd',
    USERS.map(([name, id, home]) => `${name}:x:${id}:${id}::${home}:/sbin/nologin\n`).join(''),
  );
  write('etc/group', USERS.map(([name, id]) => `${name}:x:${id}:\n`).join(''));
  write(
    'etc/nsswitch.conf',
    'passwd: files\ngroup: files\nhosts: files dns\nprotocols: files\nservices: files\n',
  );
  write(CERTIFICATES, bundleOf(join(root, 'usr/share/ca-certificates')));
}

/** As update-ca-certificates: all certificates, one after the other. */
function bundleOf(directory: string): string {
  const files = [...entriesBelow(directory)]
    .filter((entry) => entry.isFile() && entry.name.endsWith('.crt'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  if (files.length === 0) throw new Error('the package ca-certificates has no certificates');
  return files.map((file) => `${readFileSync(file, 'utf8').trimEnd()}\n`).join('');
}
