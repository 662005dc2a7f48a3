import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node } from '@podvisor/api';
import { containerDiskForm } from './container-disk-form.ts';

const ON = { gates: new Set(['ImageVolume']) };
const OFF = { gates: new Set<string>() };

function node(kubeletVersion: string, containerRuntimeVersion: string): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n' },
    status: { nodeInfo: { kubeletVersion, containerRuntimeVersion } },
  };
}

const cases: readonly (readonly [string, string, 'image-volumes' | 'containers'])[] = [
  ['v1.36.4', 'containerd://2.1.0', 'image-volumes'],
  ['v1.35.0-rc.1+k3s1', 'containerd://2.2.0-k3s1', 'image-volumes'],
  ['v1.36.4', 'containerd://1.6.20~ds1', 'containers'],
  ['v1.36.4', 'containerd://2.0.5', 'containers'],
  ['v1.34.2', 'containerd://2.1.0', 'containers'],
  ['v1.35.1', 'cri-o://1.35.0', 'image-volumes'],
  ['v1.35.1', 'docker://28.0.0', 'containers'],
  ['v1.36.4', 'podvisor://0.1.0', 'image-volumes'],
  ['', '', 'containers'],
];
for (const [kubelet, runtime, expected] of cases)
  test(`kubelet ${kubelet} with ${runtime}: ${expected}`, () => {
    assert.equal(containerDiskForm(ON, [node(kubelet, runtime)]), expected);
    assert.equal(containerDiskForm(OFF, [node(kubelet, runtime)]), 'containers');
  });

test('one node without image volumes is enough for containers, and no node decides nothing', () => {
  const able = node('v1.36.4', 'containerd://2.1.0');
  assert.equal(containerDiskForm(ON, [able, node('v1.36.4', 'containerd://1.7.0')]), 'containers');
  assert.equal(containerDiskForm(ON, []), 'image-volumes');
});
