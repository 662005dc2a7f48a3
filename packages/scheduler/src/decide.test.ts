import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, PodSpec } from '@podvisor/api';
import { decide } from './decide.ts';
import { NodeState } from './node-info.ts';

type PodOptions = Partial<PodSpec> & {
  labels?: Record<string, string>;
  requests?: Record<string, string | number>;
};

function pod(name: string, { labels, requests, ...spec }: PodOptions = {}): Pod {
  return {
    metadata: { namespace: 'ns', name, uid: name, labels },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests } }], ...spec },
  };
}

interface NodeOptions {
  readonly labels?: Record<string, string>;
  readonly allocatable?: Record<string, string | number>;
  readonly spec?: Node['spec'];
  readonly pods?: readonly Pod[];
}

function node(name: string, { labels, allocatable, spec, pods }: NodeOptions = {}): NodeState {
  return new NodeState(
    {
      metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
      spec,
      status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...allocatable } },
    },
    pods,
  );
}

interface Storage {
  readonly claims?: readonly PersistentVolumeClaim[];
  readonly volumes?: readonly PersistentVolume[];
}

function outcome(
  incoming: Pod,
  nodes: readonly NodeState[],
  { claims = [], volumes = [] }: Storage = {},
): string {
  const decision = decide(incoming, {
    nodes,
    claim: (key) => claims.find((claim) => `ns/${claim.metadata.name}` === key),
    volume: (name) => volumes.find((volume) => volume.metadata.name === name),
    namespaceLabels: (name) => ({ 'kubernetes.io/metadata.name': name }),
  });
  if (decision.kind === 'bind') return `bind ${decision.node}`;
  if (decision.kind === 'preempt')
    return `preempt ${decision.node} ${decision.victims.map((victim) => victim.metadata.name).join(',')}`;
  return decision.message;
}

const NO_VICTIMS = 'preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.';
const NOT_HELPFUL = 'preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
const kvm = 'devices.kubevirt.io/kvm';
const required = (values: string[]): PodSpec['affinity'] => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values }] }],
    },
  },
});
const company = (app: string) => ({
  labelSelector: { matchLabels: { app } },
  topologyKey: 'kubernetes.io/hostname',
});
const together = (app: string): PodSpec['affinity'] => ({
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [company(app)] },
});
const apart = (app: string): PodSpec['affinity'] => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [company(app)] },
});
const taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' } as const;
const web = { labels: { app: 'web' } };
const spread = {
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ],
};

const cases: readonly [string, string, string][] = [
  ['no nodes', outcome(pod('p'), []), 'no nodes available to schedule pods'],
  ['fits', outcome(pod('p', { requests: { cpu: '1' } }), [node('a')]), 'bind a'],
  ['exactly full', outcome(pod('p', { requests: { cpu: '4', memory: '8Gi' } }), [node('a')]), 'bind a'],
  [
    'a device that is not there',
    outcome(pod('p', { requests: { [kvm]: 1 } }), [node('a')]),
    `0/1 nodes are available: 1 Insufficient ${kvm}. ${NOT_HELPFUL}`,
  ],
  [
    'a device that others use up',
    outcome(pod('p', { requests: { [kvm]: 1 } }), [
      node('a', { allocatable: { [kvm]: 1 }, pods: [pod('x', { requests: { [kvm]: 1 } })] }),
    ]),
    `0/1 nodes are available: 1 Insufficient ${kvm}. ${NO_VICTIMS}`,
  ],
  [
    'cpu and memory at once',
    outcome(pod('p', { requests: { cpu: '3', memory: '7Gi' } }), [
      node('a', { pods: [pod('x', { requests: { cpu: '1500m', memory: '2Gi' } })] }),
    ]),
    `0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory. ${NO_VICTIMS}`,
  ],
  [
    'too many Pods',
    outcome(pod('p'), [node('a', { allocatable: { pods: 1 }, pods: [pod('x')] })]),
    `0/1 nodes are available: 1 Too many pods. ${NO_VICTIMS}`,
  ],
  [
    'a limit counts as request',
    outcome(
      { ...pod('p'), spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '5' } } }] } },
      [node('a')],
    ),
    `0/1 nodes are available: 1 Insufficient cpu. ${NOT_HELPFUL}`,
  ],
  [
    'an init container that is larger than the rest',
    outcome(
      pod('p', {
        requests: { cpu: '1' },
        initContainers: [{ name: 'i', image: 'i', resources: { requests: { cpu: '5' } } }],
      }),
      [node('a')],
    ),
    `0/1 nodes are available: 1 Insufficient cpu. ${NOT_HELPFUL}`,
  ],
  [
    'cordoned',
    outcome(pod('p'), [node('a', { spec: { unschedulable: true } })]),
    `0/1 nodes are available: 1 node(s) were unschedulable. ${NOT_HELPFUL}`,
  ],
  [
    'tainted',
    outcome(pod('p'), [node('a', { spec: { taints: [taint] } })]),
    `0/1 nodes are available: 1 node(s) had untolerated taint {dedicated: gpu}. ${NOT_HELPFUL}`,
  ],
  [
    'tolerated by value',
    outcome(pod('p', { tolerations: [{ key: 'dedicated', value: 'gpu' }] }), [
      node('a', { spec: { taints: [taint] } }),
    ]),
    'bind a',
  ],
  [
    'tolerates everything',
    outcome(pod('p', { tolerations: [{ operator: 'Exists' }] }), [
      node('a', { spec: { taints: [taint], unschedulable: true } }),
    ]),
    'bind a',
  ],
  [
    'tolerates another effect',
    outcome(pod('p', { tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }] }), [
      node('a', { spec: { taints: [taint] } }),
    ]),
    `0/1 nodes are available: 1 node(s) had untolerated taint {dedicated: gpu}. ${NOT_HELPFUL}`,
  ],
  [
    'nodeSelector',
    outcome(pod('p', { nodeSelector: { 'kubevirt.io/schedulable': 'true' } }), [node('a')]),
    `0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. ${NOT_HELPFUL}`,
  ],
  [
    'node affinity',
    outcome(pod('p', { affinity: required(['z2']) }), [
      node('a', { labels: { zone: 'z1' } }),
      node('b', { labels: { zone: 'z2' } }),
    ]),
    'bind b',
  ],
  [
    'least allocated',
    outcome(pod('p', { requests: { cpu: '1' } }), [
      node('a', { pods: [pod('x', { requests: { cpu: '2' } })] }),
      node('b'),
    ]),
    'bind b',
  ],
  [
    'preferred node affinity beats a little load',
    outcome(
      pod('p', {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, preference: { matchExpressions: [{ key: 'zone', operator: 'Exists' }] } },
            ],
          },
        },
      }),
      [node('a', { labels: { zone: 'z' }, pods: [pod('x', { requests: { cpu: '1' } })] }), node('b')],
    ),
    'bind a',
  ],
  [
    'affinity follows',
    outcome(pod('p', { affinity: together('web') }), [node('a'), node('b', { pods: [pod('w', web)] })]),
    'bind b',
  ],
  [
    'affinity: the first of its group',
    outcome(pod('p', { ...web, affinity: together('web') }), [node('a')]),
    'bind a',
  ],
  [
    'affinity: nobody there',
    outcome(pod('p', { affinity: together('web') }), [node('a')]),
    `0/1 nodes are available: 1 node(s) didn't match pod affinity rules. ${NOT_HELPFUL}`,
  ],
  [
    'anti-affinity goes elsewhere',
    outcome(pod('p', { affinity: apart('web') }), [
      node('a', { pods: [pod('w', web)] }),
      node('b', { pods: [pod('x')] }),
    ]),
    'bind b',
  ],
  [
    'anti-affinity',
    outcome(pod('p', { affinity: apart('web') }), [node('a', { pods: [pod('w', web)] })]),
    `0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules. ${NO_VICTIMS}`,
  ],
  [
    'anti-affinity of those who are there',
    outcome(pod('p', web), [node('a', { pods: [pod('w', { affinity: apart('web') })] })]),
    `0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules. ${NO_VICTIMS}`,
  ],
  [
    'anti-affinity is about one namespace',
    outcome(pod('p', { affinity: apart('web') }), [
      node('a', {
        pods: [{ ...pod('w', web), metadata: { namespace: 'other', name: 'w', labels: { app: 'web' } } }],
      }),
    ]),
    'bind a',
  ],
  [
    'spread',
    outcome(pod('p', { ...web, ...spread }), [
      node('a', { labels: { zone: '1' }, pods: [pod('w', web)] }),
      node('b', { labels: { zone: '2' }, pods: [pod('x', { requests: { cpu: 3 } })] }),
    ]),
    'bind b',
  ],
  [
    'spread without the label',
    outcome(pod('p', { ...web, ...spread }), [node('a')]),
    `0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label). ${NOT_HELPFUL}`,
  ],
  [
    'reasons are counted and sorted',
    outcome(pod('p', { requests: { cpu: '5' } }), [
      node('a'),
      node('b'),
      node('c', { spec: { unschedulable: true } }),
    ]),
    '0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
  ],
  [
    'preempts as little as possible',
    outcome(pod('p', { priority: 10, requests: { cpu: '2' } }), [
      node('a', {
        pods: [
          pod('x', { priority: 5, requests: { cpu: '2' } }),
          pod('y', { priority: 1, requests: { cpu: '2' } }),
        ],
      }),
      node('b', { pods: [pod('z', { priority: 5, requests: { cpu: '4' } })] }),
    ]),
    'preempt a y',
  ],
  [
    'never preempts equals',
    outcome(pod('p', { priority: 5, requests: { cpu: '2' } }), [
      node('a', { pods: [pod('x', { priority: 5, requests: { cpu: '4' } })] }),
    ]),
    `0/1 nodes are available: 1 Insufficient cpu. ${NO_VICTIMS}`,
  ],
  [
    'preemptionPolicy Never',
    outcome(pod('p', { priority: 5, preemptionPolicy: 'Never', requests: { cpu: '2' } }), [
      node('a', { pods: [pod('x', { requests: { cpu: '4' } })] }),
    ]),
    '0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.',
  ],
];

for (const [name, actual, expected] of cases) test(name, () => assert.equal(actual, expected));

const withClaim = pod('p', { volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'data' } }] });
const claim = (phase: 'Pending' | 'Bound'): PersistentVolumeClaim => ({
  metadata: { name: 'data' },
  spec: { volumeName: 'pv' },
  status: { phase },
});
const volume: PersistentVolume = {
  metadata: { name: 'pv' },
  spec: {
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['b'] }] },
        ],
      },
    },
  },
};

test('a claim that does not exist, is not bound, or lies on another node', () => {
  const a = [node('a')];
  assert.equal(
    outcome(withClaim, a),
    `0/1 nodes are available: persistentvolumeclaim "data" not found. ${NOT_HELPFUL}`,
  );
  assert.equal(
    outcome(withClaim, a, { claims: [claim('Pending')] }),
    `0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. ${NOT_HELPFUL}`,
  );
  const bound = { claims: [claim('Bound')], volumes: [volume] };
  assert.equal(
    outcome(withClaim, a, bound),
    `0/1 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity. ${NOT_HELPFUL}`,
  );
  assert.equal(outcome(withClaim, [node('a'), node('b')], bound), 'bind b');
});

test('a claim for one Pod is given to one Pod, on whatever node', () => {
  const exclusive = { ...claim('Bound'), spec: { volumeName: 'pv', accessModes: ['ReadWriteOncePod'] } };
  const anywhere = { metadata: { name: 'pv' }, spec: {} };
  const storage = { claims: [exclusive], volumes: [anywhere] };
  const holder = { ...withClaim, metadata: { ...withClaim.metadata, name: 'holder', uid: 'holder' } };
  assert.equal(outcome(withClaim, [node('a')], storage), 'bind a');
  const reason =
    'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode';
  assert.match(
    outcome(withClaim, [node('a', { pods: [holder] }), node('b')], storage),
    new RegExp(`^0/2 nodes are available: 2 ${reason}\\. `),
  );
  const shared = { ...storage, claims: [claim('Bound')] };
  assert.match(outcome(withClaim, [node('a', { pods: [holder] })], shared), /^bind/);
});

test('a port of the node that is taken', () => {
  const asking = (name: string, hostIP?: string): Pod =>
    pod(name, {
      containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 8080, hostIP }] }],
    });
  const busy = (hostIP?: string): NodeState => node('a', { pods: [asking('other', hostIP)] });
  const refused = `0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.`;
  assert.ok(outcome(asking('p'), [busy()]).startsWith(refused));
  assert.equal(outcome(asking('p', '10.0.0.1'), [busy('10.0.0.2')]), 'bind a');
});

test('of nodes that suit alike, the one on which fewest Pods were placed; mirror Pods were placed by nobody', () => {
  const mirror = (name: string): Pod => ({
    ...pod(name),
    metadata: { namespace: 'ns', name, uid: name, annotations: { 'kubernetes.io/config.mirror': 'x' } },
  });
  const a = node('a', { pods: [mirror('m1'), mirror('m2')] });
  assert.equal(outcome(pod('p'), [node('b', { pods: [pod('q')] }), a]), 'bind a');
  assert.equal(outcome(pod('p'), [node('b'), a]), 'bind a', 'by name then');
});
