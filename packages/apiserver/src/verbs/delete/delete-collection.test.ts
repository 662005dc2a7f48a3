import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminRequest } from '../../testing/admin-request.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { arrayAt, at } from '../../wire/json.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const COUNT = 30;

test('a collection goes, the answer has all of it in order, and what is held or not chosen stays', async () => {
  await using home = await startTestServer();
  const ask = async (method: string, path: string, body?: object) =>
    (await adminRequest(home, method, path, body === undefined ? {} : { body: JSON.stringify(body) })).body;
  for (let i = 0; i < COUNT; i += 1) {
    const metadata = { name: `of-${String(i).padStart(2, '0')}`, labels: { mine: 'yes' } };
    await ask('POST', MAPS, {
      metadata: { ...metadata, ...(i === 7 ? { finalizers: ['example.com/hold'] } : {}) },
    });
  }
  await ask('POST', MAPS, { metadata: { name: 'other' } });
  const before = await ask('GET', `${MAPS}?labelSelector=mine`);
  const deleted = await ask('DELETE', `${MAPS}?labelSelector=mine`);
  assert.deepEqual(at(deleted, 'items'), at(before, 'items'));
  const names = arrayAt(await ask('GET', MAPS), 'items').map((item) => at(item, 'metadata', 'name'));
  assert.ok(names.includes('other') && names.includes('of-07'));
  assert.ok(!names.includes('of-06') && !names.includes('of-29'));
  assert.equal(names.filter((name) => String(name).startsWith('of-')).length, 1);
});
