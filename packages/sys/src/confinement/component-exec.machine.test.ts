/** A program that is confined tells what it can and cannot do. Needs root, as the supervisor that confines. */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { CAPABILITIES, type Capability, namesOf } from './capabilities.ts';
import { componentUser } from './component-users.ts';
import type { Confinement } from './confinement.ts';
import { run } from '../processes/run.ts';

const user = componentUser('test', 'virt-api');
let directory = '';

before(() => {
  directory = mkdtempSync(join(tmpdir(), 'podvisor-confined-'));
  for (const name of ['stage', 'own', 'keys', 'secret']) mkdirSync(join(directory, name));
  writeFileSync(join(directory, 'secret/key'), 'secret');
  writeFileSync(join(directory, 'keys/key'), 'mine');
  chownSync(join(directory, 'own'), user, user);
  // As a home: nobody but root gets through.
  chmodSync(directory, 0o700);
});
after(() => rmSync(directory, { recursive: true }));

/** Runs JavaScript that prints JSON, confined. */
async function confined(confinement: Confinement, script: string): Promise<unknown> {
  const program = join(import.meta.dirname, 'component-exec-main.ts');
  const { stdout, stderr } = await run(process.execPath, [
    program,
    JSON.stringify(confinement),
    process.execPath,
    '--input-type=module',
    '-e',
    `import { readFileSync, writeFileSync, mkdirSync, readdirSync } from 'node:fs';
     import { spawnSync } from 'node:child_process';
     import { Worker } from 'node:worker_threads';
     const codeOf = (act) => { try { act(); return 'done'; } catch (error) { return error.code; } };
     console.log(JSON.stringify(await (async () => { ${script} })()));`,
  ]);
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

function unprivileged(): Confinement {
  return {
    user,
    capabilities: [],
    view: {
      shown: [
        { path: join(directory, 'own'), writable: true },
        { path: join(directory, 'pki'), from: join(directory, 'keys') },
        // Node itself, where it is not part of the system.
        { path: dirname(process.execPath) },
      ],
      stage: join(directory, 'stage'),
    },
    noNewPrivileges: true,
    filtered: true,
  };
}

test('another user, no capability, no way to more', async () => {
  const status = await confined(unprivileged(), `return readFileSync('/proc/self/status', 'utf8');`);
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(String(status))?.[1];
  assert.deepEqual(
    field('Uid')?.split('\t'),
    Array.from({ length: 4 }, () => String(user)),
  );
  assert.deepEqual(
    field('Gid')?.split('\t'),
    Array.from({ length: 4 }, () => String(user)),
  );
  assert.equal(field('Groups')?.trim() ?? '', '');
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
    assert.deepEqual(namesOf(field(set) ?? ''), [], set);
  assert.equal(field('NoNewPrivs'), '1');
  assert.equal(field('Seccomp'), '2');
});

test('it writes where it may, reads what it is shown, and finds nothing else', async () => {
  const at = (path: string): string => JSON.stringify(join(directory, path));
  const found = await confined(
    unprivileged(),
    `return {
      own: codeOf(() => writeFileSync(${at('own/file')}, 'x')),
      keys: codeOf(() => writeFileSync(${at('pki/file')}, 'x')),
      key: readFileSync(${at('pki/key')}, 'utf8'),
      etc: codeOf(() => writeFileSync('/etc/podvisor-test', 'x')),
      tmp: codeOf(() => mkdirSync('/tmp')),
      secret: codeOf(() => readFileSync(${at('secret/key')})),
      shadow: codeOf(() => readFileSync('/etc/shadow')),
      root: readdirSync('/').filter((name) => ['root', 'home', 'var', 'run', 'sys', 'boot'].includes(name)),
    };`,
  );
  assert.deepEqual(found, {
    own: 'done',
    keys: 'EROFS',
    key: 'mine',
    etc: 'EROFS',
    tmp: directory.startsWith('/tmp') ? 'EEXIST' : 'EROFS',
    secret: 'ENOENT',
    shadow: 'EACCES',
    root: [],
  });
  assert.equal(readFileSync(join(directory, 'own/file'), 'utf8'), 'x');
});

test('no process can be started; threads can', async () => {
  const found = await confined(
    unprivileged(),
    `const thread = new Worker('import { parentPort } from "node:worker_threads"; parentPort.postMessage("hello")', { eval: true });
     return { shell: spawnSync('/bin/sh', ['-c', 'true']).error?.code, thread: await new Promise((resolve) => thread.once('message', resolve)) };`,
  );
  assert.deepEqual(found, { shell: 'EPERM', thread: 'hello' });
});

test('root keeps what it is given, and so do its children', async () => {
  const kept: readonly Capability[] = ['NET_ADMIN', 'CHOWN'];
  const status = await confined(
    { capabilities: kept, noNewPrivileges: true, filtered: false },
    `return spawnSync('cat', ['/proc/self/status']).stdout.toString();`,
  );
  const mask = (name: string): readonly Capability[] =>
    namesOf(new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(String(status))?.[1] ?? '');
  const sorted = CAPABILITIES.filter((name) => kept.includes(name));
  assert.deepEqual(mask('CapBnd'), sorted);
  assert.deepEqual(mask('CapEff'), sorted);
});
