import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { OperationTimes } from '../metrics/operation-times.ts';
import { TraceExporter } from './exporter.ts';

const quiet = { info() {}, warn() {}, error() {} };

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { value: { stringValue: string } }[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly parentSpanId?: string;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
      }[];
    }[];
  }[];
}

test('a start is one trace over its components, sent when it ended', async (t) => {
  const heard = Promise.withResolvers<{ path?: string; key: unknown; body: Body }>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      response.end('{}');
      heard.resolve({
        path: request.url,
        key: request.headers['x-key'],
        body: JSON.parse(text) as Body,
      });
    });
  });
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a=b',
  };
  const exporter = TraceExporter.fromEnvironment(env, quiet);
  const clock = new FakeClock(1_000);
  const times = new OperationTimes(clock, exporter?.send);
  times.begin('start', 'u', { namespace: 'n', name: 'a' }, 'pod-created');
  clock.advance(100);
  times.reached('start', 'u', 'pod-created', 'pod-running');
  clock.advance(400);
  times.reached('start', 'u', 'domain-running', 'running');
  times.end('start', 'u', 'succeeded');
  const { path, key, body } = await heard.promise;
  assert.deepEqual([path, key], ['/v1/traces', 'a=b']);
  const spans = body.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({ ...span, service: resource.attributes[0]?.value.stringValue })),
    ),
  );
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
  assert.deepEqual(
    spans.map(({ service, name, parentSpanId, startTimeUnixNano, endTimeUnixNano }) => [
      service,
      name,
      parentSpanId === undefined,
      startTimeUnixNano,
      endTimeUnixNano,
    ]),
    [
      ['virt-controller', 'start', true, '1000000000', '1500000000'],
      ['virt-controller', 'pod-created', false, '1000000000', '1100000000'],
      ['virt-launcher', 'domain-running', false, '1100000000', '1500000000'],
    ],
  );
});

test('nothing is made where no collector is named; a wrong name is told; a silent collector is told once', async () => {
  assert.equal(TraceExporter.fromEnvironment({}, quiet), undefined);
  assert.throws(
    () => TraceExporter.fromEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, quiet),
    /OTEL_EXPORTER_OTLP_ENDPOINT "collector:4318": expected a URL/,
  );
  const told: string[] = [];
  const heard = Promise.withResolvers<void>();
  const log = { ...quiet, warn: (_: object, message: string) => (told.push(message), heard.resolve()) };
  const exporter = TraceExporter.fromEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, log);
  const ended = { operation: 'stop', id: 'u', namespace: 'n', name: 'a', beganMs: 0, succeeded: true };
  for (let i = 0; i < 20; i += 1) exporter?.send({ ...ended, handoffs: [] });
  await heard.promise;
  assert.deepEqual(told, ['a trace was dropped; further ones may be, too']);
});
