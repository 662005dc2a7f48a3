import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '../../config/cluster-config.ts';
import type { Pod, VirtualMachineInstance } from '../../types/index.ts';
import { decideEviction } from './eviction.ts';

const config = clusterConfig();

function podOf(app: string, phase = 'Running'): Pod {
  return {
    metadata: { name: 'pod', namespace: 'ns', labels: { 'kubevirt.io': app } },
    spec: { containers: [], nodeName: 'node01' },
    status: { phase },
  } as Pod;
}

function vmiOf(evictionStrategy: string): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'ns' },
    spec: { domain: { devices: {} }, evictionStrategy },
    status: { nodeName: 'node01', conditions: [{ type: 'LiveMigratable', status: 'True' }] },
  };
}

const unread = { vmi: undefined, readProblem: 'kubevirt failed getting the vmi: the server is busy' };

test('a launcher whose VMI cannot be read stays, one that has ended goes', () => {
  const decide = (pod: Pod) => decideEviction({ config, pod, ...unread }).admission;
  const { allowed, code, message } = decide(podOf('virt-launcher'));
  assert.deepEqual([allowed, code, message], [false, 429, unread.readProblem]);
  assert.ok(decide(podOf('virt-launcher', 'Succeeded')).allowed);
  assert.ok(decide(podOf('virt-launcher', 'Failed')).allowed);
  assert.ok(decide(podOf('other')).allowed);
});

test('a Pod of a volume stays while its guest runs, even when it has ended', () => {
  const { admission, evacuateFrom } = decideEviction({
    config,
    pod: podOf('hotplug-disk', 'Succeeded'),
    vmi: vmiOf('LiveMigrate'),
  });
  assert.deepEqual([admission.code, evacuateFrom], [429, undefined]);
  assert.match(
    admission.message,
    /^cannot evict hotplug pod: pod associated with running vmi: vm in namespace ns$/,
  );
});

test('a strategy that nobody knows moves nothing', () => {
  const decide = (strategy: string) =>
    decideEviction({ config, pod: podOf('virt-launcher'), vmi: vmiOf(strategy) });
  assert.ok(decide('Later').admission.allowed);
  assert.equal(decide('External').evacuateFrom, 'node01');
});
