import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeWrites, writesBetween, writesIn } from './api-writes.ts';

const line = (verb: string, resource: string, count: number, more: Record<string, string> = {}): string => {
  const labels = {
    code: '200',
    component: 'apiserver',
    dry_run: '',
    resource,
    subresource: '',
    verb,
    ...more,
  };
  const text = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  return `apiserver_request_total{${text.join(',')}} ${count}\n`;
};

test('writes are counted by what was written, without reads, refusals, dry runs and signs of life', () => {
  const text = [
    '# TYPE apiserver_request_total counter\n',
    line('POST', 'pods', 3, { code: '201' }),
    line('POST', 'pods', 2, { code: '200' }),
    line('PATCH', 'pods', 7, { subresource: 'status' }),
    line('GET', 'pods', 50),
    line('WATCH', 'pods', 50),
    line('POST', 'pods', 9, { code: '409' }),
    line('POST', 'pods', 9, { dry_run: 'All' }),
    line('PUT', 'leases', 900),
    line('PATCH', 'nodes', 12, { subresource: 'status' }),
    line('POST', 'subjectaccessreviews', 30, { code: '201' }),
    line('POST', 'serviceaccounts', 4, { code: '201', subresource: 'token' }),
    'apiserver_request_total_other{verb="POST",resource="pods"} 4\n',
  ].join('');
  assert.deepEqual(
    [...writesIn(text)],
    [
      ['POST pods', 5],
      ['PATCH pods/status', 7],
    ],
  );
});

test('what came between two looks is told as a mean, events apart', () => {
  const before = writesIn(line('POST', 'pods', 3) + line('PATCH', 'secrets', 3));
  const after = writesIn(
    line('POST', 'pods', 4) +
      line('PATCH', 'secrets', 3) +
      line('POST', 'events', 4) +
      line('PUT', 'vmis', 2),
  );
  const run = writesBetween(before, after);
  assert.equal(run.get('PATCH secrets'), undefined);
  assert.equal(describeWrites([run, run]), '3.0 and 4.0 of events: PUT vmis 2.0, POST pods 1.0');
  assert.equal(describeWrites([run, new Map()]), '1.5 and 2.0 of events: PUT vmis 1.0, POST pods 0.5');
});
