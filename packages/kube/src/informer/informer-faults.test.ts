/** Random faults: whatever happens on the way, the store and the told history end up as the server's state. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Informer, KubeClient } from '../index.ts';
import { eventually, things, TinyApiServer } from '../testing/tiny-api-server.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const name = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('put' as const), name }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('remove' as const), name }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constantFrom(
        'destroy',
        'end',
        'compact',
        'bookmark',
        'restart',
        'list-fails',
        'list-works',
        'duplicate',
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('turn' as const) }) },
);

test('property: store and history equal the server, through drops, 410, restarts, failing lists, duplicates', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(step, { minLength: 5, maxLength: 40 }),
      async (watchList, program) => {
        const server = new TinyApiServer();
        await server.start();
        const client = KubeClient.fromAccess(server.access());
        const abort = new AbortController();
        const history = new Map<string, string | undefined>();
        const informer = new Informer({
          client,
          resource: things,
          watchList,
          backoff: { firstMs: 1, maxMs: 5 },
          log: quiet,
        });
        informer.on({
          add: ({ metadata }) => {
            assert.ok(!history.has(metadata?.name ?? ''), 'added twice');
            history.set(metadata?.name ?? '', metadata?.resourceVersion);
          },
          update: ({ metadata }, old) => {
            assert.equal(
              history.get(metadata?.name ?? ''),
              old.metadata?.resourceVersion,
              'update of something else',
            );
            history.set(metadata?.name ?? '', metadata?.resourceVersion);
          },
          delete: ({ metadata }) =>
            assert.ok(history.delete(metadata?.name ?? ''), 'deleted what was not there'),
        });
        informer.start(abort.signal);
        try {
          for (const action of program) await run(server, action);
          server.listsFail = false;
          server.duplicate = false;
          const wanted = (): string => JSON.stringify(Object.entries(server.snapshot()).toSorted());
          const stored = (): string =>
            JSON.stringify(
              informer
                .list()
                .map(({ metadata }) => [metadata?.name, metadata?.resourceVersion])
                .toSorted(),
            );
          await eventually(
            () => informer.hasSynced && stored() === wanted(),
            `store ${stored()} becomes ${wanted()}`,
          );
          assert.equal(JSON.stringify([...history].toSorted()), wanted());
        } finally {
          abort.abort();
          await client.close();
          await server.stop();
        }
      },
    ),
    { numRuns: 25 },
  );
});

async function run(
  server: TinyApiServer,
  action: { readonly op: string; readonly name?: string },
): Promise<void> {
  switch (action.op) {
    case 'put':
      return server.put(action.name ?? '', 'red');
    case 'remove':
      return server.remove(action.name ?? '');
    case 'destroy':
    case 'end':
      return server.dropWatches(action.op);
    case 'compact':
      return server.compact();
    case 'bookmark':
      return server.bookmark();
    case 'restart':
      await server.stop();
      return server.start();
    case 'list-fails':
    case 'list-works':
      server.listsFail = action.op === 'list-fails';
      return;
    case 'duplicate':
      server.duplicate = true;
      return;
    default:
      await new Promise((resolve) => setTimeout(resolve, 3));
  }
}
