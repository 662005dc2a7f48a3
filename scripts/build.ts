/**
 * Bundles every program into dist/ (esbuild): a launcher starts faster and keeps less memory than with its modules on
 * their own. What a program imports only when it needs it is in files of their own beside it, `PROGRAM.HASH.mjs`: in
 * one file esbuild would keep whole packages for the sake of such an import, and run them at the start. One
 * program is C, because it runs where no Node is. With --if-stale, does nothing when dist/ is newer than all sources.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { nodeBuiltins } from './node-builtins.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const STAMP = join(dist, '.built');
/** Above all that runs: what asks for it before it is there would be told that everything is stale. */
const SOURCE = /\.(tsx?|css|html|c)$/;

/** Program → its main file. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'control-plane': 'packages/cluster/src/control-plane-main.ts',
  'node-agent': 'packages/cluster/src/node-agent-main.ts',
  'component-exec': 'packages/sys/src/confinement/component-exec-main.ts',
  'confined-exec': 'packages/sys/src/confinement/confined-exec-main.ts',
  'keep-groups-exec': 'packages/sys/src/confinement/keep-groups-exec-main.ts',
  'trim-when-quiet': 'packages/sys/src/processes/trim-when-quiet-main.ts',
  'prepare-machine': 'packages/kubelet/src/prepare-machine/prepare-machine-main.ts',
  'volume-copy': 'packages/cluster/src/local-volumes/volume-copy-main.ts',
  'virt-operator': 'packages/virt-operator/src/main.ts',
  'virt-api': 'packages/virt-api/src/main.ts',
  'virt-controller': 'packages/virt-controller/src/main.ts',
  'virt-handler': 'packages/virt-handler/src/main.ts',
  'ask-node': 'packages/virt-handler/src/node/ask-node-main.ts',
  'migration-carrier': 'packages/virt-handler/src/migration/proxy/carrier-main.ts',
  'claim-worker': 'packages/virt-handler/src/volumes/claim-worker-main.ts',
  'memory-unpacker': 'packages/virt-handler/src/shared-memory/unpack-main.ts',
  'virt-launcher': 'packages/virt-launcher/src/main.ts',
  'virt-freezer': 'packages/virt-launcher/src/freezer-main.ts',
  'virt-lease-watch': 'packages/virt-launcher/src/lease-watch-main.ts',
  'virt-export': 'packages/virt-launcher/src/export-main.ts',
  'virt-probe': 'packages/virt-launcher/src/probe-main.ts',
  importer: 'packages/importer/src/main.ts',
  'data-volumes': 'packages/data-volumes/src/main.ts',
  virtctl: 'packages/virtctl/src/main.ts',
  podvisor: 'packages/virtctl/src/podvisor/main.ts',
  'virt-ui': 'packages/virtctl/src/ui/cluster/virt-ui-main.ts',
  supervisor: 'packages/virtctl/src/podvisor/supervisor/supervisor-main.ts',
};

if (process.argv.includes('--if-stale') && isFresh()) process.exit(0);
const started = performance.now();
// Who types a command waits for this, and may not know that there is something to build.
console.error('building the programs of this checkout (once for each state of its sources, some seconds)');
mkdirSync(dist, { recursive: true });
const bundles = await Promise.all(Object.entries(PROGRAMS).map(([out, file]) => bundle(out, file)));
await buildPage();
const pageModule = packPage();
buildContainerDisk();
buildSharedMemory();
buildQuietPages();
removeFormerParts();
writeFileSync(
  join(dist, 'bundled.json'),
  JSON.stringify(Object.fromEntries(bundles.map(({ out, packages }) => [out, packages]))),
);
writeFileSync(STAMP, '');
console.error(
  `built ${Object.keys(PROGRAMS).length} programs in ${Math.round(performance.now() - started)} ms`,
);

interface Bundle {
  readonly out: string;
  readonly files: readonly string[];
  /** The npm packages that are in it: images list them. */
  readonly packages: readonly string[];
}

/** Makes one program. */
async function bundle(out: string, file: string): Promise<Bundle> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: file, out }],
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    chunkNames: `${out}.[hash]`,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // Lines stay lines: a stack trace of an installed program must be readable.
    minifySyntax: true,
    legalComments: 'none',
    sourcemap: false,
    external: ['koffi'],
    plugins: [nodeBuiltins],
    // Some CommonJS packages call require() for Node's own modules; ESM has none unless it is made.
    banner: {
      js: "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);",
    },
    logLevel: 'warning',
    metafile: true,
  });
  const files = Object.keys(metafile.outputs).map((path) => join(root, path));
  for (const path of files) keepToAscii(path);
  const names = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  // It is not bundled, and required by name at the first use.
  const native = files.some((path) => readFileSync(path, 'utf8').includes('"koffi"')) ? ['koffi'] : [];
  return { out, files, packages: [...new Set([...names, ...native])].toSorted() };
}

/** Parts of earlier builds. Last of all: a program may be started while it is built anew. */
function removeFormerParts(): void {
  const current = new Set([...bundles.flatMap(({ files }) => files), pageModule]);
  for (const file of readdirSync(dist).map((name) => join(dist, name)))
    if (file.endsWith('.mjs') && !current.has(file)) rmSync(file);
}

/** The web page, into dist/console: what the first view needs in one file, the terminal and the screen in others. */
async function buildPage(): Promise<void> {
  const source = join(root, 'packages/console/src/page');
  const outdir = join(dist, 'console');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: join(source, 'page-main.tsx'), out: 'page' },
      { in: join(source, 'page.css'), out: 'page' },
    ],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  copyFileSync(join(source, 'index.html'), join(outdir, 'index.html'));
}

/** The page's files as a module beside virt-ui, which serves them: it goes wherever that program goes. */
function packPage(): string {
  const directory = join(dist, 'console');
  const files = readdirSync(directory).toSorted();
  const contents = files.map((name) => [name, readFileSync(join(directory, name)).toString('base64')]);
  const file = join(dist, 'virt-ui.page.mjs');
  writeFileSync(file, `export default ${JSON.stringify(contents)};\n`);
  return file;
}

/** Static and without anything of the building machine in it, so that two builds are the same. */
function buildContainerDisk(): void {
  compile('container-disk', ['-static'], 'container disks are image volumes only');
}

/** Loaded into QEMU; of libc it has only what every one has. */
function buildSharedMemory(): void {
  compile('shared-memory.so', ['-shared', '-fPIC'], 'copies of a snapshot do not share their memory');
}

/** Loaded into libvirtd. */
function buildQuietPages(): void {
  compile('quiet-pages.so', ['-shared', '-fPIC', '-pthread'], 'each libvirtd keeps the pages of its start');
}

/** Compiles the one C file of that name. Without gcc nothing is made, and `without` says what that means. */
function compile(name: string, how: readonly string[], without: string): void {
  const out = join(dist, name);
  const strict = ['-std=c11', '-D_GNU_SOURCE', '-Wall', '-Wextra', '-Werror'];
  const small = ['-Os', ...how, '-s', '-Wl,--build-id=none'];
  const source = `packages/virt-launcher/src/${name.replace(/\.so$/, '')}.c`;
  const { error, status, stderr } = spawnSync('gcc', [...strict, ...small, '-o', out, source], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return;
  rmSync(out, { force: true });
  if (error === undefined) throw new Error(`${name} cannot be compiled:\n${stderr}`);
  console.error(`no gcc: ${without} (apt-get install gcc libc6-dev)`);
}

/**
 * One letter beyond ASCII, even in a comment, makes Node keep the whole program with two bytes a letter, in
 * every process and every VM. esbuild leaves those of comments and regular expressions.
 */
function keepToAscii(file: string): void {
  const escaped = readFileSync(file, 'utf8').replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  writeFileSync(file, escaped);
}

function isFresh(): boolean {
  const built = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newest = Math.max(
    statSync(join(root, 'package-lock.json')).mtimeMs,
    statSync(import.meta.filename).mtimeMs,
    // One that went away just now is a change.
    ...sources().map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity),
  );
  return newest < built;
}

function sources(): string[] {
  return readdirSync(join(root, 'packages'), { recursive: true, withFileTypes: true })
    .filter(
      (e) =>
        e.isFile() && SOURCE.test(e.name) && !e.name.endsWith('.test.ts') && e.parentPath.includes('/src'),
    )
    .map((e) => join(e.parentPath, e.name));
}
