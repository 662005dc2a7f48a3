import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { after, beforeEach, test } from 'node:test';
import { keepArrivedTpm, placeTpmState, type TpmPlaces } from './tpm-state.ts';

const UUID = 'b9df5113-f58d-429a-ad18-97e8c36342c4';
const root = mkdtempSync(`${tmpdir()}/tpm-state-`);
const kept = `${root}/claim`;
/** A Pod of its own, with the same claim. */
const pod = (name: string): TpmPlaces => ({ libvirt: `${root}/${name}/swtpm`, kept });
const write = ({ libvirt }: TpmPlaces, text: string): void => writeFileSync(`${libvirt}/${UUID}/state`, text);
const read = ({ libvirt }: TpmPlaces): string | undefined => {
  const file = `${libvirt}/${UUID}/state`;
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};
beforeEach(() => rmSync(kept, { recursive: true, force: true }));
after(() => rmSync(root, { recursive: true }));

test('a restart finds the state where libvirt would have left it', async () => {
  await placeTpmState(pod('a'), UUID);
  write(pod('a'), 'one');
  assert.equal(readFileSync(`${kept}/${UUID}/state`, 'utf8'), 'one');
  await placeTpmState(pod('b'), UUID);
  assert.equal(read(pod('b')), 'one');
});

test('two nodes with one claim do not meet; what arrived counts, there and back', async () => {
  await placeTpmState(pod('a'), UUID);
  write(pod('a'), 'one');
  await placeTpmState(pod('b'), UUID, 'm1');
  assert.equal(read(pod('b')), undefined);
  write(pod('b'), 'two');
  assert.equal(read(pod('a')), 'one');
  await keepArrivedTpm(pod('b'), UUID, 'm1');
  await keepArrivedTpm(pod('b'), UUID, 'm1');
  await placeTpmState(pod('c'), UUID, 'm2');
  write(pod('c'), 'three');
  await keepArrivedTpm(pod('c'), UUID, 'm2');
  await placeTpmState(pod('d'), UUID);
  assert.equal(read(pod('d')), 'three');
});

test('a migration that failed leaves what was there, whatever libvirt removes', async () => {
  await placeTpmState(pod('a'), UUID);
  write(pod('a'), 'one');
  await placeTpmState(pod('b'), UUID, 'm1');
  rmSync(`${kept}/${UUID}.m1`, { recursive: true });
  await placeTpmState(pod('c'), UUID, 'm2');
  write(pod('c'), 'half');
  await placeTpmState(pod('d'), UUID);
  assert.equal(read(pod('d')), 'one');
});

test('a link of somebody else says nothing', async () => {
  mkdirSync(`${kept}/other`, { recursive: true });
  for (const target of ['other', '/etc', `${UUID}.m1/../other`, `${UUID}.gone`]) {
    rmSync(`${kept}/${UUID}.current`, { force: true });
    symlinkSync(target, `${kept}/${UUID}.current`);
    await placeTpmState(pod('a'), UUID);
    write(pod('a'), target);
    assert.equal(readFileSync(`${kept}/${UUID}/state`, 'utf8'), target);
  }
});
