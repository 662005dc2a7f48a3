import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConsoleHub, type ConsoleViewer, VIEWER_QUEUE_BYTES } from './hub.ts';

class TestViewer implements ConsoleViewer {
  text = '';
  ended: string | undefined;
  #queued = 0;
  readonly #slow: boolean;

  constructor(slow = false) {
    this.#slow = slow;
  }
  write(data: Buffer): boolean {
    if (this.#slow) this.#queued += data.length;
    else this.text += data.toString();
    return true;
  }
  queuedBytes(): number {
    return this.#queued;
  }
  end(reason: string): void {
    this.ended = reason;
  }
}

async function withPort(body: (hub: ConsoleHub, port: Socket, path: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'console-'));
  const path = join(directory, 'serial0');
  const server = createServer().listen(path);
  await once(server, 'listening');
  const hub = new ConsoleHub();
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

test('a viewer that does not keep up is dropped; the others are not', { timeout: 5_000 }, () =>
  withPort(async (hub, port) => {
    const slow = new TestViewer(true);
    const good = new TestViewer();
    hub.attach(slow);
    hub.attach(good);
    port.write(Buffer.alloc(VIEWER_QUEUE_BYTES + 1, 'x'));
    await soon(() => slow.ended !== undefined && good.text.length === VIEWER_QUEUE_BYTES + 1);
    assert.match(slow.ended ?? '', /did not keep up/);
    assert.equal(good.ended, undefined);
  }),
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
