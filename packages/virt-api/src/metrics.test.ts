import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_METRICS, API_METRICS } from '@podvisor/api';
import { exposition, FakeClock } from '@podvisor/base';
import { Metrics } from './metrics.ts';

test('serves what the catalogue promises', () => {
  const metrics = new Metrics(new FakeClock(), () => true);
  assert.deepEqual(
    metrics
      .families()
      .map(({ definition }) => definition.name)
      .toSorted(),
    [ALL_METRICS, API_METRICS].flatMap((group) => Object.values(group).map(({ name }) => name)).toSorted(),
  );
});

test('connections come and go', () => {
  const clock = new FakeClock();
  const metrics = new Metrics(clock, () => true);
  const close = metrics.opened('portforward/22', { namespace: 'n', name: 'v' });
  metrics.opened('vnc', { namespace: 'n', name: 'v' });
  assert.match(exposition(metrics.families()), /portforward_active_tunnels\{namespace="n",vmi="v"\} 1/);
  clock.advance(5_000);
  close();
  const text = exposition(metrics.families());
  assert.match(text, /portforward_active_tunnels\{namespace="n",vmi="v"\} 0/);
  assert.match(text, /vnc_active_connections\{namespace="n",vmi="v"\} 1/);
  assert.match(
    text,
    new RegExp(
      `last_api_connection_timestamp_seconds\\{namespace="n",vmi="v"\\} ${Math.floor(clock.now() / 1000)}`,
    ),
  );
});
