import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildProgram } from '../program.ts';
import { runProgram } from '../run-program.ts';
import { startRecordingServer } from '../testing/recording-server.ts';
import { testShell } from '../testing/test-shell.ts';
import { homeKey, identityOfHome } from './ssh-identity.ts';

function places() {
  const place = mkdtempSync(join(tmpdir(), 'podvisor-identity-'));
  const [home, user] = [join(place, 'home'), join(place, 'user')];
  for (const directory of [join(home, 'ssh'), join(user, '.ssh')]) mkdirSync(directory, { recursive: true });
  return { home, user, kubeconfig: join(home, 'kubeconfig') };
}

test('who has no key of his own signs in with that of the home, who has one with his own', () => {
  const { home, user, kubeconfig } = places();
  assert.equal(identityOfHome([kubeconfig], user), undefined);
  writeFileSync(homeKey(home), 'key');
  assert.equal(identityOfHome([kubeconfig], user), homeKey(home));
  assert.equal(identityOfHome(['/elsewhere/config', kubeconfig], user), homeKey(home));
  writeFileSync(join(user, '.ssh/id_rsa.pub'), 'ssh-rsa AAAA');
  assert.equal(identityOfHome([kubeconfig], user), undefined);
});

test('ssh and scp are told that key', async (t) => {
  const { home, user, kubeconfig } = places();
  writeFileSync(homeKey(home), 'key');
  const server = await startRecordingServer(() => ({ metadata: { name: 'web', namespace: 'default' } }));
  t.after(() => server.close());
  const kubeconfigOfHome = {
    clusters: [{ name: 'c', cluster: { server: server.url } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: {} }],
    'current-context': 'x',
  };
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOfHome));
  for (const words of [
    ['ssh', 'debian@vm/web/default'],
    ['scp', import.meta.filename, 'debian@vm/web/default:/tmp/'],
  ]) {
    const shell = testShell({ HOME: user });
    const known = ['--known-hosts', join(user, '.ssh/known')];
    await runProgram(buildProgram(shell), [...words, ...known, '--kubeconfig', kubeconfig], shell);
    const told = shell.became() ?? [];
    assert.equal(told[told.indexOf('-i') + 1], homeKey(home));
  }
});
