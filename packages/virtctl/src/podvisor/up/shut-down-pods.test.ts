import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { KubeClient } from '@podvisor/kube';
import { shutDownPods } from './shut-down-pods.ts';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'virt-launcher-a', namespace: 'default', uid: 'u', resourceVersion: '1' },
  spec: { containers: [] },
};

/** An API server with this list of Pods, which answers nothing else but what `answer` does. */
async function serving(
  items: readonly Pod[],
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  body: (client: KubeClient) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || /[?&]watch=/.test(request.url ?? '')) return answer(request, response);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '1' }, items }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'podvisor-down-')), 'kubeconfig');
  const cluster = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'c', cluster }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      users: [{ name: 'u', user: {} }],
      'current-context': 'x',
    }),
  );
  try {
    await body(KubeClient.fromKubeconfig(kubeconfig, 'test'));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('Pods that cannot even be asked in time are given up, and nothing else comes of it', async () => {
  await serving(
    [pod],
    () => {},
    (client) =>
      assert.rejects(
        shutDownPods(client, [pod], () => true, 100),
        /^Error: time is up$/,
      ),
  );
});

test('it is over when none is left that counts', async () => {
  const gone = (_request: IncomingMessage, response: ServerResponse): void =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(pod));
  await serving([], gone, (client) => shutDownPods(client, [pod], () => true, 10_000));
  await serving([pod], gone, (client) => shutDownPods(client, [pod], () => false, 10_000));
});
