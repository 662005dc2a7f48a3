import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { componentUser, type InstancePaths, instancePaths, UNPRIVILEGED } from '@podvisor/sys';
import { moveFormerStore } from '../control-plane-directory.ts';
import { uploadKey } from '@podvisor/data-volumes';
import { ensurePki } from './ensure-pki.ts';
import { HANDED_OUT, handOutKeys } from './hand-out.ts';

const config = {
  name: 'test',
  apiPort: 7443,
  virtApiPort: 7444,
  podCidr: '10.88.0.0/16',
  bridge: 'pv-test',
  nodes: [{ name: 'node1', address: '10.99.0.1', podCidr: '10.88.0.0/24', handlerPort: 8186 }],
};
let paths: InstancePaths;
const homes: string[] = [];

beforeEach(() => {
  paths = instancePaths(mkdtempSync(join(tmpdir(), 'podvisor-parts-')));
  homes.push(paths.home);
});
after(() => homes.forEach((home) => rmSync(home, { recursive: true })));

/** A part that gets none need not have a place for them. */
function handed(component: string): string[] {
  const directory = join(paths.part(component), 'pki');
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .toSorted();
}

test('every part gets its own keys: none of a CA, of the admin or of a node', () => {
  const { pki } = ensurePki(paths, config);
  uploadKey(pki.uploadKey);
  writeFileSync(pki.encryption, 'keys');
  handOutKeys(paths, config);
  for (const component of UNPRIVILEGED)
    assert.deepEqual(handed(component), HANDED_OUT[component].toSorted(), component);
  const all = UNPRIVILEGED.flatMap((component) => handed(component));
  assert.deepEqual(
    all.filter((file) => /ca\.key$|^clients\/.*\.key$|kubelet|handler|admin\.kubeconfig/.test(file)),
    [],
  );
  // A private key is in one hand only.
  const keys = all.filter((file) => file.endsWith('.key') || file.endsWith('.kubeconfig'));
  assert.equal(new Set(keys).size, keys.length);
});

test('what root hands out is read by one group and written by nobody', {
  skip: process.getuid?.() !== 0,
}, () => {
  ensurePki(paths, config);
  handOutKeys(paths, config);
  const file = statSync(join(paths.part('virt-api'), 'pki/virt-api/server.key'));
  const folder = statSync(join(paths.part('virt-api'), 'pki/virt-api'));
  const group = componentUser(config.name, 'virt-api');
  assert.deepEqual([file.uid, file.gid, file.mode & 0o777], [0, group, 0o640]);
  assert.deepEqual([folder.uid, folder.gid, folder.mode & 0o777], [0, group, 0o750]);
});

test('a renewed key is handed out, what is good is left alone, what is gone goes', () => {
  const { pki } = ensurePki(paths, config);
  handOutKeys(paths, config);
  const copy = join(paths.part('control-plane'), 'pki/apiserver.key');
  const before = statSync(copy).ino;
  handOutKeys(paths, config);
  assert.equal(statSync(copy).ino, before);
  writeFileSync(pki.apiServer.key, 'renewed');
  rmSync(pki.serviceAccountPublicKey);
  handOutKeys(paths, config);
  assert.equal(readFileSync(copy, 'utf8'), 'renewed');
  assert.ok(!existsSync(join(paths.part('control-plane'), 'pki/sa.pub')));
});

test('users of two homes, and of two parts, are different and stay', () => {
  const ids = ['a', 'b'].flatMap((home) => UNPRIVILEGED.map((component) => componentUser(home, component)));
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.ok((id >= 70_000 && id < 98_800) || (id >= 61_184 && id < 65_504), String(id));
  assert.equal(componentUser('a', 'virt-api'), componentUser('a', 'virt-api'));
});

test('the store of an older home is found at its new place, also after half a move', () => {
  mkdirSync(paths.controlPlane, { recursive: true });
  for (const file of ['store.db', 'store.db-wal']) writeFileSync(join(paths.home, file), file);
  writeFileSync(join(paths.controlPlane, 'store.db-shm'), 'moved already');
  moveFormerStore(paths);
  moveFormerStore(paths);
  assert.equal(readFileSync(paths.store, 'utf8'), 'store.db');
  assert.equal(readFileSync(`${paths.store}-wal`, 'utf8'), 'store.db-wal');
  assert.ok(!existsSync(join(paths.home, 'store.db')));
});
