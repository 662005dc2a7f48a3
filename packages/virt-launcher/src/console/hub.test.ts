import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ConsoleHub, type ConsoleViewer, VIEWER_QUEUE_BYTES } from './hub.ts';

class TestViewer implements ConsoleViewer {
  text = '';
  ended: string | undefined;
  most = 0;
  readonly #queue: Buffer[] = [];
  #drained = (): void => {};
  readonly #slow: boolean;

  constructor(slow = false) {
    this.#slow = slow;
  }
  write(data: Buffer): void {
    this.#queue.push(data);
    this.most = Math.max(this.most, this.queuedBytes());
    if (!this.#slow) this.take();
  }
  /** The peer reads what is there. */
  take(): void {
    this.text += Buffer.concat(this.#queue.splice(0)).toString();
    this.#drained();
  }
  queuedBytes(): number {
    return this.#queue.reduce((sum, { length }) => sum + length, 0);
  }
  onDrain(fn: () => void): void {
    this.#drained = fn;
  }
  end(reason: string): void {
    this.ended = reason;
  }
}

async function withPort(
  body: (hub: ConsoleHub, port: Socket, path: string) => Promise<void>,
  patienceMs?: number,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'console-'));
  const path = join(directory, 'serial0');
  const server = createServer().listen(path);
  await once(server, 'listening');
  const hub = new ConsoleHub(patienceMs);
  try {
    const accepted = once(server, 'connection');
    await hub.connect(path);
    const [port] = (await accepted) as [Socket];
    port.on('error', () => {});
    await body(hub, port, path);
  } finally {
    hub.end('');
    server.close();
    rmSync(directory, { recursive: true });
  }
}

const soon = async (test: () => boolean): Promise<void> => {
  while (!test()) await new Promise((resolve) => setImmediate(resolve));
};

test(
  'every viewer sees every byte, later ones the scrollback first if they ask for it',
  { timeout: 5_000 },
  () =>
    withPort(async (hub, port) => {
      const one = new TestViewer();
      hub.attach(one);
      port.write('boot ');
      await soon(() => one.text === 'boot ');
      const two = new TestViewer();
      hub.attach(two, true);
      const three = new TestViewer();
      hub.attach(three);
      port.write('login:');
      await soon(() => [one, two, three].every(({ text }) => text.endsWith('login:')));
      assert.deepEqual([one.text, two.text, three.text], ['boot login:', 'boot login:', 'login:']);
    }),
);

/** How often the hub has stopped reading; from then on nothing more comes until it goes on. */
function pauses(t: TestContext): () => number {
  const { mock } = t.mock.method(Socket.prototype, 'pause');
  return () => mock.callCount();
}

/** More than a queue, what Node reads ahead and a socket's buffers hold together. */
const FLOOD = 8 * VIEWER_QUEUE_BYTES;

test(
  'for a viewer that is full the port waits, and a burst reaches everybody whole',
  { timeout: 20_000 },
  (t) =>
    withPort(async (hub, port) => {
      const paused = pauses(t);
      const slow = new TestViewer(true);
      const good = new TestViewer();
      hub.attach(slow);
      hub.attach(good);
      port.write(Buffer.alloc(FLOOD, 'x'));
      await soon(() => paused() > 0);
      assert.ok(good.text.length < FLOOD, 'the port stands still');
      await soon(() => (slow.take(), slow.text.length === FLOOD));
      assert.equal(good.text.length, FLOOD);
      assert.equal(slow.ended, undefined);
      assert.ok(slow.most <= VIEWER_QUEUE_BYTES + 64 * 1024, `${slow.most} bytes were queued`);
    }),
);

test('a viewer that takes nothing is dropped; the others get all', { timeout: 20_000 }, () =>
  withPort(async (hub, port) => {
    const dead = new TestViewer(true);
    const good = new TestViewer();
    hub.attach(dead);
    hub.attach(good);
    port.write(Buffer.alloc(FLOOD, 'x'));
    await soon(() => dead.ended !== undefined && good.text.length === FLOOD);
    assert.match(dead.ended ?? '', /did not keep up/);
    assert.equal(good.ended, undefined);
  }, 50),
);

test('a full viewer that leaves holds nobody up', { timeout: 20_000 }, () =>
  withPort(async (hub, port) => {
    const leaving = new TestViewer(true);
    const good = new TestViewer();
    const leave = hub.attach(leaving);
    hub.attach(good);
    port.write(Buffer.alloc(FLOOD, 'x'));
    await soon(() => leaving.queuedBytes() > VIEWER_QUEUE_BYTES);
    leave();
    await soon(() => good.text.length === FLOOD);
  }, 600_000),
);

test('a port that is connected anew waits for who is full already', { timeout: 20_000 }, (t) =>
  withPort(async (hub, port, path) => {
    const paused = pauses(t);
    const full = new TestViewer(true);
    hub.attach(full);
    port.write(Buffer.alloc(FLOOD, 'x'));
    await soon(() => paused() > 0);
    const pausedBefore = paused();
    const server = createServer((next) => {
      next.on('error', () => {});
      next.write(Buffer.alloc(FLOOD, 'y'));
    }).listen(`${path}-2`);
    await once(server, 'listening');
    const before = full.queuedBytes();
    await hub.connect(`${path}-2`);
    await soon(() => paused() > pausedBefore);
    assert.ok(full.queuedBytes() > before, 'the new port was read');
    assert.ok(full.most <= before + 2 * 64 * 1024, `${full.most} bytes were queued`);
    server.close();
  }, 600_000),
);

test('what a viewer types reaches the port; connecting again keeps the connection', { timeout: 5_000 }, () =>
  withPort(async (hub, port, path) => {
    await hub.connect(path);
    let typed = '';
    port.on('data', (chunk: Buffer) => {
      typed += chunk.toString();
    });
    hub.write(Buffer.from('root\n'));
    await soon(() => typed === 'root\n');
  }),
);

test('ends its viewers with the guest, and can be connected to the next', { timeout: 5_000 }, () =>
  withPort(async (hub, _port, path) => {
    const viewer = new TestViewer();
    hub.attach(viewer);
    hub.end('');
    assert.equal(viewer.ended, '');
    assert.equal(hub.connected, false);
    await hub.connect(path);
    assert.equal(hub.connected, true);
  }),
);
