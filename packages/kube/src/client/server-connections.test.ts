/** Connections are used again, whatever was asked over them, and also after the server has closed some. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { KubeClient } from '../index.ts';
import { things, TinyApiServer } from '../testing/tiny-api-server.ts';

const WORKERS = 8;
const server = new TinyApiServer();
let client: KubeClient;
const used = new Set<Socket>();
let closes = false;

before(async () => {
  await server.start();
  server.answer = (_request, response) => {
    if (response.socket !== null) used.add(response.socket);
    if (closes) response.setHeader('connection', 'close');
    response.end('{}');
    return true;
  };
});
after(() => server.stop());
beforeEach(() => {
  client = KubeClient.fromAccess(server.access('alice'));
  used.clear();
});

async function askMany(once: () => Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (let turn = 0; turn < 8; turn += 1) await once();
    }),
  );
}

describe('connections to a server', () => {
  const key = { namespace: 'ns', name: 'x' };
  for (const [what, once] of [
    ['reads', () => client.get(things, key)],
    ['writes', () => client.create(things, { metadata: key })],
    ['deletions, which have a body', () => client.delete(things, key, { propagationPolicy: 'Background' })],
  ] as const)
    test(`${what} share them`, async () => {
      await askMany(once);
      assert.ok(
        used.size > 0 && used.size <= 3 * WORKERS,
        `${used.size} connections for ${WORKERS} at a time`,
      );
      await client.close();
    });

  test('those that a server closes are followed by others that are shared again', async () => {
    closes = true;
    await askMany(() => client.get(things, key));
    closes = false;
    used.clear();
    await askMany(() => client.get(things, key));
    assert.ok(used.size > 0 && used.size <= 3 * WORKERS, `${used.size} connections for ${WORKERS} at a time`);
    await client.close();
  });
});
