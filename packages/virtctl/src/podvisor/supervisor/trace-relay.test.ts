import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SpanExporter, startTrace } from '@podvisor/kube';
import { relayTraces } from './trace-relay.ts';

test('an exporter that is told of a socket reaches the collector behind it', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'relay-'));
  const stop = new AbortController();
  const heard = Promise.withResolvers<string>();
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
    heard.resolve(`${request.method} ${request.url} ${request.headers.host}`);
  });
  t.after(() => {
    stop.abort();
    collector.close();
    rmSync(directory, { recursive: true });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const socket = join(directory, 'otlp.sock');
  void relayTraces(socket, { host: '127.0.0.1', port }, stop.signal);
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    PODVISOR_OTLP_SOCKET: socket,
  };
  const told: string[] = [];
  const log = { info() {}, error() {}, warn: (_: object, message: string) => told.push(message) };
  const span = { service: 'a', name: 'b', fromMs: 1, toMs: 2, namespace: 'n', object: 'o' };
  SpanExporter.fromEnvironment(env, log)?.send([{ ...span, trace: startTrace('u') }]);
  assert.equal(await heard.promise, `POST /v1/traces 127.0.0.1:${port}`);
  assert.deepEqual(told, []);
});
