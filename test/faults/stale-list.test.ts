/**
 * An API server whose caches are behind (kubernetes#59848): what may be answered from a cache is old, what must be
 * consistent is new. A component that starts must see what is, or it would start a guest a second time.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fixedCredentials, Informer, KubeClient, resources } from '@podvisor/kube';

const OLD = item('old', '5');
const NEW = item('new', '9');

function item(name: string, resourceVersion: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: name, resourceVersion },
  };
}

/** Kubernetes' rule: a request without a version, or a watch that asks for initial events without one, is consistent. */
function answer(request: IncomingMessage, response: ServerResponse, speaksWatchList: boolean): void {
  const query = new URL(request.url ?? '/', 'http://api').searchParams;
  const version = query.get('resourceVersion') ?? '';
  const seen = version === '' ? NEW : OLD;
  if (query.get('watch') === null) {
    const body = { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '9' }, items: [seen] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    return;
  }
  const initial = query.get('sendInitialEvents') === 'true';
  if (initial && !speaksWatchList) {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'Invalid',
      code: 422,
      message: 'sendInitialEvents is forbidden',
    };
    response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify(status));
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  if (!initial) return void response.flushHeaders();
  const bookmark = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } },
  };
  for (const event of [
    { type: 'ADDED', object: seen },
    { type: 'BOOKMARK', object: bookmark },
  ])
    response.write(`${JSON.stringify(event)}\n`);
}

for (const speaksWatchList of [true, false])
  test(`a start sees what is, not what a cache remembers (${speaksWatchList ? 'streamed' : 'plain'} list)`, async () => {
    const server = createServer((request, response) => answer(request, response, speaksWatchList)).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const stop = new AbortController();
    try {
      const { port } = server.address() as AddressInfo;
      const client = new KubeClient({
        credentials: fixedCredentials({ server: `http://127.0.0.1:${port}` }),
      });
      const informer = new Informer({ client, resource: resources.pods });
      informer.start(stop.signal);
      await informer.synced();
      assert.deepEqual(
        informer.list().map(({ metadata }) => metadata.name),
        ['new'],
      );
    } finally {
      stop.abort();
      server.closeAllConnections();
      server.close();
    }
  });
