/** What commands say where something is not as they need it: at once, and in words. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { StatusError } from '@podvisor/base';
import { buildProgram } from '../program.ts';
import { runProgram } from '../run-program.ts';
import { type Answer, startRecordingServer } from '../testing/recording-server.ts';
import { type TestShell, testShell } from '../testing/test-shell.ts';
import { whyUnknown } from './look/top.ts';

const work = mkdtempSync(join(tmpdir(), 'first-hour-'));
after(() => rmSync(work, { recursive: true }));

async function virtctl(answer: Answer, ...words: readonly string[]): Promise<TestShell> {
  const server = await startRecordingServer(answer);
  const config = join(work, 'kubeconfig');
  const contexts = [{ name: 'c', context: { cluster: 'c' } }];
  const clusters = [{ name: 'c', cluster: { server: server.url } }];
  writeFileSync(config, JSON.stringify({ clusters, contexts, 'current-context': 'c' }));
  const shell = testShell({ KUBECONFIG: config });
  try {
    assert.equal(await runProgram(buildProgram(shell), words, shell), 1);
    return shell;
  } finally {
    server.close();
  }
}

test('vmexport of a running VM ends with the reason instead of waiting', async () => {
  const message = 'VirtualMachine hello is running: stop it, or export a snapshot of it';
  const waiting = {
    status: { phase: 'Pending', conditions: [{ type: 'Ready', status: 'False', reason: 'InUse', message }] },
  };
  const startedAt = Date.now();
  const shell = await virtctl(
    ({ method, path }) => (method === 'GET' && path.includes('virtualmachineexports') ? waiting : {}),
    ...['vmexport', 'download', 'e', '--output', join(work, 'o.gz')],
  );
  assert.match(shell.errors(), /cannot be ready now \(VirtualMachine hello is running: stop it.*--wait/);
  assert.ok(Date.now() - startedAt < 30_000);
});

test('image-upload of a file that is not there says so before anything is made', async () => {
  const shell = await virtctl(
    () => assert.fail('nothing is asked'),
    ...['image-upload', 'dv', 'x', '--size=1Gi', `--image-path=${work}/none.qcow2`],
  );
  assert.match(shell.errors(), /there is no file .*none\.qcow2/);
});

test('image-upload says what it waits for, and at its end why it never came', async () => {
  writeFileSync(join(work, 'disk.raw'), Buffer.alloc(512));
  const message = 'storage class typo does not exist';
  const conditions = [{ type: 'Running', status: 'False', reason: 'ErrClaimNotValid', message }];
  const shell = await virtctl(
    ({ method, path }) => {
      if (method === 'POST') return {};
      return path.includes('datavolumes') ? { status: { phase: 'Pending', conditions } } : undefined;
    },
    ...['image-upload', 'dv', 'x', '--size=1Gi', '--wait-secs=3', `--image-path=${work}/disk.raw`],
  );
  const told = shell.output().match(/DataVolume x is not ready yet: storage class typo does not exist/g);
  assert.equal(told?.length, 1);
  assert.match(shell.errors(), /not ready for an upload after 3 s: storage class typo does not exist/);
});

test('image-upload of a size that is none says what was meant, before anything is made', async () => {
  writeFileSync(join(work, 'disk.raw'), Buffer.alloc(512));
  const shell = await virtctl(
    ({ method }) => (method === 'GET' ? undefined : assert.fail('nothing is made')),
    ...['image-upload', 'dv', 'x', '--size=1GB', `--image-path=${work}/disk.raw`],
  );
  assert.match(shell.errors(), /--size "1GB" is not a quantity: write 1G or 1Gi/);
});

test('image-upload of a text says so, and goes on as it is told to', async () => {
  writeFileSync(join(work, 'text.img'), '<!DOCTYPE html><html>404 Not Found</html>');
  const shell = await virtctl(
    ({ method }) => (method === 'GET' ? undefined : assert.fail('nothing is made')),
    ...['image-upload', 'pvc', 'x', '--no-create', `--image-path=${work}/text.img`],
  );
  assert.match(shell.errors(), /warning: .*text\.img seems to be an HTML page, not a disk image; its bytes/);
  assert.match(shell.errors(), /persistentvolumeclaims "x" not found/);
});

test('why of a name that is not there says which are', async () => {
  const list = { items: [{ metadata: { name: 'hello' } }, { metadata: { name: 'web' } }] };
  const shell = await virtctl(
    ({ path }) =>
      /\/virtualmachines(\?|$)/.test(path) ? list : path.includes('helo') ? undefined : { items: [] },
    ...['why', 'vm/helo'],
  );
  assert.match(
    shell.errors(),
    /"helo" in namespace "default"; there are: hello, web \(did you mean "hello"\?\)/,
  );
});

test('scp of a file that is not there says so; without a terminal, how the key of a guest is taken', async () => {
  const missing = await virtctl(() => ({}), 'scp', `${work}/none`, 'root@vm/hello:/tmp');
  assert.match(missing.errors(), /there is no file .*none/);
  const vm = { metadata: { name: 'hello', namespace: 'default', uid: 'u' } };
  const shell = await virtctl(() => vm, 'ssh', 'root@vm/hello', '--known-hosts', `${work}/known`);
  assert.match(shell.errors(), /is not known yet, .* --accept-host-key takes it/);
  writeFileSync(join(work, 'known'), 'vm.hello.default.u ssh-ed25519 AAAA\n');
  const again = await virtctl(() => vm, 'ssh', 'root@vm/hello', '--known-hosts', `${work}/known`);
  assert.doesNotMatch(again.errors(), /not known yet/);
});

test('top tells whether metrics are not served or not allowed', () => {
  assert.match(whyUnknown(new StatusError('Forbidden', 'pods.metrics.k8s.io is forbidden')), /may not read/);
  assert.match(whyUnknown(new StatusError('NotFound', '')), /serves no metrics/);
});

test('port-forward to a name that is not there says what there is, and opens no port', async () => {
  const items = [{ metadata: { name: 'hello' } }];
  const shell = await virtctl(
    ({ path }) => (/\/virtualmachines(?:\?|$)/.test(path) ? { items } : undefined),
    ...['port-forward', 'vm/helo', '0:80'],
  );
  assert.match(shell.errors(), /there is no .*"helo" in namespace "default"; .*did you mean "hello"\?/);
  assert.doesNotMatch(shell.errors(), /forwarding/);
});

for (const words of [
  ['ssh', 'root@vm/helo'],
  ['scp', 'root@vm/helo:/etc/motd', '.'],
])
  test(`${words[0]} to a name that is not there says what there is, and starts no ${words[0]}`, async () => {
    const items = [{ metadata: { name: 'hello' } }];
    const shell = await virtctl(
      ({ path }) => (/\/virtualmachines(?:\?|$)/.test(path) ? { items } : undefined),
      ...[...words, '--known-hosts', `${work}/none`],
    );
    assert.match(shell.errors(), /there is no .*"helo" in namespace "default"; .*did you mean "hello"\?/);
    assert.equal(shell.became(), undefined);
  });

test('port-forward to a VM that is off says how to start it', async () => {
  const off = { metadata: { name: 'web' }, spec: {}, status: { printableStatus: 'Stopped' } };
  const shell = await virtctl(
    ({ path }) => (path.endsWith('/virtualmachines/web') ? off : undefined),
    ...['port-forward', 'vmi/web', '0:80'],
  );
  assert.match(shell.errors(), /vm\/web is Stopped: virtctl start web starts it/);
});

test('import with CPUs or memory that are none says what to write, and makes nothing', async () => {
  const disk = join(work, 'machine.raw');
  writeFileSync(disk, Buffer.alloc(1 << 20));
  const refused = (...flags: readonly string[]): Promise<TestShell> =>
    virtctl(() => assert.fail('nothing is asked'), 'import', disk, ...flags);
  assert.match((await refused('--cpu', 'two')).errors(), /--cpu "two": write a whole number of virtual CPUs/);
  assert.match((await refused('--memory', '1GB')).errors(), /--memory "1GB": write 1G or 1Gi/);
});
