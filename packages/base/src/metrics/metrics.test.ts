import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exposition } from './exposition.ts';
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
