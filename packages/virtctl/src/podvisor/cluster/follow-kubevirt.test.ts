import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { KubeVirt } from '@podvisor/api';
import { KubeClient } from '@podvisor/kube';
import { blockedBy, followKubeVirt, isInstalled, isInstalledFrom } from './follow-kubevirt.ts';

const of = (conditions: Record<string, string>[], resourceVersion = '1'): KubeVirt =>
  ({
    metadata: { name: 'kubevirt', namespace: 'kubevirt', uid: 'u', generation: 1, resourceVersion },
    status: { phase: 'Deployed', observedGeneration: 1, conditions },
  }) as unknown as KubeVirt;
const blocked = of([
  { type: 'Synchronized', status: 'False', reason: 'MissingPermissions', message: 'may not' },
]);
const installed = of(
  [
    { type: 'Available', status: 'True' },
    { type: 'Progressing', status: 'False' },
  ],
  '2',
);

/** An API server that lists the one, and whose watch tells the other. */
async function serverOf(first: KubeVirt, then: KubeVirt): Promise<Server> {
  const list = { kind: 'KubeVirtList', metadata: { resourceVersion: '1' }, items: [first] };
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    if (!url.includes('watch=')) response.end(JSON.stringify(list));
    else response.write(`${JSON.stringify({ type: 'MODIFIED', object: then })}\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function follow(before: string | undefined): Promise<readonly string[]> {
  const server = await serverOf(blocked, installed);
  const client = KubeClient.fromAccess({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  const told: string[] = [];
  try {
    const until = (object: KubeVirt | undefined): boolean => object !== undefined && isInstalled(object);
    const tell = (line: string): number => told.push(line);
    const endsWhenBlocked = { before };
    await followKubeVirt(
      { client, namespace: 'kubevirt', tell, until, endsWhenBlocked },
      AbortSignal.timeout(10_000),
    );
    return told;
  } finally {
    await client.close();
    server.closeAllConnections();
    server.close();
  }
}

test('what stood in the way before may be mended: it is told, and waited for', async () => {
  assert.equal(blockedBy(blocked), 'MissingPermissions: may not');
  assert.deepEqual(await follow(blockedBy(blocked)), ['Deployed: MissingPermissions: may not', 'Deployed']);
});

test('what stands in the way now ends the wait', async () => {
  await assert.rejects(follow(undefined), /^Error: MissingPermissions: may not$/);
  await assert.rejects(follow('ForeignObject: another'), /MissingPermissions/);
});

test('what an older virt-operator has installed is not what this one is asked for', () => {
  const from = (spec: object): KubeVirt =>
    ({
      ...installed,
      spec,
      status: { ...installed.status, observedKubeVirtRegistry: 'r', observedKubeVirtVersion: '1' },
    }) as KubeVirt;
  assert.equal(isInstalledFrom(from({}), { registry: 'r', tag: '1' }), true);
  assert.equal(isInstalledFrom(from({}), { registry: 'r', tag: '2' }), false);
  assert.equal(isInstalledFrom(from({}), { registry: 'other', tag: '1' }), false);
  const said = { imageRegistry: 'r', imageTag: '1' };
  assert.equal(isInstalledFrom(from(said), { registry: 'other', tag: '2' }), true, 'the object says which');
});
