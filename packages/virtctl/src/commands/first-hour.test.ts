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
  assert.ok(Date.now() - startedAt < 5_000);
});

test('image-upload of a file that is not there says so before anything is made', async () => {
  const shell = await virtctl(
    () => assert.fail('nothing is asked'),
    ...['image-upload', 'dv', 'x', '--size=1Gi', `--image-path=${work}/none.qcow2`],
  );
  assert.match(shell.errors(), /there is no file .*none\.qcow2/);
});

test('top tells whether metrics are not served or not allowed', () => {
  assert.match(whyUnknown(new StatusError('Forbidden', 'pods.metrics.k8s.io is forbidden')), /may not read/);
  assert.match(whyUnknown(new StatusError('NotFound', '')), /serves no metrics/);
});
