import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterChecks, type ClusterPicture } from './cluster-doctor.ts';

const condition = (type: string, status: string, message = '') => ({
  status: { phase: 'Deployed', conditions: [{ type, status, message }] },
});
const node = (name: string, isSchedulable: boolean, kvm: string) => ({
  metadata: { name, labels: { 'kubevirt.io/schedulable': String(isSchedulable) } },
  status: { allocatable: { 'devices.kubevirt.io/kvm': kvm } },
});
const GOOD: Required<ClusterPicture> = {
  kubevirt: condition('Degraded', 'False'),
  deployments: [{ metadata: { name: 'virt-api' }, spec: { replicas: 2 }, status: { readyReplicas: 2 } }],
  daemonSets: [{ metadata: { name: 'virt-handler' }, status: { desiredNumberScheduled: 1, numberReady: 1 } }],
  apiService: condition('Available', 'True'),
  nodes: [node('a', true, '1k')],
  storageClasses: [
    {
      metadata: {
        name: 'fast',
        annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
      },
    },
  ],
};
const wrong = (picture: ClusterPicture): readonly string[] =>
  clusterChecks(picture)
    .filter(({ level }) => level !== 'PASS')
    .map(({ level, what, found }) => `${level} ${what}: ${found}`);

test('a cluster that has all passes, and what was not told is not judged', () => {
  assert.deepEqual(wrong(GOOD), []);
  assert.equal(clusterChecks(GOOD).length, 7);
  assert.deepEqual(clusterChecks({}), []);
});

test('each thing that is missing is named, with what to do', () => {
  for (const [part, words] of [
    [{ kubevirt: condition('Degraded', 'True', 'no image') }, 'FAIL installation: no image'],
    [
      {
        deployments: [
          { metadata: { name: 'virt-api' }, spec: { replicas: 2 }, status: { readyReplicas: 1 } },
        ],
      },
      'WARN virt-api: 1 of 2 ready',
    ],
    [
      { daemonSets: [{ metadata: { name: 'virt-handler' }, status: { desiredNumberScheduled: 0 } }] },
      'FAIL virt-handler: 0 of 0 ready',
    ],
    [
      { apiService: condition('Available', 'False', 'no route') },
      'FAIL console, start, stop, migrate (aggregated API): no route',
    ],
    [{ nodes: [node('a', true, '0'), node('b', false, '5')] }, 'WARN nodes that take VMs: 1 of 2; not b'],
    [
      { nodes: [node('a', true, '5'), { ...node('b', true, '5'), spec: { unschedulable: true } }] },
      'WARN nodes that take VMs: 1 of 2; not b (cordoned)',
    ],
    [
      { nodes: [node('a', true, '0')] },
      'FAIL hardware virtualisation (KVM): on no node, and software emulation is not allowed',
    ],
    [{ storageClasses: [{ metadata: { name: 'slow' } }] }, 'WARN default storage class: none of 1'],
  ] as const) {
    assert.deepEqual(wrong({ ...GOOD, ...part }), [words]);
    const [found] = clusterChecks({ ...GOOD, ...part }).filter(({ level }) => level !== 'PASS');
    assert.ok((found?.fix ?? '').length > 10);
  }
});
