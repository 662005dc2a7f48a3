import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { SpanExporter } from './span-exporter.ts';
import { type Span, startTrace } from './span.ts';

const quiet = { info() {}, warn() {}, error() {} };
const trace = startTrace('u');
const SPAN: Span = {
  trace,
  service: 'a',
  name: 'x',
  fromMs: 1_000,
  toMs: 1_500,
  namespace: 'n',
  object: 'o',
};

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { value: { stringValue: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Record<string, string>[] }[];
  }[];
}

test('spans of several services are one request, each below what it is part of', async (t) => {
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
  const exporter = SpanExporter.fromEnvironment(env, quiet);
  exporter?.send([{ ...SPAN, name: 'whole', parent: null }, SPAN]);
  exporter?.send([{ ...SPAN, service: 'b', name: 'y', parent: 'x' }]);
  const { path, key, body } = await heard.promise;
  assert.deepEqual([path, key], ['/v1/traces', 'a=b']);
  const spans = body.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({ ...span, service: resource.attributes[0]?.value.stringValue })),
    ),
  ) as readonly Readonly<Record<string, string>>[];
  const [whole, x, y] = spans;
  assert.deepEqual(
    spans.map(({ service, name }) => [service, name]),
    [
      ['a', 'whole'],
      ['a', 'x'],
      ['b', 'y'],
    ],
  );
  assert.deepEqual([whole?.['spanId'], whole?.['parentSpanId']], [trace.rootId, undefined]);
  assert.deepEqual([x?.['parentSpanId'], y?.['parentSpanId']], [trace.rootId, x?.['spanId']]);
  assert.deepEqual([x?.['startTimeUnixNano'], x?.['endTimeUnixNano']], ['1000000000', '1500000000']);
  assert.match(String(y?.['spanId']), /^[0-9a-f]{16}$/);
  assert.match(trace.traceId, /^[0-9a-f]{32}$/);
});

test('nothing is made where no collector is named; a wrong name is told; a silent collector is told once', async () => {
  assert.equal(SpanExporter.fromEnvironment({}, quiet), undefined);
  assert.throws(
    () => SpanExporter.fromEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, quiet),
    /OTEL_EXPORTER_OTLP_ENDPOINT "collector:4318": expected a URL/,
  );
  const told: string[] = [];
  const heard = Promise.withResolvers<void>();
  const log = { ...quiet, warn: (_: object, message: string) => (told.push(message), heard.resolve()) };
  const exporter = SpanExporter.fromEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, log);
  for (let i = 0; i < 3_000; i += 1) exporter?.send([SPAN]);
  await heard.promise;
  assert.deepEqual(told, ['a trace was dropped; further ones may be, too']);
});
