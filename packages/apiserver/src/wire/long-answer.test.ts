/**
 * Answers of any size leave their HTTP/1.1 connection fit for the next request. What Node does with a request that
 * comes too early depends on the moment, so that it is not waited for here: the order of writes is what is promised.
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { Writable } from 'node:stream';
import { adminRequest } from '../testing/admin-request.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import type { ApiResponse } from './exchange.ts';
import { endAfter, sendWhole } from './long-answer.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const TURNS = 4;
/** Two bytes a character in memory and in UTF-8: what is held back begins within a character now and then. */
const TEXT = 'ß';

let home: TestServer;
let agent: Agent;

interface Reply {
  readonly code: number | undefined;
  readonly text: string;
  readonly reused: boolean;
}

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const { server } = home;
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: server.port, path, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          code: response.statusCode,
          text: Buffer.concat(chunks).toString(),
          reused: call.reusedSocket,
        }),
      );
    });
    call.on('error', reject);
    call.end();
  });
}

async function make(name: string, bytes: number): Promise<void> {
  const data = { text: TEXT.repeat(bytes / 2) };
  const body = JSON.stringify({ metadata: { name, labels: { size: String(bytes) } }, data });
  const { code } = await adminRequest(home, 'POST', MAPS, { body });
  assert.equal(code, 201);
}

before(async () => {
  home = await startTestServer();
  const { ca, admin } = home;
  agent = new Agent({
    keepAlive: true,
    maxSockets: 1,
    ca: ca.certificate,
    cert: admin.certificate,
    key: admin.key,
  });
  for (const bytes of [1_000, 48_000, 60_000, 70_001, 700_000]) await make(`of-${bytes}`, bytes);
  for (let i = 0; i < 8; i += 1) await make(`many-${i}`, 300_000);
});
after(async () => {
  agent.destroy();
  await home[Symbol.asyncDispose]();
});

describe('one request after the other on one connection', () => {
  for (const [what, path, headers] of [
    ['a small object', `${MAPS}/of-1000`, {}],
    ['an object that a socket takes at once', `${MAPS}/of-48000`, {}],
    ['an object about as large as what a socket buffers', `${MAPS}/of-60000`, {}],
    ['an object that is somewhat larger', `${MAPS}/of-70001`, {}],
    ['a large object', `${MAPS}/of-700000`, {}],
    ['an object as protobuf', `${MAPS}/of-70001`, { accept: 'application/vnd.kubernetes.protobuf' }],
    ['a list in pieces', `${MAPS}?labelSelector=size%3D300000`, {}],
    ['a page', `${MAPS}?limit=5`, {}],
    ['a list, compressed', `${MAPS}?labelSelector=size%3D300000`, { 'accept-encoding': 'gzip' }],
  ] as const)
    test(what, async () => {
      const first = await get(path, headers);
      for (let turn = 0; turn < TURNS; turn += 1) {
        const { code, text, reused } = await get(path, headers);
        assert.equal(code, 200);
        assert.ok(reused, `request ${turn} needed a new connection`);
        assert.ok(text === first.text, 'the answer is the same, byte for byte');
      }
    });
});

test('a client that leaves in the middle of a long answer harms nobody', async () => {
  const { server, ca, admin } = home;
  for (let turn = 0; turn < 5; turn += 1)
    await new Promise<void>((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: server.port,
          path: MAPS,
          agent: false,
          ca: ca.certificate,
          cert: admin.certificate,
          key: admin.key,
        },
        (response) => {
          response.once('data', () => call.destroy());
          response.on('error', () => undefined);
          response.on('close', resolve);
        },
      );
      call.on('error', reject);
      call.end();
    });
  assert.equal((await get(`${MAPS}/of-1000`)).code, 200);
});

/** A connection that takes what is written when it is told to. */
class SlowResponse extends Writable implements ApiResponse {
  statusCode = 0;
  readonly headersSent = false;
  readonly pieces: Buffer[] = [];
  #take: (() => void) | undefined;

  constructor() {
    super({ highWaterMark: 1 });
  }

  setHeader(): void {
    // only what is written matters here
  }

  writeHead(): this {
    return this;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.pieces.push(chunk);
    this.#take = done;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }

  async takeAll(): Promise<void> {
    this.#take?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the last bytes of a long answer', () => {
  const long = 'ß'.repeat(50_000);

  test('are written after the connection has taken all others, and are few', async () => {
    const response = new SlowResponse();
    sendWhole(response, 200, long);
    assert.ok(response.bytes.length < 100_000, 'a part is held back');
    assert.ok(response.bytes.length > 100_000 - 48 * 1024, 'less than what makes a socket drain');
    assert.ok(!response.writableEnded);
    await response.takeAll();
    assert.equal(response.bytes.toString(), long);
    assert.ok(response.writableEnded);
  });

  test('end a list whose pieces are all taken at once', async () => {
    const response = new SlowResponse();
    await endAfter(response, '', ']}');
    assert.equal(response.bytes.toString(), ']}');
  });

  test('are not written to a client that went away', async () => {
    const response = new SlowResponse();
    const ended = endAfter(response, 'items', ']}');
    response.destroy();
    await ended;
    assert.equal(response.bytes.toString(), 'items');
  });

  test('are not held back where a socket takes all at once', () => {
    const response = new SlowResponse();
    sendWhole(response, 200, 'short');
    assert.equal(response.bytes.toString(), 'short');
    assert.ok(response.writableEnded);
  });
});
