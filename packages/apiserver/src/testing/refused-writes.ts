/**
 * A table of refused writes as tests, each sent to a server: kind, verb (`create`, `update` or a subresource), place of
 * the change, its value, and the causes named for it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { arrayAt, cloneJson, type JsonObject, stringAt } from '../wire/json.ts';
import { TestClient } from './test-client.ts';
import { startTestServer, type TestServer } from './test-server.ts';

export interface WrittenKind {
  readonly path: string;
  /** An object that is taken, without its metadata. */
  readonly object: JsonObject;
}

type Row = readonly [string, string, string, unknown, readonly string[]];

export function refusedWrites(kinds: Readonly<Record<string, WrittenKind>>, table: readonly Row[]): void {
  let server: TestServer;
  let client: TestClient;
  const stored = new Map<string, JsonObject>();
  before(async () => {
    server = await startTestServer();
    client = new TestClient(server);
    await client.send('POST', '/api/v1/namespaces/default/serviceaccounts', {
      metadata: { name: 'default' },
    });
  });
  after(() => server[Symbol.asyncDispose]());

  for (const [kind, { path, object }] of Object.entries(kinds))
    test(`a good ${kind} is taken`, async () => {
      const metadata = { name: kind.toLowerCase() };
      const { code, body } = await client.send('POST', path, { ...object, metadata });
      assert.equal(code, 201, stringAt(body, 'message'));
      stored.set(kind, body);
    });

  describe('refused', () => {
    for (const [kind, verb, place, value, causes] of table)
      test(`${kind} ${verb} ${place} ${JSON.stringify(value)}`, async () => {
        const { path = '', object = {} } = kinds[kind] ?? {};
        const part = verb === 'update' ? '' : `/${verb}`;
        const { code, body } =
          verb === 'create'
            ? await client.send(
                'POST',
                `${path}?dryRun=All`,
                changed({ ...object, metadata: { name: 'new' } }, place, value),
              )
            : await client.send(
                'PUT',
                `${path}/${kind.toLowerCase()}${part}?dryRun=All`,
                changed(stored.get(kind) ?? {}, place, value),
              );
        assert.equal(code, 422, stringAt(body, 'message'));
        const named = arrayAt(body, 'details', 'causes').map(
          (cause) => `${stringAt(cause, 'reason').replace('FieldValue', '')} ${stringAt(cause, 'field')}`,
        );
        assert.deepEqual(named.toSorted(), causes.toSorted());
      });
  });
}

function changed(object: JsonObject, place: string, value: unknown): JsonObject {
  const copy = cloneJson(object);
  const steps = place.split('.');
  let at = copy as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) {
    at[step] ??= {};
    at = at[step] as Record<string, unknown>;
  }
  at[steps.at(-1) ?? ''] = value;
  return copy;
}
