/** Lets clients and faults loose on an API server for a while, and says what was wrong with what they saw. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '@podvisor/base';
import { KubeClient } from '@podvisor/kube';
import { ApiClient } from './api-client.ts';
import { check } from './check.ts';
import { type ClientContext, type Random, runLister, runWatcher, runWriter } from './clients.ts';
import type { History } from './history.ts';
import { ServerProcess } from './server-process.ts';
import { SmallDisk } from './small-disk.ts';

export interface RunOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly tell: (line: string) => void;
}

export interface RunResult {
  readonly problems: readonly string[];
  readonly acknowledged: number;
  /** How many of them were deletions. */
  readonly deleted: number;
  readonly events: number;
  readonly lists: number;
  /** Times that a watcher was told that history is gone, and listed again. */
  readonly relists: number;
  readonly faults: Readonly<Record<FaultName, number>>;
}

const WRITERS = 6;
const WATCHERS = 4;
const CATCH_UP_MS = 20_000;

type FaultName = 'kill' | 'pause' | 'stall' | 'full';

export async function run({ seconds, seed, tell }: RunOptions): Promise<RunResult> {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-robustness-'));
  try {
    using disk = new SmallDisk(directory);
    await using server = new ServerProcess(directory, disk.mountPoint, await freePort());
    await server.buildAndStart();
    const random = randomFrom(seed);
    const stop = new AbortController();
    const deadline = new AbortController();
    const clients: ApiClient[] = [];
    const { port, ...identity } = server.access;
    const shared = KubeClient.fromAccess({ server: `https://127.0.0.1:${port}`, ...identity });
    const context = (sharing?: KubeClient): ClientContext => {
      const client = new ApiClient(server.access, sharing);
      clients.push(client);
      return { client, random, now: () => performance.now(), signal: stop.signal };
    };
    let last = Number.POSITIVE_INFINITY;
    const lastKnown = new AbortController();
    const watchers = Array.from({ length: WATCHERS }, (_, watcher) =>
      runWatcher(
        // One of them is often away, for longer than history lasts.
        { watcher, ...(watcher === 0 ? { napsMs: 1_500 } : {}) },
        {
          // Half of them as our components watch, over one connection, half each over its own.
          ...context(watcher % 2 === 0 ? shared : undefined),
          ...{ last: () => last, lastKnown: lastKnown.signal, deadline: deadline.signal },
        },
      ),
    );
    await sleep(300); // the watchers' first lists, before anybody writes
    const writers = Array.from({ length: WRITERS }, (_, writer) => runWriter(writer, context()));
    const listers = [runLister(context()), runLister(context())];
    const faults = await runFaults({ seconds, random, server, disk, tell });
    stop.abort();
    const writes = (await Promise.all(writers)).flat();
    const lists = (await Promise.all(listers)).flat();
    last = await settle(new ApiClient(server.access));
    lastKnown.abort();
    const late = setTimeout(() => deadline.abort(), CATCH_UP_MS);
    const watches = (await Promise.all(watchers)).flat();
    clearTimeout(late);
    for (const client of clients) client.close();
    await shared.close();
    const history: History = { writes, lists, watches };
    const behind = deadline.signal.aborted
      ? [`a watcher did not hear of revision ${last} within ${CATCH_UP_MS / 1000} s`]
      : [];
    const acknowledged = writes.filter(({ outcome }) => outcome.kind === 'done');
    return {
      problems: [...behind, ...check(history)],
      acknowledged: acknowledged.length,
      deleted: acknowledged.filter(({ verb }) => verb === 'delete').length,
      events: watches.reduce((sum, { events }) => sum + events.length, 0),
      lists: lists.length,
      relists: watches.length - WATCHERS,
      faults,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface FaultContext {
  readonly seconds: number;
  readonly random: Random;
  readonly server: ServerProcess;
  readonly disk: SmallDisk;
  readonly tell: (line: string) => void;
}

/** One fault after the other, in turn, with time to recover between them. */
async function runFaults({
  seconds,
  random,
  server,
  disk,
  tell,
}: FaultContext): Promise<Record<FaultName, number>> {
  const count = { kill: 0, pause: 0, stall: 0, full: 0 };
  const faults: Readonly<Record<FaultName, () => Promise<void>>> = {
    kill: async () => server.signal('SIGKILL'),
    pause: async () => {
      server.signal('SIGSTOP');
      await sleep(300);
      server.signal('SIGCONT');
    },
    stall: async () => {
      disk.freeze();
      await sleep(500);
      // Half of the time the process dies with its writes under way.
      if (random() < 0.5) server.signal('SIGKILL');
      disk.thaw();
    },
    full: async () => {
      disk.fill();
      await sleep(500);
      if (random() < 0.3) server.signal('SIGKILL');
      disk.empty();
    },
  };
  const end = performance.now() + seconds * 1000;
  const names = Object.keys(faults) as FaultName[];
  for (let i = 0; performance.now() < end; i += 1) {
    await sleep(600 + random() * 900);
    const name = names[i % names.length] ?? 'kill';
    tell(name);
    await faults[name]();
    count[name] += 1;
  }
  await sleep(500);
  return count;
}

/** Writes once more when the server is back, and returns the revision of that: everybody must hear of it. */
async function settle(client: ApiClient): Promise<number> {
  const path = '/api/v1/namespaces/default/configmaps';
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'last' } };
  try {
    for (let i = 0; ; i += 1) {
      const reply = await client.send('POST', path, object).catch(() => undefined);
      if (reply?.code === 201) return Number(reply.body.metadata?.resourceVersion);
      if (i > 200) throw new Error(`the server does not come back: ${JSON.stringify(reply)}`);
      if (reply?.code === 409) await client.send('DELETE', `${path}/last`);
      await sleep(50);
    }
  } finally {
    client.close();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
