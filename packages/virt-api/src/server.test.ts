/** The whole of virt-api over real TLS sockets on loopback. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent } from 'node:https';
import { test } from 'node:test';
import { certificateNames, type VirtualMachine, type VirtualMachineInstance } from '@podvisor/api';
import type { KeyPair } from '@podvisor/kube';
import { clientCertificate, frontProxyCa, kubevirtCa, tlsFiles, World } from './testing/world.ts';

const root = '/apis/subresources.kubevirt.io/v1/namespaces/default';
const startPath = `${root}/virtualmachines/hello/start`;
const consolePath = `${root}/virtualmachineinstances/hello/console`;

const vm: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'hello', namespace: 'default' },
  spec: { runStrategy: 'Halted', template: { spec: { domain: { devices: {} } } } },
};

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'hello', namespace: 'default' },
  spec: { domain: { devices: {} } },
  status: { phase: 'Running', nodeName: 'node-1' },
};

test('a user may do what the API server says they may', async () => {
  await using world = await new World().start();
  world.store('virtualmachines', vm);
  assert.deepEqual(await world.request('PUT', startPath), { code: 202, body: '' });
  assert.deepEqual(world.reviews, [
    {
      user: 'ann',
      groups: ['dev'],
      extra: {},
      resourceAttributes: {
        group: 'subresources.kubevirt.io',
        version: 'v1',
        namespace: 'default',
        resource: 'virtualmachines',
        name: 'hello',
        subresource: 'start',
        verb: 'update',
      },
    },
  ]);
  assert.equal(world.patches[0]?.path, 'virtualmachines/default/hello');
  world.allowed = false;
  const denied = await world.request('PUT', startPath);
  assert.equal(denied.code, 401);
  assert.match(denied.body, /cannot update virtualmachines\/start/);
  assert.equal(world.patches.length, 1);
});

test('headers count only from the front proxy', async () => {
  await using world = await new World().start();
  world.store('virtualmachines', vm);
  const strangers = [
    'none',
    clientCertificate(frontProxyCa, 'somebody-else'),
    clientCertificate(kubevirtCa, 'front-proxy-client'),
  ] as const;
  for (const identity of strangers) {
    const { code } = await world.request('PUT', startPath, { identity });
    assert.equal(code, 401);
  }
  assert.equal(world.reviews.length, 0);
});

test('nothing is announced before it is known whom to trust', async () => {
  await using world = await new World().start();
  const path = '/apis/subresources.kubevirt.io/v1';
  world.knowsFrontProxy = false;
  assert.equal((await world.request('GET', path)).code, 503);
  world.knowsFrontProxy = true;
  assert.equal((await world.request('GET', path)).code, 200);
});

test('public documents need nobody; unknown paths do not exist', async () => {
  await using world = await new World().start();
  const stranger = clientCertificate(kubevirtCa, 'x');
  const version = await world.request('GET', '/apis/subresources.kubevirt.io/v1/version', {
    identity: stranger,
  });
  assert.equal((JSON.parse(version.body) as { gitVersion: string }).gitVersion, 'v1.2.3');
  for (const path of [
    '/',
    '/apis',
    '/apis/subresources.kubevirt.io',
    '/apis/subresources.kubevirt.io/v1alpha3',
    '/openapi/v2',
    '/healthz',
    '//healthz',
    '/apis/subresources.kubevirt.io/v1/healthz',
    '/readyz',
  ]) {
    assert.equal((await world.request('GET', path, { identity: stranger })).code, 200, path);
  }
  assert.equal((await world.request('GET', '/metrics')).code, 401);
  assert.equal((await world.request('GET', '/anything')).code, 404);
  assert.equal((await world.request('PUT', `${root}/virtualmachines/hello/explode`)).code, 404);
  assert.equal((await world.request('GET', startPath)).code, 405);
});

test('a console is relayed to the node’s virt-handler, both ways', async () => {
  await using world = await new World().start();
  world.store('virtualmachineinstances', vmi);
  const viewer = world.webSocket(consolePath);
  await once(viewer, 'open');
  assert.equal(viewer.protocol, 'plain.kubevirt.io');
  viewer.send(Buffer.from('hello\n'));
  const [reply] = (await once(viewer, 'message')) as [Buffer];
  assert.equal(reply.toString(), 'echo hello\n');
  assert.equal(world.handlerCalls[0]?.url, '/v1/namespaces/default/virtualmachineinstances/hello/console');
  viewer.close();
  await once(viewer, 'close');
});

test('a viewer whose place is taken is cut off without a close frame; the end of a guest has one', async () => {
  await using world = await new World().start();
  world.store('virtualmachineinstances', vmi);
  const codeAfter = async (words: string): Promise<number> => {
    const viewer = world.webSocket(consolePath);
    await once(viewer, 'open');
    viewer.send(Buffer.from(words));
    const [code] = (await once(viewer, 'close')) as [number];
    return code;
  };
  assert.equal(await codeAfter('another viewer\n'), 1006);
  assert.equal(await codeAfter('the guest ends\n'), 1005);
});

test('a console that cannot be opened is refused before the connection is upgraded', async () => {
  await using world = await new World().start();
  world.store('virtualmachineinstances', {
    ...vmi,
    status: { phase: 'Scheduled' },
  } as VirtualMachineInstance);
  const viewer = world.webSocket(consolePath);
  const [, response] = (await once(viewer, 'unexpected-response')) as [unknown, IncomingMessage];
  assert.equal(response.statusCode, 400);
  viewer.on('error', () => undefined);
  viewer.terminate();
});

test('pause goes to the node; the answer is 200', async () => {
  await using world = await new World().start();
  world.store('virtualmachineinstances', vmi);
  assert.equal(
    (await world.request('PUT', `${root}/virtualmachineinstances/hello/pause`, { body: {} })).code,
    200,
  );
  assert.equal(world.handlerCalls[0]?.url, '/v1/namespaces/default/virtualmachineinstances/hello/pause');
});

test('another component at the node’s address is not taken for virt-handler', async () => {
  await using world = await new World('kubevirt.io:system:virt-api').start();
  world.store('virtualmachineinstances', vmi);
  const answer = await world.request('PUT', `${root}/virtualmachineinstances/hello/pause`);
  assert.equal(answer.code, 500);
  assert.match(answer.body, /expected kubevirt.io:system:node:virt-handler/);
  assert.equal(world.handlerCalls.length, 0);
});

test('webhooks answer only the API server, where it shows itself to them', async () => {
  await using world = await new World().start();
  const call = async (identity: KeyPair | 'none'): Promise<number> =>
    (await world.request('POST', '/some-webhook', { identity, body: {} })).code;
  assert.equal(await call('none'), 401);
  assert.equal(await call(clientCertificate(frontProxyCa, 'somebody')), 401);
  assert.equal(await call(clientCertificate(kubevirtCa, 'front-proxy-client')), 401);
  assert.equal(
    await call(clientCertificate(frontProxyCa, 'front-proxy-client')),
    400,
    'asked, and no review',
  );
  world.knowsFrontProxy = false;
  assert.equal(await call(clientCertificate(frontProxyCa, 'front-proxy-client')), 503);
});

test('who leaves goes on answering, keeps no connection and is not ready', async () => {
  await using world = await new World().start();
  const identity = clientCertificate(frontProxyCa, 'front-proxy-client');
  const agent = new Agent({ keepAlive: true });
  const ask = (path: string) => world.request('GET', path, { identity, agent });
  assert.equal((await ask('/readyz')).code, 200);
  await new Promise(setImmediate);
  world.server.leave();
  // Over the connection that was kept from before.
  assert.equal((await ask('/apis/subresources.kubevirt.io/v1')).code, 200);
  await new Promise(setImmediate);
  assert.equal(Object.values(agent.freeSockets).flat().length, 0);
  assert.equal((await ask('/readyz')).code, 503);
  agent.destroy();
});

test('only a connection of the API server is kept', async () => {
  await using world = await new World().start();
  const kept = async (identity: KeyPair | 'none'): Promise<boolean> => {
    const agent = new Agent({ keepAlive: true });
    await world.request('GET', '/apis/subresources.kubevirt.io/v1', { identity, agent });
    // The agent lets go of a socket in the turn after the answer.
    await new Promise(setImmediate);
    const free = Object.values(agent.freeSockets).flat().length;
    agent.destroy();
    return free === 1;
  };
  assert.equal(await kept(clientCertificate(frontProxyCa, 'front-proxy-client')), true);
  assert.equal(await kept(clientCertificate(kubevirtCa, 'front-proxy-client')), false);
  assert.equal(await kept('none'), false);
});

for (const node of ['node-2', ''])
  test(`virt-handler of ${node || 'no node'} at the node’s address is not taken for the node’s own (CVE-2025-64434)`, async () => {
    await using world = await new World(certificateNames.handlerServer, node).start();
    world.store('virtualmachineinstances', vmi);
    const answer = await world.request('PUT', `${root}/virtualmachineinstances/hello/pause`);
    assert.equal(answer.code, 500);
    assert.match(answer.body, /expected virt-handler of node node-1/);
    assert.equal(world.handlerCalls.length, 0);
  });

test('renewed certificates are used without a restart, and a kept connection loses no request', async () => {
  await using world = await new World().start();
  const agent = new Agent({ keepAlive: true });
  const identity = clientCertificate(frontProxyCa, 'front-proxy-client');
  const free = () => Object.values(agent.freeSockets).flat();
  const ask = async (): Promise<number> => {
    const { code } = await world.request('GET', '/healthz', { identity, agent });
    await new Promise(setImmediate);
    return code;
  };
  assert.equal(await ask(), 200);
  const [kept] = free();
  assert.ok(kept !== undefined);
  world.server.reload(tlsFiles());
  // Whoever closed it would have done so before a whole conversation over another connection.
  assert.equal((await world.request('GET', '/healthz', { identity })).code, 200);
  assert.deepEqual(free(), [kept], 'nobody closes it while it is idle');
  const sent = kept.bytesWritten;
  // The next request still goes over it; its answer ends it, and the one after that comes with the new certificates.
  assert.equal(await ask(), 200);
  assert.ok(kept.bytesWritten > sent);
  assert.deepEqual(free(), []);
  assert.equal(await ask(), 200);
  assert.equal(free().length, 1);
  agent.destroy();
});
