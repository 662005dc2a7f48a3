/** What each subresource answers in states that the recorded calls do not show. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { ANYBODY } from '../testing/anybody.ts';
import type { StoredState } from './decision.ts';
import { matchSubresource } from './routes.ts';
import { runningPatch } from './vm-state.ts';

const UID = 'uid-of-vm';
const owner = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  name: 'vm',
  uid: UID,
  controller: true,
};

interface Given {
  readonly vm?: object;
  readonly strategy?: string;
  readonly vmi?: object | null;
  readonly spec?: object;
  readonly phase?: string;
  readonly gates?: readonly string[];
  readonly volumes?: readonly object[];
}

function stateOf({
  vm,
  strategy = 'Manual',
  vmi,
  spec,
  phase = 'Running',
  gates,
  volumes,
}: Given): StoredState {
  const developerConfiguration = { featureGates: gates ?? [] };
  const template = { spec: { domain: { devices: {} }, volumes } };
  const found = {
    vm: {
      metadata: { name: 'vm', namespace: 'default', uid: UID },
      spec: { runStrategy: strategy, template },
      status: vm,
    },
    vmi: {
      metadata: { name: 'vm', namespace: 'default', uid: 'uid-of-vmi', ownerReferences: [owner] },
      spec: { domain: { devices: {} }, volumes, ...spec },
      status: { phase, ...vmi },
    },
  };
  return {
    vm: { kind: 'found', object: found.vm },
    vmi: vmi === null ? { kind: 'absent' } : { kind: 'found', object: found.vmi },
    config: clusterConfig({ spec: { configuration: { developerConfiguration } } }),
  } as unknown as StoredState;
}

function decide(resource: 'vm' | 'vmi', subresource: string, given: Given, body?: unknown) {
  const plural = resource === 'vm' ? 'virtualmachines' : 'virtualmachineinstances';
  const [match] = matchSubresource(plural, subresource.split('/'));
  assert.ok(match, `no route for ${subresource}`);
  const query = new URLSearchParams();
  const request = {
    namespace: 'default',
    name: 'vm',
    body,
    query,
    user: ANYBODY,
    parameters: match.parameters,
  };
  return match.route.decide(request, stateOf(given));
}

const legacy = ['HotplugVolumes'];
const sev = ['WorkloadEncryptionSEV'];
const attested = { domain: { devices: {}, launchSecurity: { sev: { attestation: {} } } } };
const session = { session: 'a', dhCert: 'b' };
const plug = { name: 'new', disk: {}, volumeSource: { dataVolume: { name: 'd' } } };
const paused = { conditions: [{ type: 'Paused', status: 'True' }] };
const plugged = { name: 'old', dataVolume: { name: 'claim', hotpluggable: true } };

type Refusal = readonly [
  resource: 'vm' | 'vmi',
  subresource: string,
  given: Given,
  body: unknown,
  code: number,
  message: RegExp,
];

const refusals: readonly Refusal[] = [
  // A snapshot is told of before what the body is.
  ['vmi', 'unpause', { vm: { snapshotInProgress: 's' } }, 'text', 409, /: VM snapshot is in progress$/],
  ['vmi', 'unpause', {}, 'text', 400, /must be a JSON object$/],
  ['vm', 'start', { vmi: null, strategy: 'Halted' }, { paused: 'yes' }, 400, /paused must be a boolean$/],
  [
    'vmi',
    'evacuate/cancel',
    { vmi: { evacuationNodeName: 'node01' } },
    { evacuationNodeName: 1 },
    400,
    /evacuationNodeName must be a string$/,
  ],
  [
    'vm',
    'start',
    { vmi: null, vm: { stateChangeRequests: [{ action: 'Start' }] } },
    {},
    500,
    /stop\/start already underway$/,
  ],
  [
    'vm',
    'restart',
    { vm: { stateChangeRequests: [{ action: 'Stop' }] } },
    {},
    500,
    /stop\/start already underway$/,
  ],
  [
    'vm',
    'restart',
    {},
    { gracePeriodSeconds: 5 },
    400,
    /^For force restart, only gracePeriod=0 is supported for now$/,
  ],
  ['vm', 'restart', {}, { gracePeriodSeconds: -1 }, 400, /^gracePeriod has to be greater or equal to 0$/],
  [
    'vmi',
    'pause',
    { vmi: paused, spec: { livenessProbe: { exec: {} } } },
    {},
    403,
    /non-GuestAgentPing LivenessProbe/,
  ],
  ['vmi', 'softreboot', { phase: 'Scheduled' }, undefined, 409, /: VM is not running$/],
  [
    'vmi',
    'reset',
    { phase: 'Failed' },
    undefined,
    400,
    /^Failed to reset non-running VMI with phase Failed: /,
  ],
  ['vmi', 'vnc', { phase: 'Failed' }, undefined, 400, /^VMI is not running$/],
  [
    'vmi',
    'vsock',
    { phase: 'Failed', spec: { domain: { devices: { autoattachVSOCK: true } } } },
    undefined,
    400,
    /^Unable to connect to VirtualMachineInstance because phase is Failed instead of Running or Scheduled$/,
  ],
  [
    'vmi',
    'usbredir',
    { phase: 'Failed', spec: { domain: { devices: { clientPassthrough: {} } } } },
    undefined,
    400,
    /^VMI is not running$/,
  ],
  ['vmi', 'portforward/22', { phase: 'Failed' }, undefined, 400, /^no network interfaces are present$/],
  ['vm', 'portforward/22', { vm: { created: false } }, undefined, 409, /: VMI is not started$/],
  ['vm', 'evacuate/cancel', {}, {}, 409, /: VMI is not started$/],
  ['vmi', 'addvolume', { gates: legacy }, undefined, 400, /^Request with no body, a new name is expected/],
  [
    'vmi',
    'addvolume',
    { gates: ['DeclarativeHotplugVolumes'], phase: 'Failed' },
    plug,
    400,
    /^VMI default\/vm is owned by a VM$/,
  ],
  [
    'vm',
    'removevolume',
    { gates: legacy, volumes: [{ name: 'old', dataVolume: { name: 'c' } }] },
    { name: 'c' },
    409,
    /volume \[old\] because it is not hotpluggable$/,
  ],
  [
    'vm',
    'addvolume',
    {
      gates: legacy,
      volumes: [
        { name: 'first', dataVolume: { name: 'd' } },
        { name: 'new', dataVolume: { name: 'e' } },
      ],
    },
    plug,
    409,
    /: Unable to add volume source \[d\] because it already exists$/,
  ],
  [
    'vm',
    'addvolume',
    { gates: legacy, vm: { volumeRequests: [{ addVolumeOptions: { name: 'new' } }] } },
    plug,
    409,
    /: add volume request for volume \[new\] already exists$/,
  ],
  [
    'vm',
    'addvolume',
    { gates: legacy, vm: { volumeRequests: [{ removeVolumeOptions: { name: 'new' } }] } },
    plug,
    409,
    /: unable to add volume since a remove volume request for volume \[new\] already exists and is still being processed$/,
  ],
  [
    'vm',
    'removevolume',
    { gates: legacy, volumes: [plugged], vm: { volumeRequests: [{ removeVolumeOptions: { name: 'old' } }] } },
    { name: 'old' },
    409,
    /: a remove volume request for volume \[old\] already exists/,
  ],
  ['vmi', 'sev/fetchcertchain', { gates: sev }, undefined, 500, /Attestation not requested for VMI/],
  [
    'vmi',
    'sev/setupsession',
    { gates: sev, phase: 'Scheduled' },
    session,
    409,
    /Attestation not requested for VMI$/,
  ],
  ['vmi', 'sev/setupsession', { gates: sev, spec: attested }, session, 409, /VMI is not in Scheduled phase$/],
  [
    'vmi',
    'sev/setupsession',
    { gates: sev, spec: attested },
    undefined,
    400,
    /^Request with no body: SEV session parameters/,
  ],
  [
    'vmi',
    'sev/injectlaunchsecret',
    { gates: sev, vmi: paused },
    {},
    409,
    /Attestation not requested for VMI$/,
  ],
];

for (const [resource, subresource, given, body, code, message] of refusals) {
  test(`${resource} ${subresource} is refused: ${message.source}`, () => {
    assert.throws(
      () => decide(resource, subresource, given, body),
      (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, code);
        assert.match(error.message, message);
        return true;
      },
    );
  });
}

function patchOf(resource: 'vm' | 'vmi', subresource: string, given: Given, body?: unknown): unknown {
  const decision = decide(resource, subresource, given, body);
  assert.equal(decision.kind, 'patch');
  return JSON.parse(JSON.stringify(decision.kind === 'patch' ? decision.patches[0]?.patch : undefined));
}

function patchesOf(resource: 'vm' | 'vmi', subresource: string, given: Given, body?: unknown): unknown {
  const decision = decide(resource, subresource, given, body);
  return decision.kind === 'patch' ? decision.patches : decision;
}

test('a start request takes the record of failed starts away', () => {
  const status = { startFailure: { consecutiveFailCount: 3 } };
  const start = { vmi: null, vm: status };
  assert.deepEqual(patchOf('vm', 'start', start, {}), [
    { op: 'test', path: '/status/stateChangeRequests', value: null },
    { op: 'add', path: '/status/stateChangeRequests', value: [{ action: 'Start' }] },
    { op: 'remove', path: '/status/startFailure' },
  ]);
});

test('a queued request carries its dry run, and a removal replaces an addition', () => {
  const queue = [{ addVolumeOptions: { name: 'old' } }, { addVolumeOptions: { name: 'other' } }];
  const given = { gates: legacy, volumes: [plugged], vm: { volumeRequests: queue } };
  const path = '/status/volumeRequests';
  assert.deepEqual(patchOf('vm', 'removevolume', given, { name: 'old', dryRun: ['All'] }), [
    { op: 'test', path, value: queue },
    {
      op: 'replace',
      path,
      value: [queue[1], { removeVolumeOptions: { name: 'old', dryRun: ['All'] } }],
    },
  ]);
});

test('of two sources that were asked for, a volume has the claim; a queued request says what was asked', () => {
  const volumeSource = { dataVolume: { name: 'd' }, persistentVolumeClaim: { claimName: 'c' } };
  const body = { ...plug, volumeSource };
  const queued = patchOf('vm', 'addvolume', { gates: legacy }, body);
  const plain = patchOf('vm', 'addvolume', { gates: ['DeclarativeHotplugVolumes'] }, body);
  assert.deepEqual(
    [queued, plain].map((operations) => Array.isArray(operations) && operations.at(-1).value),
    [
      [
        {
          addVolumeOptions: {
            name: 'new',
            disk: { name: 'new' },
            volumeSource: {
              dataVolume: { name: 'd', hotpluggable: true },
              persistentVolumeClaim: { claimName: 'c' },
            },
          },
        },
      ],
      [{ name: 'new' }],
    ],
  );
  assert.deepEqual(Array.isArray(plain) && plain.at(-2).value, [
    { name: 'new', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } },
  ]);
});

test('a node that cannot reset a guest that is being started says in which phase it is', () => {
  const decision = decide('vmi', 'reset', { phase: 'Scheduled' });
  assert.ok(decision.kind === 'handler');
  assert.equal(decision.failure, 'Failed to reset non-running VMI with phase Scheduled');
  const running = decide('vmi', 'reset', {});
  assert.ok(running.kind === 'handler');
  assert.equal(running.failure, undefined);
});

test('a guest that is being started may be reset, and one without a body frozen', () => {
  assert.equal(decide('vmi', 'reset', { phase: 'Scheduled' }).kind, 'handler');
  assert.equal(decide('vmi', 'freeze', {}).kind, 'handler');
});

test('the marks of an eviction can be taken back through the VM', () => {
  const given = { vm: { created: true }, vmi: { evacuationNodeName: 'node01' } };
  assert.deepEqual(patchOf('vm', 'evacuate/cancel', given, { evacuationNodeName: 'node01' }), [
    { op: 'test', path: '/status/evacuationNodeName', value: 'node01' },
    { op: 'remove', path: '/status/evacuationNodeName' },
  ]);
  assert.deepEqual(patchesOf('vmi', 'evacuate/cancel', {}, {}), []);
});

test('a stop with a longer time is refused, after the guest got the time', () => {
  const given = { strategy: 'Halted', spec: { terminationGracePeriodSeconds: 30 } };
  for (const gracePeriod of [30, 60]) {
    const decision = decide('vm', 'stop', given, { gracePeriod });
    assert.ok(decision.kind === 'patch');
    assert.equal(decision.refusal?.code, 409);
    assert.deepEqual(
      decision.patches.map(({ target }) => target),
      ['virtualmachineinstance'],
    );
  }
  const shorter = decide('vm', 'stop', given, { gracePeriod: 1 });
  assert.ok(shorter.kind === 'patch');
  assert.equal(shorter.refusal, undefined);
  assert.deepEqual(
    shorter.patches.map(({ target }) => target),
    ['virtualmachineinstance', 'virtualmachine/status'],
  );
});

test('a forced restart of a guest that is stopping already has it stop sooner, and is refused', () => {
  const decision = decide(
    'vm',
    'restart',
    { strategy: 'Manual', vm: { stateChangeRequests: [{ action: 'Stop', uid: 'u' }] } },
    { gracePeriodSeconds: 0 },
  );
  assert.ok(decision.kind === 'patch');
  assert.equal(decision.refusal?.code, 500);
  assert.deepEqual(
    decision.patches.map(({ target }) => target),
    ['virtualmachineinstance'],
  );
});

test('a VM that says neither runStrategy nor running is started by a patch with a value to test', () => {
  const vm = { spec: { template: { spec: { domain: { devices: {} } } } } };
  assert.deepEqual(runningPatch(vm as never, true).patch[0], {
    op: 'test',
    path: '/spec/running',
    value: null,
  });
});

test('a VM that waits for a migration is neither started nor stopped by hand', () => {
  const given = { strategy: 'WaitAsReceiver', vmi: null };
  assert.deepEqual(patchesOf('vm', 'start', given, {}), []);
  assert.deepEqual(patchesOf('vm', 'stop', given, {}), []);
});

test('a volume goes beside what is there: an empty drive of its name is not taken away', () => {
  const drive = { name: 'new', cdrom: {} };
  const spec = { domain: { devices: { disks: [drive] } } };
  const body = { ...plug, disk: { disk: {} } };
  const operations = patchOf('vmi', 'addvolume', { spec, gates: legacy }, body);
  assert.deepEqual(Array.isArray(operations) && operations.at(-1), {
    op: 'replace',
    path: '/spec/domain/devices/disks',
    value: [drive, { disk: {}, name: 'new' }],
  });
});
