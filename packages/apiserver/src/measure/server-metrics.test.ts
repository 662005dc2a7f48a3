import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONTROL_PLANE_METRICS, PROCESS_METRICS } from '@podvisor/api';
import { exposition, FakeClock } from '@podvisor/base';
import { createCa } from '@podvisor/kube';
import { parseRequest } from '../wire/request-info.ts';
import { ServerMetrics } from './server-metrics.ts';

const storePath = join(mkdtempSync(join(tmpdir(), 'store-')), 'store.db');
writeFileSync(storePath, 'x'.repeat(4096));
const clock = new FakeClock(10_000);
let revision = 7;
const certificate = createCa({ commonName: 'a', now: Date.now() }).certificate;
const metrics = new ServerMetrics({
  clock,
  storePath,
  revision: () => revision,
  isServed: ({ resource, subresource }) => resource === 'pods' && subresource === '',
  isAggregated: ({ group }) => group === 'subresources.kubevirt.io',
  certificate: () => certificate,
});
const text = (): readonly string[] => exposition(metrics.families()).split('\n');

test('serves what the catalogue promises', () => {
  const promised = [CONTROL_PLANE_METRICS, PROCESS_METRICS].flatMap((group) =>
    Object.values(group).map(({ name }) => name),
  );
  assert.deepEqual(
    metrics
      .families()
      .map(({ definition }) => definition.name)
      .toSorted(),
    promised.toSorted(),
  );
});

test('requests are counted and timed by what is served; watches are not timed, guessed words are not labels', () => {
  const seen = (method: string, path: string, code: number): void => {
    const startedAt = clock.now();
    clock.advance(40);
    metrics.observed(parseRequest(method, path), code, startedAt);
  };
  seen('GET', '/api/v1/namespaces/n/pods/p', 200);
  seen('GET', '/api/v1/pods?watch=true', 200);
  seen('POST', '/apis/guess.example/v1/guesses', 404);
  seen('GET', '/apis/subresources.kubevirt.io/v1/namespaces/n/virtualmachineinstances/v/console', 400);
  seen('GET', '/guess', 404);
  const pods = 'group="",version="v1",resource="pods",subresource=""';
  for (const line of [
    `apiserver_request_total{verb="GET",${pods},code="200"} 1`,
    `apiserver_request_total{verb="WATCH",${pods},code="200"} 1`,
    `apiserver_request_duration_seconds_bucket{verb="GET",${pods},le="0.025"} 0`,
    `apiserver_request_duration_seconds_bucket{verb="GET",${pods},le="0.05"} 1`,
    'apiserver_request_total{verb="CREATE",group="",version="",resource="unknown",subresource="",code="404"} 1',
    'apiserver_request_total{verb="GET",group="subresources.kubevirt.io",version="v1",resource="",subresource="",code="400"} 1',
  ])
    assert.ok(text().includes(line), `${line}\nnot in\n${text().join('\n')}`);
  assert.ok(
    !text().some((line) => line.includes('guess') || line.includes('duration_seconds_count{verb="WATCH"')),
  );
});

test('the store: its revision, its size, the room that is left', () => {
  revision = 8;
  assert.ok(text().includes('podvisor_store_revision 8'));
  assert.ok(text().includes('apiserver_storage_size_bytes 4096'));
  assert.ok(text().some((line) => /^podvisor_store_disk_free_bytes [1-9]/.test(line)));
  assert.ok(
    text().some((line) =>
      /^podvisor_certificate_expiration_timestamp_seconds\{certificate="kube-apiserver"\} [1-9]/.test(line),
    ),
  );
});
