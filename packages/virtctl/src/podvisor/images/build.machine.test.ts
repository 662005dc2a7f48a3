/** Builds the smallest image with the real tools, twice, and runs it. `images build --check` does so for all. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { messageOf } from '@podvisor/base';
import { type BuiltImage, buildImages } from './build.ts';
import { saveImages } from './carry.ts';
import { chosenImages } from './references.ts';

const root = join(import.meta.dirname, '../../../../..');
let directory: string;

before(() => {
  directory = mkdtempSync(join(tmpdir(), 'podvisor-images-'));
  execFileSync(process.execPath, [join(root, 'scripts/build.ts'), '--if-stale'], { stdio: 'ignore' });
});
after(() => rmSync(directory, { recursive: true, force: true }));

async function build(refresh: boolean, said: string[] = []): Promise<BuiltImage> {
  const [image] = await buildImages({
    root,
    cache: join(directory, 'cache'),
    images: chosenImages(['virt-api']),
    tag: 'v1',
    created: 1_700_000_000,
    mirrors: [],
    refresh,
    offline: false,
    say: (text) => said.push(text),
  });
  assert.ok(image);
  return image;
}

test('an image is the same when it is built again, from the cache and anew, and runs with a read-only root', async (t) => {
  let first: BuiltImage;
  try {
    first = await build(false);
  } catch (error) {
    if (!/could not be fetched/.test(messageOf(error))) throw error;
    t.skip(`Debian's mirror is not to be reached: ${messageOf(error)}`);
    return;
  }
  assert.ok(first.bytes < first.limitBytes, `${first.bytes} bytes`);
  const said: string[] = [];
  assert.equal((await build(false, said)).digest, first.digest);
  assert.match(said.join('\n'), /virt-api: as it was/);
  assert.equal((await build(true)).digest, first.digest, 'the packages fetched and packed anew');

  await saveImages(
    [first],
    { directory: join(directory, 'saved'), prefix: 'r.example/pv', tag: 'v1' },
    () => {},
  );
  const list = JSON.parse(readFileSync(join(directory, 'saved/images.json'), 'utf8')) as unknown;
  assert.deepEqual(list, [
    { name: 'virt-api', reference: 'r.example/pv/virt-api:v1', digest: first.digest, bytes: first.bytes },
  ]);
  const archive = `oci-archive:${join(directory, 'saved/virt-api.tar')}`;
  execFileSync('skopeo', ['copy', '--quiet', '--insecure-policy', archive, `oci:${directory}/layout:it`]);
  const bundle = join(directory, 'bundle');
  execFileSync('umoci', ['unpack', '--image', `${directory}/layout:it`, bundle], { stdio: 'ignore' });
  const inside = readFileSync(join(bundle, 'rootfs/usr/share/doc/podvisor/virt-api.spdx.json'), 'utf8');
  assert.equal(inside, first.spdx);
  assert.match(inside, /pkg:deb\/debian\/libc6@/);

  // Its own entry point, with a flag too little: it names it and ends.
  const started = runBundle(bundle, []);
  assert.match(started, /--tls-dir/);
  const [id, shell, write] = runBundle(bundle, ['-e', SELF_TEST]).trim().split('\n');
  assert.equal(id, '1001:1001');
  assert.equal(shell, 'ENOENT', 'there is no shell');
  assert.equal(write, 'EROFS');
});

/** Says who it is, whether there is a shell, and whether it can write. */
const SELF_TEST = `
const { spawnSync } = process.getBuiltinModule('child_process');
const { writeFileSync } = process.getBuiltinModule('fs');
console.log(process.getuid() + ':' + process.getgid());
console.log(spawnSync('/bin/sh', ['-c', 'true']).error?.code);
try { writeFileSync('/usr/x', ''); console.log('written'); } catch (error) { console.log(error.code); }
`;

/** Runs the image as its configuration says, or Node in it with other arguments; gives what it printed. */
function runBundle(bundle: string, nodeArgs: readonly string[]): string {
  const file = join(bundle, 'config.json');
  const original = readFileSync(file, 'utf8');
  const config = JSON.parse(original) as {
    process: { terminal: boolean; args: string[] };
    root: { readonly?: boolean };
  };
  config.process.terminal = false;
  config.root.readonly = true;
  if (nodeArgs.length > 0) config.process.args = ['/usr/lib/podvisor/node', ...nodeArgs];
  writeFileSync(file, JSON.stringify(config));
  const { stdout, stderr } = spawnSync('runc', ['run', `podvisor-images-${process.pid}`], {
    cwd: bundle,
    encoding: 'utf8',
    timeout: 60_000,
  });
  writeFileSync(file, original);
  return `${stdout}${stderr}`;
}
