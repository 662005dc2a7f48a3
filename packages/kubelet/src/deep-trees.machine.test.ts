/** A container that makes directories deeper than a path may be long. Needs root. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Harness } from './testing/harness.ts';

const harness = new Harness(16);
before(() => harness.start());
after(() => harness.close());

const name = 'd'.repeat(200);
const dig = `i=0; while [ $i -lt 50 ]; do mkdir ${name} && cd -P ${name} || exit 1; i=$((i+1)); done`;

test('its Pod is deleted, with all that it left', async () => {
  const command = ['/bin/sh', '-c', `(cd /deep; ${dig}) && (cd /tmp; ${dig})`];
  harness.create(
    harness.pod(
      'deep',
      { command, volumeMounts: [{ name: 'deep', mountPath: '/deep' }] },
      { volumes: [{ name: 'deep', emptyDir: {} }] },
    ),
  );
  await harness.phase('deep', 'Succeeded');
  await harness.delete('deep');
  const { pods, containers, mounts } = await harness.traces();
  assert.deepEqual({ pods, containers, mounts }, { pods: [], containers: [], mounts: [] });
});
