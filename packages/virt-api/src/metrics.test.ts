import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_METRICS, API_METRICS, PROCESS_METRICS, STREAM_METRICS } from '@podvisor/api';
import { exposition, FakeClock } from '@podvisor/base';
import { Metrics } from './metrics.ts';

test('serves what the catalogue promises', () => {
  const metrics = new Metrics(new FakeClock(), () => true);
  assert.deepEqual(
    metrics
      .families()
      .map(({ definition }) => definition.name)
      .toSorted(),
    [ALL_METRICS, PROCESS_METRICS, API_METRICS, STREAM_METRICS]
      .flatMap((group) => Object.values(group).map(({ name }) => name))
      .toSorted(),
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

test('requests for streams are counted by how they ended', () => {
  const metrics = new Metrics(new FakeClock(), () => true);
  metrics.requested('console', 'opened');
  metrics.requested('portforward/22', 'failed');
  const text = exposition(metrics.families());
  assert.match(text, /podvisor_stream_requests_total\{subresource="console",result="opened"\} 1/);
  assert.match(text, /podvisor_stream_requests_total\{subresource="portforward",result="failed"\} 1/);
});

test('VMIs that nobody has been connected to for long are forgotten, open connections never', () => {
  const metrics = new Metrics(new FakeClock(), () => true);
  metrics.opened('vnc', { namespace: 'n', name: 'open' });
  for (let i = 0; i < 1_500; i += 1) metrics.opened('console', { namespace: 'n', name: `v${i}` })();
  const text = exposition(metrics.families());
  assert.equal(text.match(/^kubevirt_vmi_last_api_connection_timestamp_seconds\{/gm)?.length, 1_001);
  assert.match(text, /vnc_active_connections\{namespace="n",vmi="open"\} 1/);
  assert.match(text, /console_active_connections\{namespace="n",vmi="v1499"\} 0/);
  assert.doesNotMatch(text, /vmi="v0"/);
});
