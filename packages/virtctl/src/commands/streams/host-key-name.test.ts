import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildProgram } from '../../program.ts';
import { runProgram } from '../../run-program.ts';
import { startRecordingServer } from '../../testing/recording-server.ts';
import { testShell } from '../../testing/test-shell.ts';

const VMS = '/apis/kubevirt.io/v1/namespaces/default/virtualmachines/';
const VMIS = '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances/';
const owner = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  name: 'web',
  uid: 'u-1',
  controller: true,
};

/** The words that ssh or scp got about a key's name, on a server with these objects. */
async function keyNames(words: readonly string[], objects: Readonly<Record<string, unknown>>) {
  return (await become(words, objects)).filter((word) => /HostKeyAlias/.test(word));
}

async function become(words: readonly string[], objects: Readonly<Record<string, unknown>>) {
  const server = await startRecordingServer(({ path }) => objects[path]);
  const user = mkdtempSync(join(tmpdir(), 'podvisor-keys-'));
  const shell = testShell({ HOME: user });
  try {
    const access = ['--server', server.url, '--known-hosts', join(user, 'known')];
    await runProgram(buildProgram(shell), [...words.slice(0, 1), ...access, ...words.slice(1)], shell);
  } finally {
    server.close();
  }
  return shell.became() ?? [];
}

test('a VM that is made anew under its old name is another machine', async () => {
  for (const words of [
    ['ssh', 'debian@vm/web'],
    ['scp', import.meta.filename, 'debian@vm/web:/tmp/'],
  ])
    for (const uid of ['u-1', 'u-2'])
      assert.deepEqual(await keyNames(words, { [`${VMS}web`]: { metadata: { name: 'web', uid } } }), [
        `HostKeyAlias=vm.web.default.${uid}`,
      ]);
});

test('a VMI is known as its VM is, and by itself where nobody owns it', async () => {
  const owned = { metadata: { name: 'web', uid: 'i-1', ownerReferences: [owner] } };
  const alone = { metadata: { name: 'web', uid: 'i-1' } };
  assert.deepEqual(await keyNames(['ssh', 'vmi/web'], { [`${VMIS}web`]: owned }), [
    'HostKeyAlias=vm.web.default.u-1',
  ]);
  assert.deepEqual(await keyNames(['ssh', 'vmi/web'], { [`${VMIS}web`]: alone }), [
    'HostKeyAlias=vm.web.default.i-1',
  ]);
});

test("where the object cannot be read its name has to do, and a user's own name comes first", async () => {
  assert.deepEqual(await keyNames(['ssh', 'vm/web'], {}), []);
  const mine = ['ssh', 'vm/web', '-t', '-oHostKeyAlias=mine'];
  assert.deepEqual(await keyNames(mine, { [`${VMS}web`]: { metadata: { name: 'web', uid: 'u-1' } } }), [
    '-oHostKeyAlias=mine',
    'HostKeyAlias=vm.web.default.u-1',
  ]);
});

test("scp takes a file's name for a file, whoever chose it", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-names-'));
  const before = process.cwd();
  t.after(() => process.chdir(before));
  process.chdir(directory);
  const web = { [`${VMS}web`]: { metadata: { name: 'web', uid: 'u-1' } } };
  for (const name of ['-Sprogram', '-oLogLevel=DEBUG', 'host:file', 'plain', './-S', '/dev/null']) {
    if (!name.startsWith('/')) writeFileSync(name, '');
    const expected = /^[./p]/.test(name) ? name : `./${name}`;
    assert.equal((await become(['scp', '--', name, 'vm/web:/tmp'], web)).at(-2), expected);
    assert.equal((await become(['scp', '--', 'vm/web:/tmp/x', name], web)).at(-1), expected);
  }
  assert.deepEqual(await become(['ssh', '--', '-oProxyCommand=x@vm/web'], web), []);
});
