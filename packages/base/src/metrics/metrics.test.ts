import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exposition, expositionFor } from './exposition.ts';
import { Histogram, Meter } from './meters.ts';

test('text format: escapes, empty families, special numbers', () => {
  const text = exposition([
    { definition: { name: 'a', type: 'gauge', help: 'one\ntwo' }, samples: [] },
    {
      definition: { name: 'b_total', type: 'counter', help: 'b' },
      samples: [
        { value: 1 },
        { labels: { x: 'quote " slash \\ line\n', y: '' }, value: Number.POSITIVE_INFINITY },
      ],
    },
  ]);
  assert.equal(
    text,
    [
      '# HELP a one\\ntwo',
      '# TYPE a gauge',
      '# HELP b_total b',
      '# TYPE b_total counter',
      'b_total 1',
      String.raw`b_total{x="quote \" slash \\ line\n",y=""} +Inf`,
      '',
    ].join('\n'),
  );
});

test('meters add up by labels and can be taken back', () => {
  const meter = new Meter({ name: 'm', type: 'gauge', help: '' });
  meter.add({ a: '1' });
  meter.add({ a: '1' }, 2);
  meter.set({ a: '2' }, 7);
  meter.add({ a: '3' });
  meter.remove({ a: '3' });
  assert.deepEqual(meter.family().samples, [
    { labels: { a: '1' }, value: 3 },
    { labels: { a: '2' }, value: 7 },
  ]);
});

test('buckets of a histogram hold all that is below their bound', () => {
  const histogram = new Histogram({ name: 'h', type: 'histogram', help: '' }, [1, 5]);
  for (const value of [0.5, 1, 3, 9]) histogram.observe({}, value);
  assert.deepEqual(
    histogram.family().samples.map(({ suffix, labels, value }) => [suffix, labels?.['le'], value]),
    [
      ['_bucket', '1', 2],
      ['_bucket', '5', 3],
      ['_bucket', '+Inf', 4],
      ['_sum', undefined, 13.5],
      ['_count', undefined, 4],
    ],
  );
});

test('OpenMetrics where it is asked for: families of counters, units, the end; the series are the same', () => {
  const families = [
    {
      definition: { name: 'cpu_seconds_total', type: 'counter' as const, help: 'say "cpu"' },
      samples: [{ labels: { a: 'b' }, value: 2 }],
    },
    { definition: { name: 'depth', type: 'gauge' as const, help: 'd' }, samples: [{ value: 1 }] },
  ];
  const prometheus =
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
  const open = expositionFor(prometheus, families);
  assert.match(open.contentType, /^application\/openmetrics-text; version=1\.0\.0/);
  assert.equal(
    open.body,
    [
      '# TYPE cpu_seconds counter',
      '# UNIT cpu_seconds seconds',
      '# HELP cpu_seconds say \\"cpu\\"',
      'cpu_seconds_total{a="b"} 2',
      '# TYPE depth gauge',
      '# HELP depth d',
      'depth 1',
      '# EOF',
      '',
    ].join('\n'),
  );
  for (const accept of [undefined, '*/*', 'text/plain', 'application/openmetrics-text;q=0.1,text/plain'])
    assert.match(expositionFor(accept, families).contentType, /^text\/plain; version=0\.0\.4/, accept);
});
