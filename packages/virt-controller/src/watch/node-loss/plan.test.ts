import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, Pod, VirtualMachineInstance } from '@podvisor/api';
import { vmiWith } from '../../testing/objects.ts';
import { type GuestView, type NodeLossView, planNodeLoss, watchAfterMs } from './plan.ts';
import { isWatchPod, silentSinceOf, watchPod, watchState } from './watch-pod.ts';

const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } };
const leased = { type: 'FencedByLease', status: 'True', reason: 'LeaseRenewed' };
const guest = (status: object = {}): VirtualMachineInstance =>
  vmiWith(
    {
      phase: 'Running',
      nodeName: 'n1',
      conditions: [leased],
      volumeStatus: [
        { name: 'root', target: 'vda', persistentVolumeClaimInfo: { accessModes: ['ReadWriteMany'] } },
      ],
      ...status,
    },
    {
      spec: {
        domain: { devices: { disks: [{ name: 'root', disk: {} }] } },
        volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'root' } }],
      },
    },
  );
const launcher: Pod = {
  metadata: { name: 'virt-launcher-x', uid: 'pod' },
  spec: { nodeName: 'n1', containers: [] },
};
const watched = {
  vmi: guest(),
  launcher,
  claim: 'root',
  nodeName: 'n1',
  silentMs: 10_000,
  silentSince: 'then',
  image: 'i',
};
const expired = {
  kind: 'ended',
  report: { verdict: 'expired', message: 'not renewed for 16 s', silenceMs: 20_000 },
} as const;

function plan(guestView: Partial<GuestView>, more: Partial<NodeLossView> = {}) {
  const view: NodeLossView = {
    nodeName: 'n1',
    node,
    silentMs: 25_000,
    quietMs: more.silentMs ?? 25_000,
    isAlive: (more.silentMs ?? 25_000) < 20_000,
    times: { leaseMs: 16_000, silenceMs: 20_000 },
    guests: [
      {
        vmi: guest(),
        pods: [launcher],
        watcher: undefined,
        watch: { kind: 'none' },
        hasTargetEnded: false,
        ...guestView,
      },
    ],
    isRefuted: false,
    nowMs: 0,
    ...more,
  };
  const { actions, needsProof, requeueAfterMs } = planNodeLoss(view);
  const steps = actions.map((action) => (action.kind === 'event' ? `event ${action.event[1]}` : action.kind));
  return { steps, needsProof, requeueAfterMs, actions };
}

test('a node that is heard of: nothing, until its loss is prepared for', () => {
  assert.deepEqual(plan({}, { silentMs: 9_000 }).steps, []);
  assert.equal(plan({}, { silentMs: 9_000 }).requeueAfterMs, 1_000);
});

test('while nobody is heard nothing is done, and it is looked again as often as nodes renew', () => {
  const times = { leaseMs: 4_000, silenceMs: 4_000 };
  const deaf = planNodeLoss({
    ...{ nodeName: 'n1', node, silentMs: undefined, quietMs: undefined, isAlive: false, times },
    ...{ guests: [], isRefuted: false, nowMs: 0 },
  });
  assert.deepEqual(deaf, { actions: [], needsProof: false, requeueAfterMs: 1_000 });
});

test('a node that is late: its leases are watched, and nobody is told', () => {
  const late = plan({}, { silentMs: 12_000 });
  assert.deepEqual(late.steps, ['makeWatcher']);
  assert.equal(late.requeueAfterMs, 8_000);
  const watch = { kind: 'running', forMs: 1_000, leaseMs: 16_000 } as const;
  assert.deepEqual(plan({ watcher: launcher, watch }, { silentMs: 12_000 }).steps, []);
  assert.deepEqual(plan({}, { silentMs: 12_000, quietMs: undefined }).steps, [], 'others are late, too');
  assert.deepEqual(plan({ watcher: launcher }, { silentMs: 100 }).steps, ['removePod'], 'of an earlier one');
  assert.deepEqual(plan({ watcher: launcher, watch }, { silentMs: 100 }).steps, [], 'of this very silence');
});

test('who watches cannot see the end of a lease before the node counts as lost', () => {
  for (const [leaseMs, silenceMs] of [
    [4_000, 4_000],
    [16_000, 20_000],
    [4_000, 600_000],
    [300_000, 4_000],
  ] as const) {
    const afterMs = watchAfterMs({ leaseMs, silenceMs });
    assert.ok(afterMs + leaseMs >= silenceMs && afterMs >= silenceMs / 2 && afterMs <= silenceMs);
  }
});

test('lost: told once, and the lease is watched', () => {
  const { steps, actions } = plan({});
  assert.deepEqual(steps, ['patchVmi', 'event NodeLost', 'makeWatcher']);
  assert.ok(actions[2]?.kind === 'makeWatcher' && actions[2].claim === 'root');
  const message = 'node n1 has not been heard of for more than 20 s; its lease is being watched';
  const told = { type: 'NodeLost', status: 'True', reason: 'WatchingLease', message };
  const again = guest({ conditions: [leased, told] });
  const watch = { kind: 'running', forMs: 1_000, leaseMs: 16_000 } as const;
  assert.deepEqual(plan({ vmi: again, watch }).steps, []);
});

test('a lost node takes no new guests', () => {
  const open: Node = { ...node, metadata: { name: 'n1', labels: { 'kubevirt.io/schedulable': 'true' } } };
  assert.deepEqual(plan({}, { node: open, guests: [] }).steps, ['closeNode']);
  assert.deepEqual(plan({}, { node: open, guests: [], silentMs: 1_000 }).steps, []);
});

test('over: the VMI fails with all that is known, the VM remembers, and its Pods go at once', () => {
  const { steps, needsProof, actions } = plan({ watch: expired, watcher: launcher });
  assert.ok(needsProof);
  assert.deepEqual(steps, [
    'rememberLoss',
    'patchVmi',
    'event LeaseExpired',
    'event Fenced',
    'removePod',
    'removePod',
  ]);
  const patch = actions.find((action) => action.kind === 'patchVmi');
  const text = JSON.stringify(patch?.kind === 'patchVmi' ? patch.patch : []);
  for (const part of ['"Failed"', 'NodeLost', 'LeaseExpired', 'Fenced', '"op":"test"'])
    assert.ok(text.includes(part), `${part} in ${text}`);
});

test('what a crash left half done is finished', () => {
  const over = guest({ phase: 'Failed', conditions: [{ type: 'Fenced', status: 'True' }] });
  assert.deepEqual(plan({ vmi: over }).steps, ['removePod']);
  assert.deepEqual(plan({ vmi: guest({ phase: 'Failed' }) }).steps, [], 'it failed by itself');
});

test('heard of again: the condition goes, and so does the watcher', () => {
  const lost = guest({ conditions: [leased, { type: 'NodeLost', status: 'True', reason: 'LeaseNotOver' }] });
  const found = plan({ vmi: lost, watcher: launcher }, { silentMs: 100 });
  assert.deepEqual(found.steps, ['removePod', 'patchVmi', 'event NodeFound']);
});

test('a node that only has its time anew, after nobody was heard, stays lost', () => {
  const lost = guest({ conditions: [leased, { type: 'NodeLost', status: 'True', reason: 'WatchingLease' }] });
  assert.deepEqual(plan({ vmi: lost }, { silentMs: 0, isAlive: false }).steps, []);
});

test('somebody’s word, and how it is refuted', () => {
  const said = (request: object): Node => ({
    ...node,
    metadata: { name: 'n1', annotations: { 'podvisor.io/fence': JSON.stringify(request) } },
  });
  const proofOf = (more: Partial<NodeLossView>): string =>
    plan({ vmi: guest({ conditions: [] }) }, more).steps.join(' ');
  assert.match(proofOf({ node: said({ at: 't' }) }), /rememberLoss .*Fenced/);
  assert.equal(proofOf({ node: said({ at: 't' }), silentMs: 5_000 }), '');
  assert.match(proofOf({ node: said({ at: 't', forced: true }), silentMs: 5_000 }), /Fenced/);
  assert.equal(proofOf({ node: said({ at: 't' }), silentMs: 5_000, isRefuted: true }), 'dropRequest');
  assert.doesNotMatch(proofOf({ node: said({ nonsense: 1 }) }), /Fenced/);
});

test('a Pod that a tenant made in place of the watcher is not believed', () => {
  const own = watchPod(watched);
  assert.ok(isWatchPod(own, own));
  const earlier = watchPod({ ...watched, silentSince: 'before' });
  assert.ok(!isWatchPod(earlier, own), 'the node was heard of since');
  assert.equal(silentSinceOf(earlier), 'before');
  const [container] = own.spec.containers;
  assert.ok(container !== undefined);
  const with_ = (more: object): Pod => ({ ...own, spec: { ...own.spec, ...more } });
  assert.ok(
    !isWatchPod(with_({ containers: [{ ...container, command: ['sh', '-c', 'echo expired'] }] }), own),
  );
  assert.ok(!isWatchPod(with_({ containers: [{ ...container, image: 'mine' }] }), own));
  assert.ok(!isWatchPod(with_({ containers: [container, { ...container, name: 'b' }] }), own));
  assert.ok(
    !isWatchPod(with_({ volumes: [{ name: 'claim', persistentVolumeClaim: { claimName: 'x' } }] }), own),
  );
  const changed = (more: object): Pod => with_({ containers: [{ ...container, ...more }] });
  const claim = own.spec.volumes?.[0];
  for (const [what, pod] of Object.entries({
    'code by an environment': changed({ env: [{ name: 'NODE_OPTIONS', value: '--require=/claim/x.js' }] }),
    'an environment of a ConfigMap': changed({ envFrom: [{ configMapRef: { name: 'x' } }] }),
    'files in place of the program’s': changed({
      volumeMounts: [...(container.volumeMounts ?? []), { name: 'claim', mountPath: '/usr/lib/podvisor' }],
    }),
    'another directory of the claim': changed({
      volumeMounts: [{ name: 'claim', mountPath: '/claim', readOnly: true, subPath: 'forged' }],
    }),
    'a program beside it': changed({ lifecycle: { postStart: { exec: { command: ['sh'] } } } }),
    'words from elsewhere': changed({ terminationMessagePath: '/claim/words' }),
    'a container before it': with_({ initContainers: [container] }),
    'a container that joined it': with_({ ephemeralContainers: [container] }),
    'a further volume': with_({ volumes: [claim, { name: 'x', emptyDir: {} }] }),
  }))
    assert.ok(!isWatchPod(pod, own), what);
  const stored = changed({
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
  });
  assert.ok(isWatchPod(stored, own), 'as an API server completes it');
});

test('a watcher that was lost with a node of its own is made anew elsewhere; what it said before counts', () => {
  const own = watchPod(watched);
  const [term] = own.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    ?.nodeSelectorTerms ?? [undefined];
  assert.deepEqual(
    term?.matchExpressions?.map(({ key, values }) => [key, values]),
    [
      ['kubernetes.io/hostname', ['n1']],
      ['kubevirt.io/schedulable', ['true']],
    ],
  );
  for (const phase of ['Pending', 'Running']) {
    const watcher = { ...own, status: { phase } } as Pod;
    assert.notEqual(watchState(watcher, 0, 1).kind, 'none');
    const watch = watchState(watcher, 0, 1, true);
    assert.ok(plan({ watcher, watch }).steps.includes('makeWatcher'), phase);
  }
  const ended = { ...own, status: { phase: 'Succeeded' } } as Pod;
  assert.equal(watchState(ended, 0, 1, true).kind, 'ended');
});

test('what a watcher says at its end', () => {
  const ended = (message: string): Pod =>
    ({
      ...launcher,
      status: {
        phase: 'Succeeded',
        containerStatuses: [{ state: { terminated: { exitCode: 0, message } } }],
      },
    }) as unknown as Pod;
  assert.deepEqual(watchState(ended('{"verdict":"expired","message":"m"}'), 0, 1), {
    kind: 'ended',
    report: { verdict: 'expired', message: 'm' },
  });
  for (const nonsense of ['', '{', '{"verdict":"over"}', '{"verdict":"expired"}'])
    assert.deepEqual(watchState(ended(nonsense), 0, 1), { kind: 'ended', report: undefined });
});

test('a guest whose source said that it has moved is not given up with the source, until its target has taken it over', () => {
  const moved = {
    sourceNode: 'n1',
    targetNode: 'n2',
    startTimestamp: 'a',
    endTimestamp: 'b',
    completed: true,
  };
  const left = (more: object = {}, nodeName = 'n1') =>
    plan({ vmi: guest({ nodeName, migrationState: { ...moved, ...more } }), watch: expired });
  assert.deepEqual([left().needsProof, left().steps], [false, ['patchVmi', 'event NodeLost']]);
  assert.ok(left({ failed: true }).needsProof, 'it stayed');
  const vmi = guest({ migrationState: { ...moved, completed: undefined, endTimestamp: undefined } });
  assert.equal(plan({ vmi, watch: expired }).needsProof, false, 'it may have left');
  assert.ok(plan({ vmi, watch: expired, hasTargetEnded: true }).needsProof, 'it is not where it went');
  assert.ok(left({ sourceNode: 'n0', targetNode: 'n1' }).needsProof, 'it came here');
});

test('whoever watches gets its image as the launcher did, and has its priority', () => {
  const spec = {
    nodeName: 'n1',
    imagePullSecrets: [{ name: 'registry' }],
    priorityClassName: 'important',
    containers: [{ name: 'compute', image: 'i', imagePullPolicy: 'Always' }],
  };
  const pod = watchPod({ ...watched, launcher: { ...launcher, spec } as Pod });
  assert.deepEqual(
    [pod.spec.imagePullSecrets, pod.spec.priorityClassName, pod.spec.containers[0]?.imagePullPolicy],
    [[{ name: 'registry' }], 'important', 'Always'],
  );
  const plain = watchPod(watched).spec;
  assert.ok(!('imagePullSecrets' in plain || 'priorityClassName' in plain));
});
