import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstanceConfig } from '@podvisor/sys';
import { componentsOf } from './components.ts';
import { componentWorkloads, mirrorPod, standsForProcess } from './objects.ts';

const node = (name: string) => ({ name, address: '10.1.0.1', podCidr: '10.2.0.0/24', handlerPort: 7501 });
const config: InstanceConfig = {
  name: 'test',
  apiPort: 7443,
  virtApiPort: 7444,
  podCidr: '10.2.0.0/16',
  bridge: 'br',
  nodes: [node('a'), node('b')],
};

test('every node has its virt-handler, the first one the rest', () => {
  const names = (name: string): string[] =>
    componentsOf(config, node(name)).map(({ podName, process }) => `${podName} ${process}`);
  assert.deepEqual(names('a'), [
    'virt-operator-a control-plane',
    'virt-api-a virt-api',
    'virt-controller-a virt-controller',
    'virt-handler-a virt-handler-a',
  ]);
  assert.deepEqual(names('b'), ['virt-handler-b virt-handler-b']);
});

test('every Pod is selected by its workload, and all say that they stand for a process', () => {
  const workloads = componentWorkloads();
  for (const component of componentsOf(config, node('a'))) {
    const pod = mirrorPod(component, node('a'));
    const workload = workloads.find(({ metadata }) => metadata?.name === component.name);
    assert.ok(workload !== undefined);
    const { selector } = workload['spec'] as { selector: { matchLabels: Record<string, string> } };
    for (const [label, value] of Object.entries(selector.matchLabels))
      assert.equal(pod.metadata.labels?.[label], value);
    assert.ok(standsForProcess(pod));
    assert.ok(standsForProcess({ metadata: { ...workload.metadata } }));
    assert.ok(!standsForProcess({ metadata: { ...pod.metadata, namespace: 'tenant' } }));
  }
});
