import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { SqliteLog } from '@podvisor/store';
import { parseEncryptionConfiguration } from './configuration.ts';
import { homeEncryption } from './home-keys.ts';
import { type ValueCipher, valueCipher } from '../../../store/src/value-cipher.ts';

const PASSWORD = 'correct-horse-battery-staple';
const SECRET = { revision: 2, key: '/secrets/ns/db', value: `{"data":{"password":"${PASSWORD}"}}` };
const CONFIG_MAP = { revision: 3, key: '/configmaps/ns/a', value: '{"data":{"colour":"blue-as-the-sea"}}' };
let home: string;

beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'podvisor-store-'))));
afterEach(() => rmSync(home, { recursive: true }));

const store = (): string => join(home, 'store.db');
const keys = (): string => join(home, 'encryption.yaml');
const cipher = (text = homeEncryption(keys(), store())): ValueCipher =>
  valueCipher(parseEncryptionConfiguration(text));
const bytesOnDisk = (): string =>
  ['', '-wal', '-shm', '-journal']
    .map((end) => store() + end)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'latin1'))
    .join('');
const configuration = (...names: readonly string[]): string => `kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - aesgcm: {keys: [${names.map((name) => `{name: ${name}, secret: ${Buffer.alloc(32, name).toString('base64')}}`).join(', ')}]}
  - identity: {}
`;

test('Secrets are in no file of the store in plain text, other kinds are; both are read back', () => {
  const log = new SqliteLog(store(), cipher());
  log.append([SECRET, CONFIG_MAP]);
  assert.ok(!bytesOnDisk().includes(PASSWORD), 'while it is open');
  assert.ok(bytesOnDisk().includes('blue-as-the-sea'));
  log.close();
  assert.ok(!bytesOnDisk().includes(PASSWORD), 'after it was closed');
  const again = new SqliteLog(store(), cipher());
  assert.deepEqual([...again.rows()], [SECRET, CONFIG_MAP]);
  again.close();
});

test('all files of the store and of its keys are the owner’s alone, also those of an older version', () => {
  const db = new DatabaseSync(store());
  db.exec('PRAGMA journal_mode=WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)');
  const log = new SqliteLog(join(home, 'fresh.db'), cipher());
  log.append([SECRET]);
  for (const file of ['fresh.db', 'fresh.db-wal', 'encryption.yaml'])
    assert.equal(statSync(join(home, file)).mode & 0o777, 0o600, file);
  log.close();
  assert.equal(statSync(`${store()}-shm`).mode & 0o077, 0o044, 'as SQLite makes it');
  db.close();
  new SqliteLog(store(), cipher()).close();
  assert.equal(statSync(store()).mode & 0o777, 0o600);
});

test('a store from before encryption is rewritten at the next start, and no free page keeps the old text', () => {
  const old = new SqliteLog(store());
  const replaced = Array.from({ length: 200 }, (_, i) => ({ ...SECRET, revision: 100 + i }));
  old.append([SECRET, CONFIG_MAP, ...replaced]);
  old.compact(
    replaced.map(({ revision }) => revision),
    100,
    300,
  );
  old.close();
  assert.ok(bytesOnDisk().includes(PASSWORD), 'the test would prove nothing');
  const log = new SqliteLog(store(), cipher());
  assert.ok(!bytesOnDisk().includes(PASSWORD));
  assert.deepEqual([...log.rows()], [SECRET, CONFIG_MAP]);
  assert.equal(log.meta('compacted'), 100);
  log.close();
});

test('a new first key rewrites everything; then the old key may go', () => {
  const first = new SqliteLog(store(), cipher(configuration('old')));
  first.append([SECRET]);
  first.close();
  new SqliteLog(store(), cipher(configuration('new', 'old'))).close();
  const last = new SqliteLog(store(), cipher(configuration('new')));
  assert.deepEqual([...last.rows()], [SECRET]);
  last.close();
});

test('a configuration that writes plain text takes encryption back', () => {
  const sealed = new SqliteLog(store(), cipher(configuration('a')));
  sealed.append([SECRET]);
  sealed.close();
  const plain = configuration('a').replace(/( {2}- aesgcm.*\n)( {2}- identity.*\n)/, '$2$1');
  new SqliteLog(store(), cipher(plain)).close();
  assert.ok(bytesOnDisk().includes(PASSWORD));
});

test('a lost key is told by name, and no new key takes its place', () => {
  const log = new SqliteLog(store(), cipher(configuration('lost')));
  log.append([SECRET]);
  log.close();
  assert.throws(
    () => homeEncryption(keys(), store()),
    /encryption\.yaml is gone.*\/secrets\/ns\/db.*put the file back/,
  );
  assert.ok(!existsSync(keys()));
  writeFileSync(keys(), configuration('another'));
  assert.throws(() => new SqliteLog(store(), cipher()), /encrypted with the key "lost"/);
});

test('a value that was changed or moved to another object is not read', () => {
  const own = cipher(configuration('a'));
  const stored = own.seal(SECRET.key, SECRET.value);
  assert.equal(own.open(SECRET.key, stored), SECRET.value);
  assert.notEqual(own.seal(SECRET.key, SECRET.value), stored, 'a fresh nonce each time');
  assert.throws(() => own.open('/secrets/ns/other', stored), /cannot be decrypted/);
  const at = stored.length - 30;
  const changed = stored.slice(0, at) + (stored[at] === 'A' ? 'B' : 'A') + stored.slice(at + 1);
  assert.throws(() => own.open(SECRET.key, changed), /cannot be decrypted/);
});

test('what a configuration gets wrong is told with its place', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['kind: ConfigMap', /kind EncryptionConfiguration/],
    [configuration('a').replace(/secret: [^}]*/, 'secret: YWJj'), /providers\[0\].*32 bytes/],
    [configuration('a').replace(/aesgcm: .*/, 'kms: {}'), /providers\[0\] must be identity, or aesgcm/],
  ];
  for (const [text, message] of wrong) assert.throws(() => parseEncryptionConfiguration(text), message);
});
