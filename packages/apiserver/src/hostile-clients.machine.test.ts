/**
 * Clients that send bombs or without end, read slowly or come in crowds: each hears what is wrong with its request,
 * and the server goes on. Damaged requests are in bad-input.test.ts.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startTestServer, type TestServer } from './testing/test-server.ts';

interface Reply {
  readonly code: number;
  readonly body: { readonly kind?: string; readonly message?: string; readonly reason?: string };
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
/** A watch, its TLS connection included, and the client that reads it here beside the server. */
const WATCH_BYTES = 160 * 1024;
/** What may be left when all have ended: caches, far less than one buffer for each. */
const LEFT_BYTES = 4 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What this process, server and clients, cannot give back. */
function memoryBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('hostile clients', () => {
  let home: TestServer;
  let agent: Agent;
  /** What the server did not expect; some answers with 500 are what a real server gives, those are none. */
  const faults: unknown[] = [];

  before(async () => {
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: (fields: object) => void faults.push(fields),
    };
    home = await startTestServer({ overrides: { log } });
    agent = new Agent({
      keepAlive: true,
      maxSockets: 50,
      ca: home.ca.certificate,
      cert: home.admin.certificate,
      key: home.admin.key,
    });
    const { code } = await send('POST', CONFIG_MAPS, configMap('target'));
    assert.equal(code, 201);
  });
  after(async () => {
    agent.destroy();
    await home[Symbol.asyncDispose]();
  });

  function send(
    method: string,
    path: string,
    body: Buffer | string,
    type = 'application/json',
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const headers = type === '' ? {} : { 'content-type': type };
      const call = request(
        { host: '127.0.0.1', port: home.server.port, agent, method, path, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const body = text.startsWith('{') ? (JSON.parse(text) as Reply['body']) : { message: text };
            resolve({ code: response.statusCode ?? 0, body });
          });
          response.on('error', reject);
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  }

  /** Refused with a reason that says something, and not the server's own fault. */
  function assertRefused({ code, body }: Reply, what: string): void {
    assert.ok(code >= 400 && code < 500, `${what}: answered ${code}: ${body.message}`);
    assert.ok((body.message ?? '').length > 5, `${what}: refused without a word`);
  }

  const stillServes = async (): Promise<void> => {
    const { code } = await send('PUT', `${CONFIG_MAPS}/target`, configMap('target'));
    assert.equal(code, 200);
  };

  for (const [what, body, type] of [
    ['JSON that is nested too deeply', nested('{"a":', '}', 100_000), 'application/json'],
    ['lists that are nested too deeply', nested('[', ']', 100_000), 'application/json'],
    [
      'an object whose data is nested too deeply',
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","annotations":${nested('{"a":', '}', 20_000)}}}`,
      'application/json',
    ],
    ['YAML that is nested too deeply', nested('[', ']', 20_000), 'application/yaml'],
    ['YAML that expands without end', laughs(), 'application/yaml'],
    [
      'text that is not UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      'application/json',
    ],
    ['the wrong kind of content', '<html/>', 'text/html'],
    [
      'an unknown field of protobuf',
      Buffer.from([0x6b, 0x38, 0x73, 0, 0x0f, 0xff, 0xff]),
      'application/vnd.kubernetes.protobuf',
    ],
    ['nothing', '', 'application/json'],
    ['null', 'null', 'application/json'],
    ['another kind', '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}', 'application/json'],
  ] as const)
    test(`${what}: refused`, async () => {
      assertRefused(await send('POST', CONFIG_MAPS, body, type), what);
      await stillServes();
    });

  test('a body without end is cut off', async () => {
    const call = request({
      host: '127.0.0.1',
      port: home.server.port,
      agent,
      method: 'POST',
      path: CONFIG_MAPS,
    });
    let sent = 0;
    const answered = once(call, 'response').then(([response]) => {
      (response as NodeJS.ReadableStream).resume();
      return (response as { statusCode: number }).statusCode;
    });
    const ended = once(call, 'close');
    call.on('error', () => undefined);
    const chunk = Buffer.alloc(256 * 1024, 0x20);
    while (!call.destroyed && sent < 200 * 1024 * 1024 && call.writable) {
      if (!call.write(chunk))
        await Promise.race([once(call, 'drain'), ended, answered.catch(() => undefined)]);
      sent += chunk.length;
      if (
        await Promise.race([
          answered.then(
            () => true,
            () => true,
          ),
          new Promise((r) => setImmediate(() => r(false))),
        ])
      )
        break;
    }
    call.destroy();
    assert.equal(await answered, 413);
    assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes were taken`);
    await stillServes();
  });

  test('a watcher that does not read when its time is up', async () => {
    const big = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'big' },
      data: { a: 'x'.repeat(900_000) },
    });
    assert.equal((await send('POST', CONFIG_MAPS, big)).code, 201);
    const path = `${CONFIG_MAPS}?watch=1&resourceVersion=0&timeoutSeconds=1&allowWatchBookmarks=true`;
    const watches = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const call = request({ host: '127.0.0.1', port: home.server.port, agent, path });
        call.on('error', () => undefined);
        call.end();
        const [response] = (await once(call, 'response')) as [NodeJS.ReadableStream];
        response.pause();
        return call;
      }),
    );
    // More than the sockets hold, so that the answers are still on their way when their time is up.
    for (let i = 0; i < 25; i += 1)
      assert.equal((await send('PUT', `${CONFIG_MAPS}/big`, big.replace('xx', `${i}x`))).code, 200);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await stillServes();
    for (const call of watches) call.destroy();
    await stillServes();
    assert.deepEqual(faults.splice(0), []);
  });

  test('hundreds of watches cost little, and nothing when they end', async () => {
    // What the tests before have left goes first.
    let before = memoryBytes();
    for (let last = Number.POSITIVE_INFINITY; last - before > 64 * 1024; ) {
      await stillServes();
      last = before;
      await new Promise((resolve) => setTimeout(resolve, 200));
      before = memoryBytes();
    }
    const options = { ca: home.ca.certificate, cert: home.admin.certificate, key: home.admin.key };
    const streams = new Agent({ ...options, keepAlive: true });
    const path = `${CONFIG_MAPS}?watch=1&resourceVersion=0`;
    const watches = await Promise.all(
      Array.from({ length: 500 }, async () => {
        const call = request({ host: '127.0.0.1', port: home.server.port, agent: streams, path });
        call.on('error', () => undefined);
        call.end();
        const [response] = (await once(call, 'response')) as [NodeJS.ReadableStream];
        response.on('error', () => undefined);
        const heard = once(response, 'data');
        return { call, heard };
      }),
    );
    await Promise.all(watches.map(({ heard }) => heard));
    const perWatch = (memoryBytes() - before) / watches.length;
    assert.ok(perWatch < WATCH_BYTES, `a watch costs ${Math.round(perWatch / 1024)} KiB`);
    await stillServes();
    const ended = watches.splice(0).map(({ call }) => {
      call.destroy();
      return once(call, 'close');
    });
    streams.destroy();
    await Promise.all(ended);
    // The server hears of a closed connection a little later.
    let left = Number.POSITIVE_INFINITY;
    for (const end = Date.now() + 20_000; Date.now() < end && left >= LEFT_BYTES; ) {
      await stillServes();
      left = memoryBytes() - before;
    }
    assert.ok(left < LEFT_BYTES, `${Math.round(left / 1024)} KiB are left of ended watches`);
  });
});

function configMap(name: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { a: 'b', c: 'd' },
  });
}

function nested(open: string, close: string, depth: number): string {
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** Each line ten times the one before: a few hundred bytes that want to be gigabytes. */
function laughs(): string {
  const lines = Array.from({ length: 10 }, (_, i) =>
    i === 0
      ? 'l0: &l0 [x]'
      : `l${i}: &l${i} [${Array(10)
          .fill(`*l${i - 1}`)
          .join(',')}]`,
  );
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n${lines.join('\n')}\n`;
}
