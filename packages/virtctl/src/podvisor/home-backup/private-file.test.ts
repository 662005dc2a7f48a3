import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { strangeEntry, writeBeside } from './private-file.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pv-private-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('keys of a home go through no file that somebody else has made, and are for nobody else', async () => {
  const file = join(directory, 'home.tgz');
  writeFileSync(`${file}.partial`, "a stranger's", { mode: 0o666 });
  await writeBeside(file, async (path) => {
    assert.deepEqual([modeOf(path), modeOf(dirname(path))], [0o600, 0o700]);
    assert.equal(dirname(dirname(path)), directory, 'on the same file system');
    writeFileSync(path, 'keys');
  });
  assert.deepEqual([readFileSync(file, 'utf8'), modeOf(file)], ['keys', 0o600]);
  assert.equal(readFileSync(`${file}.partial`, 'utf8'), "a stranger's");
  assert.deepEqual(readdirSync(directory).toSorted(), ['home.tgz', 'home.tgz.partial']);
});

test('a link in place of the file is replaced, not followed; a failure leaves nothing', async () => {
  const file = join(directory, 'home.tgz');
  writeFileSync(join(directory, 'precious'), 'precious');
  symlinkSync('precious', file);
  await writeBeside(file, async (path) => writeFileSync(path, 'keys'));
  assert.equal(readFileSync(join(directory, 'precious'), 'utf8'), 'precious');
  await assert.rejects(
    writeBeside(join(directory, 'second'), () => Promise.reject(new Error('full'))),
    /full/,
  );
  assert.deepEqual(readdirSync(directory).toSorted(), ['home.tgz', 'precious']);
});

test('a link at the top of an archive is found', () => {
  writeFileSync(join(directory, 'config.json'), '');
  assert.equal(strangeEntry(directory), undefined);
  symlinkSync('/etc', join(directory, 'volumes'));
  assert.equal(strangeEntry(directory), 'volumes');
});
