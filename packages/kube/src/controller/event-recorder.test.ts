import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { EventRecorder } from './event-recorder.ts';
import { MemoryClient } from '../testing/memory-client.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const vmi = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { namespace: 'ns', name: 'vm', uid: 'u', resourceVersion: '7' },
};
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function setUp() {
  const client = new MemoryClient();
  const clock = new FakeClock(NOW);
  return { client, clock, recorder: new EventRecorder({ client, component: 'virt-controller', clock, log }) };
}

test('an event carries what kubectl describe shows', async () => {
  const { client, recorder } = setUp();
  recorder.event(vmi, 'Normal', 'Created', 'VM is there');
  await recorder.flush();
  const [event] = client.objects.values();
  const { metadata, ...rest } = JSON.parse(JSON.stringify(event));
  assert.equal(metadata.namespace, 'ns');
  assert.match(metadata.name, /^vm\.[0-9a-f]+$/);
  assert.deepEqual(rest, {
    involvedObject: {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      namespace: 'ns',
      name: 'vm',
      uid: 'u',
      resourceVersion: '7',
    },
    type: 'Normal',
    reason: 'Created',
    message: 'VM is there',
    count: 1,
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    source: { component: 'virt-controller' },
    reportingComponent: 'virt-controller',
    reportingInstance: 'virt-controller',
  });
});

test('repeats are counted, and written at most every five minutes', async () => {
  const { client, clock, recorder } = setUp();
  for (let i = 0; i < 100; i += 1) recorder.event(vmi, 'Warning', 'Failed', 'same');
  await recorder.flush();
  assert.deepEqual(client.calls, ['create events']);
  clock.advance(300_000);
  recorder.event(vmi, 'Warning', 'Failed', 'same');
  recorder.event(vmi, 'Warning', 'Failed', 'other');
  await recorder.flush();
  assert.deepEqual(client.calls, ['create events', 'patch events', 'create events']);
  assert.ok([...client.objects.values()].some((event) => 'count' in event && event.count === 101));
});

test('a server that is away loses the event and nothing else', async () => {
  const { client, recorder } = setUp();
  client.down = true;
  recorder.event(vmi, 'Normal', 'Created', 'x');
  await recorder.flush();
  assert.equal(client.objects.size, 0);
});

test('an object about which ever new things are told costs a bounded number of writes, and others lose nothing', async () => {
  const { client, clock, recorder } = setUp();
  const other = { ...vmi, metadata: { ...vmi.metadata, name: 'other', uid: 'v' } };
  const tell = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) recorder.event(vmi, 'Warning', 'Says', `${clock.now()} ${i}`);
    recorder.event(other, 'Normal', 'Created', `at ${clock.now()}`);
    await recorder.flush();
  };
  const about = (name: string): number =>
    [...client.objects.values()].filter(({ metadata }) => metadata?.name?.startsWith(`${name}.`)).length;
  await tell(5_000);
  assert.deepEqual([about('vm'), about('other')], [100, 1]);
  clock.advance(60_000);
  await tell(5_000);
  assert.deepEqual([about('vm'), about('other')], [106, 2]);
});
