import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW, podIn, template } from '../testing/pods.ts';
import { planHomeComponent } from './status.ts';

const metadata = { namespace: 'kubevirt', name: 'virt-api', generation: 2 };
const observed = { deployment: { metadata, spec: { template } }, daemonSet: undefined, now: NOW };

test('a Deployment is available when the process that it stands for is ready', () => {
  const up = planHomeComponent({ ...observed, pods: [podIn('ready')] });
  assert.equal(up.daemonSet, undefined);
  assert.equal(up.deployment?.availableReplicas, 1);
  assert.equal(up.deployment.conditions?.find(({ type }) => type === 'Available')?.status, 'True');
  const down = planHomeComponent({ ...observed, pods: [podIn('running')] });
  assert.equal(down.deployment?.unavailableReplicas, 1);
  assert.equal(down.deployment.conditions?.find(({ type }) => type === 'Available')?.status, 'False');
});

test('a DaemonSet wants as many as there are nodes with the process', () => {
  const daemonSet = { metadata, spec: { template } };
  const pods = [podIn('ready', 'a'), podIn('running', 'b')];
  const plan = planHomeComponent({ ...observed, deployment: undefined, daemonSet, pods });
  assert.equal(plan.deployment, undefined);
  assert.deepEqual(
    [plan.daemonSet?.desiredNumberScheduled, plan.daemonSet?.numberReady, plan.daemonSet?.numberUnavailable],
    [2, 1, 1],
  );
});
