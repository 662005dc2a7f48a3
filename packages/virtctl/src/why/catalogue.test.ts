/** Each known failure is recognised in objects as the system leaves them behind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { launcherOf } from '../handoffs/pipeline-watch.ts';
import { catalogue } from './catalogue.ts';
import { diagnose } from './diagnose.ts';
import type { Observed } from './observed.ts';
import { referencesOf } from './references.ts';
import { reportLines, reportOf } from './report.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const vm: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'a', namespace: 'ns', uid: 'vm-uid', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { runStrategy: 'Always', template: { spec: { domain: { devices: {} } } } },
};

function vmi(
  status: VirtualMachineInstance['status'],
  spec: Partial<VirtualMachineInstance['spec']> = {},
): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'a', namespace: 'ns', uid: 'vmi-uid', creationTimestamp: '2026-01-01T00:00:01Z' },
    spec: { domain: { devices: {} }, ...spec },
    status,
  };
}

function pod(status: Pod['status']): Pod {
  return {
    metadata: { name: 'virt-launcher-a-x', uid: 'pod-uid' },
    spec: { containers: [], nodeName: 'node-1' },
    status,
  };
}

const compute = (state: Record<string, unknown>): NonNullable<Pod['status']> => ({
  phase: 'Running',
  containerStatuses: [{ name: 'compute', ready: false, restartCount: 0, image: '', imageID: '', state }],
});
const computing = pod(compute({ running: { startedAt: '2026-01-01T00:00:02Z' } }));
const unschedulable = (message: string): Pod =>
  pod({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
  });
const scheduling = vmi({ phase: 'Scheduling' });
const unsynchronized = (
  message: string,
  reason = 'Synchronizing with the Domain failed.',
): VirtualMachineInstance =>
  vmi({
    phase: 'Scheduled',
    nodeName: 'node-1',
    conditions: [{ type: 'Synchronized', status: 'False', reason, message }],
  });
const warning = (kind: string, reason: string, message: string): unknown => ({
  type: 'Warning',
  reason,
  message,
  involvedObject: { kind, name: 'a' },
  lastTimestamp: '2026-01-01T00:09:00Z',
});
const running = (
  conditions: NonNullable<VirtualMachineInstance['status']>['conditions'] = [],
): VirtualMachineInstance =>
  vmi({
    phase: 'Running',
    nodeName: 'node-1',
    conditions,
    phaseTransitionTimestamps: [{ phase: 'Running', phaseTransitionTimestamp: '2026-01-01T00:00:03Z' }],
  });
const connected = { type: 'AgentConnected', status: 'True' } as const;

const sleeping = (reason: string, message: string): VirtualMachine => ({
  ...vm,
  status: {
    printableStatus: 'Hibernated',
    conditions: [{ type: 'HibernatedStateRefused', status: 'True', reason, message }],
  },
});

const observed = (parts: Partial<Observed>): Observed => ({
  vm,
  events: [],
  claims: [],
  log: [],
  nowMs: NOW,
  ...parts,
});

/** Known failure, what was observed. */
const CASES: readonly (readonly [id: string, title: string, parts: Partial<Observed>])[] = [
  [
    'no-kvm',
    'no node offers KVM',
    {
      vmi: scheduling,
      pod: unschedulable('0/1 nodes are available: 1 Insufficient devices.kubevirt.io/kvm.'),
    },
  ],
  [
    'no-kvm',
    'QEMU cannot open it',
    {
      vmi: unsynchronized(
        'hardware virtualisation is not usable on this node and software emulation was not asked for: Could not access KVM kernel module: No such file or directory',
      ),
      pod: computing,
    },
  ],
  [
    'image-missing',
    'a tag that does not exist',
    {
      vmi: scheduling,
      pod: pod(
        compute({
          waiting: { reason: 'ErrImagePull', message: 'failed to pull image "r.io/x:1": manifest unknown' },
        }),
      ),
    },
  ],
  [
    'image-missing',
    'the second time',
    {
      vmi: scheduling,
      pod: pod(
        compute({ waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "r.io/x:1"' } }),
      ),
    },
  ],
  [
    'image-not-a-disk',
    'a text file',
    {
      vmi: unsynchronized(
        'volume root cannot be prepared: the disk image is of format vmdk; convert it to qcow2 or raw',
      ),
      pod: computing,
    },
  ],
  [
    'image-not-a-disk',
    'a link in a claim',
    {
      vmi: unsynchronized(
        'volume data cannot be prepared: /var/run/kubevirt-private/vmi-disks/data/disk.img is a symbolic link; a disk image must be a plain file with one name',
      ),
      pod: computing,
    },
  ],
  [
    'image-not-a-disk',
    'an ordinary image in a container',
    {
      vmi: unsynchronized(
        'volume root cannot be shown to the launcher, and this Pod has no image volumes: disk cannot be opened inside the image: there is no such file, and no directory /disk',
      ),
      pod: computing,
    },
  ],
  [
    'disk-not-shown',
    'a container that does not run',
    {
      vmi: unsynchronized(
        'volume root cannot be shown to the launcher, and this Pod has no image volumes: there is no disk_0.sock yet',
      ),
      pod: computing,
    },
  ],
  [
    'image-not-a-disk',
    'an ordinary image',
    {
      vmi: unsynchronized(
        'volume root cannot be prepared: /disk cannot be opened inside the image: No such file or directory',
      ),
      pod: computing,
    },
  ],
  [
    'pvc-missing',
    'a name that nobody has',
    {
      vmi: vmi({
        phase: 'Pending',
        conditions: [
          {
            type: 'Synchronized',
            status: 'False',
            reason: 'FailedPvcNotFound',
            message: 'PVC ns/data does not exist, waiting for it to appear',
          },
        ],
      }),
    },
  ],
  [
    'pvc-in-use',
    'locked by another QEMU',
    {
      vmi: unsynchronized(
        'the virtual machine was not started because another process is using one of its disks; end the other user of the disk first: Failed to get "write" lock',
      ),
      pod: computing,
    },
  ],
  [
    'pvc-in-use',
    'attached to another node',
    {
      vmi: scheduling,
      pod: pod({ phase: 'Pending' }),
      events: [
        warning(
          'Pod',
          'FailedAttachVolume',
          'Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) b',
        ),
      ],
    },
  ],
  [
    'not-enough-memory',
    'no node has it',
    { vmi: scheduling, pod: unschedulable('0/2 nodes are available: 2 Insufficient memory.') },
  ],
  [
    'device-plugin-gone',
    'nobody offers tun',
    {
      vmi: scheduling,
      pod: unschedulable('0/1 nodes are available: 1 Insufficient devices.kubevirt.io/tun.'),
    },
  ],
  [
    'device-plugin-gone',
    'gone between scheduling and start',
    {
      vmi: scheduling,
      pod: pod({
        phase: 'Failed',
        reason: 'UnexpectedAdmissionError',
        message: 'Allocate failed due to requested number of devices unavailable for devices.kubevirt.io/tun',
      }),
    },
  ],
  [
    'bad-cloud-init',
    'not YAML',
    {
      vmi: vmi(
        { phase: 'Running', nodeName: 'node-1', conditions: [connected] },
        { volumes: [{ name: 'ci', cloudInitNoCloud: { userData: '#cloud-config\nusers: [a: b: c' } }] },
      ),
    },
  ],
  [
    'bad-cloud-init',
    'no header',
    {
      vmi: vmi(
        { phase: 'Running', conditions: [connected] },
        { volumes: [{ name: 'ci', cloudInitNoCloud: { userData: 'password: x' } }] },
      ),
    },
  ],
  [
    'bad-cloud-init',
    'a secret without the key',
    {
      vmi: unsynchronized(
        'volume ci cannot be prepared: secret s has neither key userdata nor userData, which cloud-init needs',
      ),
      pod: computing,
    },
  ],
  ['guest-agent-missing', 'ten minutes of silence', { vmi: running(), pod: computing }],
  [
    'libvirt-refuses-xml',
    'an unknown machine',
    {
      vmi: unsynchronized(
        'libvirt did not accept the definition of the virtual machine: unsupported configuration: Emulator does not support machine type pc-9',
      ),
      pod: computing,
    },
  ],
  [
    'qemu-dies-at-start',
    'a bad device',
    {
      vmi: unsynchronized(
        'QEMU could not be started: internal error: process exited while connecting to monitor: qemu: -device foo: not a valid device',
      ),
      pod: computing,
    },
  ],
  [
    'guest-panic',
    'and ends',
    {
      vmi: vmi({ phase: 'Failed', nodeName: 'node-1' }),
      pod: computing,
      events: [warning('VirtualMachineInstance', 'GuestPanicked', 'the guest panicked')],
    },
  ],
  [
    'qemu-ended',
    'crashed',
    {
      vmi: vmi({ phase: 'Failed', nodeName: 'node-1' }),
      events: [warning('VirtualMachineInstance', 'Stopped', 'The VirtualMachineInstance crashed.')],
    },
  ],
  [
    'network-phase-1-failed',
    'a NIC that is not there',
    { vmi: unsynchronized('the Pod has no NIC net1'), pod: computing },
  ],
  [
    'webhook-down',
    'the VM cannot make its VMI',
    {
      vm: {
        ...vm,
        status: {
          conditions: [
            {
              type: 'Failure',
              status: 'True',
              reason: 'FailedCreate',
              message:
                'Internal error occurred: failed calling webhook "virtualmachineinstances-create-mutator.kubevirt.io"',
            },
          ],
        },
      },
    },
  ],
  [
    'webhook-down',
    'virt-api does not answer',
    { serverTrouble: 'the server is currently unable to handle the request' },
  ],
  [
    'node-gone',
    'its kubelet is silent',
    {
      vmi: running([connected]),
      pod: computing,
      node: {
        metadata: { name: 'node-1' },
        status: {
          conditions: [
            {
              type: 'Ready',
              status: 'Unknown',
              reason: 'NodeStatusUnknown',
              message: 'Kubelet stopped posting node status.',
            },
          ],
        },
      },
    },
  ],
  [
    'hibernated-state-does-not-fit',
    'its memory was changed while it slept',
    { vm: sleeping('StateDoesNotFit', 'memory.value was 192 and is 224') },
  ],
  [
    'hibernated-state-lost',
    'its claim was emptied',
    { vm: sleeping('StateMissing', 'the claim does not hold the state of this guest') },
  ],
  [
    'copy-without-identity',
    'its agent says nothing',
    { vmi: unsynchronized('the copy could not be given an identity of its own: its agent is silent') },
  ],
  [
    'hibernation-failed',
    'the claim is full',
    {
      vmi: running([connected]),
      pod: computing,
      events: [
        warning('VirtualMachine', 'HibernationFailed', 'The guest was not hibernated: the claim has no room'),
      ],
    },
  ],
  [
    'node-lost-no-lease',
    'its disk is on that node',
    {
      vmi: running([
        connected,
        { type: 'NodeLost', status: 'True', reason: 'DiskIsLocal', message: 'node node-1 …' },
      ]),
      pod: computing,
    },
  ],
  [
    'node-lost-lease-renewed',
    'only the network is cut',
    {
      vmi: running([
        connected,
        { type: 'NodeLost', status: 'True', reason: 'LeaseNotOver', message: 'node node-1 …' },
      ]),
      pod: computing,
    },
  ],
  [
    'node-lost-watching',
    'its lease is not over yet',
    {
      vmi: running([
        connected,
        { type: 'NodeLost', status: 'True', reason: 'WatchingLease', message: 'node node-1 …' },
      ]),
      pod: computing,
    },
  ],
  [
    'storage-lost',
    'the node is well',
    {
      vmi: running([
        connected,
        { type: 'FencedByLease', status: 'False', reason: 'StorageLost', message: 'node node-1 …' },
      ]),
      pod: computing,
    },
  ],
  ['node-gone', 'its object is deleted', { vmi: running([connected]), nodeMissing: 'node-1' }],
  [
    'quota',
    'no more memory in the namespace',
    {
      vmi: vmi({
        phase: 'Pending',
        conditions: [
          {
            type: 'Synchronized',
            status: 'False',
            reason: 'FailedCreate',
            message:
              'Error creating pod: pods "virt-launcher-a-x" is forbidden: exceeded quota: small, requested: requests.memory=345Mi, used: requests.memory=0, limited: requests.memory=100Mi',
          },
        ],
      }),
    },
  ],
  [
    'pod-security',
    'the Pod breaks the level of its namespace',
    {
      vmi: vmi({
        phase: 'Pending',
        conditions: [
          {
            type: 'Synchronized',
            status: 'False',
            reason: 'FailedCreate',
            message:
              'failed to create pod for vmi ns/a, it needs a privileged namespace to run: pods "virt-launcher-a-x" is forbidden: violates PodSecurity "restricted:latest": seccompProfile (pod or container "compute" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
          },
        ],
      }),
    },
  ],
  [
    'oom-killed',
    'by the kernel',
    {
      vmi: vmi({ phase: 'Failed' }),
      pod: pod(compute({ terminated: { exitCode: 137, reason: 'OOMKilled' } })),
    },
  ],
  [
    'import-fails',
    'the image is not there',
    {
      claims: [
        {
          metadata: {
            name: 'data',
            annotations: {
              'cdi.kubevirt.io/storage.condition.running.message': 'expected status code 200, got 404',
            },
          },
          status: { phase: 'Bound' },
        },
      ],
    },
  ],
  [
    'pvc-pending',
    'no storage class',
    {
      vmi: scheduling,
      pod: pod({ phase: 'Pending' }),
      claims: [{ metadata: { name: 'data' }, status: { phase: 'Pending' } }],
    },
  ],
  [
    'crash-loop',
    'with no other reason to be seen',
    {
      vm: {
        ...vm,
        status: { startFailure: { consecutiveFailCount: 3, retryAfterTimestamp: '2026-01-01T00:20:00Z' } },
      },
    },
  ],
  [
    'qemu-ended',
    'again and again',
    {
      vm: { ...vm, status: { startFailure: { consecutiveFailCount: 3 } } },
      events: [warning('VirtualMachineInstance', 'Stopped', 'The VirtualMachineInstance crashed.')],
    },
  ],
  [
    'paused-by-io-error',
    'full disk',
    {
      vmi: running([
        connected,
        {
          type: 'Paused',
          status: 'True',
          reason: 'PausedIOError',
          message: 'VMI was paused, low-level IO error detected',
        },
      ]),
    },
  ],
];

for (const [id, title, parts] of CASES)
  test(`${id}: ${title}`, () => {
    const found = diagnose(observed(parts));
    assert.equal(found[0]?.id, id, JSON.stringify(found.map((one) => one.id)));
    assert.doesNotMatch(found[0]?.fix ?? '', /\{(name|namespace|node|pod|1)\}/);
  });

test('the failures that the product promises to know are all tried above', () => {
  const promised = [
    'no-kvm',
    'image-missing',
    'image-not-a-disk',
    'pvc-missing',
    'pvc-in-use',
    'not-enough-memory',
    'device-plugin-gone',
    'bad-cloud-init',
    'guest-agent-missing',
    'libvirt-refuses-xml',
    'qemu-dies-at-start',
    'guest-panic',
    'network-phase-1-failed',
    'webhook-down',
    'node-gone',
    'quota',
  ];
  const tried = new Set(CASES.map(([id]) => id));
  assert.deepEqual(
    promised.filter((id) => !tried.has(id)),
    [],
  );
  assert.equal(new Set(catalogue.map(({ id }) => id)).size, catalogue.length);
});

test('a VM that runs well has no diagnosis, whatever went wrong on the way', () => {
  const past = { ...plainWarning(), lastTimestamp: '2026-01-01T00:00:02Z' };
  const report = reportOf(observed({ vmi: running([connected]), pod: computing, events: [past] }));
  assert.deepEqual(report.diagnoses, []);
  assert.equal(report.verdict, 'The guest runs. All handoffs are done.');
});

function plainWarning(): Record<string, unknown> {
  return {
    type: 'Warning',
    reason: 'SyncFailed',
    message: 'QEMU could not be started',
    involvedObject: { kind: 'VirtualMachineInstance', name: 'a' },
  };
}

test('after --watch the handoffs are not shown again', () => {
  const report = reportOf(observed({ vmi: running([connected]), pod: computing }));
  assert.match(reportLines(report).join('\n'), /\[11\/11\]/);
  assert.doesNotMatch(reportLines(report, false).join('\n'), /\[11\/11\]/);
});

test('an image that cannot be pulled is named with its volume, not a container', () => {
  const containerDisk = { image: 'r.io/x:1' };
  const waiting = { reason: 'ErrImagePull', message: 'failed to pull image "r.io/x:1": manifest unknown' };
  const [first] = diagnose(
    observed({
      vmi: vmi({ phase: 'Scheduling' }, { volumes: [{ name: 'root', containerDisk }] }),
      pod: pod(compute({ waiting })),
    }),
  );
  assert.equal(first?.evidence.object, 'image r.io/x:1 of volume root');
});

test('too much memory is told in numbers', () => {
  const wanting = unschedulable('0/1 nodes are available: 1 Insufficient memory.');
  const containers = [{ name: 'compute', resources: { requests: { memory: '921600Mi', cpu: '100m' } } }];
  const node = { metadata: { name: 'node-1' }, status: { allocatable: { memory: '8Gi', cpu: '2' } } };
  const [first] = diagnose(
    observed({ vmi: scheduling, pod: { ...wanting, spec: { containers } }, nodes: [node] }),
  );
  assert.match(
    first?.evidence.message ?? '',
    /the Pod asks for 900\.0 GiB of memory and 0\.1 CPUs; node-1 has 8\.0 GiB and 2 CPUs/,
  );
});

test('what a VM names and is not there is told by kind and name, with what is there', () => {
  const seed = { name: 'seed', cloudInitNoCloud: { secretRef: { name: 'my-key' } } };
  const declared = vmi({ phase: 'Scheduling' }, { volumes: [seed] });
  const [reference] = referencesOf({ vmi: declared });
  assert.ok(reference !== undefined);
  const missing = [{ ...reference, present: ['mykey', 'other'] }];
  const [first] = diagnose(observed({ vmi: declared, missing }));
  assert.equal(first?.id, 'secret-missing');
  assert.match(first.fix, /create secret generic my-key/);
  assert.equal(
    first.evidence.message,
    'Secret "my-key" does not exist in namespace ns; volume seed names it; there are: mykey, other (did you mean "mykey"?)',
  );
});

test('while a migration is under way the Pod of the guest is looked at, not the target', () => {
  const made = (name: string, nodeName: string, at: string): Pod => ({
    metadata: { name, creationTimestamp: at, labels: { 'kubevirt.io/created-by': 'vmi-uid' } },
    spec: { containers: [], nodeName },
  });
  const pods = [
    made('target', 'node-2', '2026-01-02T00:00:00Z'),
    made('own', 'node-1', '2026-01-01T00:00:00Z'),
  ];
  const found = launcherOf(pods, vmi({ phase: 'Running', nodeName: 'node-1' }));
  assert.equal(found?.metadata.name, 'own');
});

test('more memory that waits for a migration is told', () => {
  const waits = { type: 'HotMemoryChange', status: 'True' } as const;
  assert.deepEqual(
    diagnose(observed({ vmi: running([connected, waits]), pod: computing })).map(({ id }) => id),
    ['resources-wait'],
  );
});

test('a stopped VM is told how to start', () => {
  const report = reportOf(
    observed({
      vm: { ...vm, spec: { ...vm.spec, runStrategy: 'Halted' }, status: { printableStatus: 'Stopped' } },
    }),
  );
  assert.equal(report.verdict, 'The VM is Stopped: virtctl start a');
  assert.equal(report.waitingFor, undefined);
});

test('the text names the open handoff, the evidence once, the cause and what to do', () => {
  const quota = CASES.find(([id]) => id === 'quota')?.[2] ?? {};
  const text = reportLines(reportOf(observed(quota))).join('\n');
  assert.match(
    text,
    /^Quota used up: handoff 4 of 11 \(virt-controller → launcher Pod\) has not happened\.$/m,
  );
  assert.ok(text.indexOf('What to do:') < text.indexOf('Handoffs:'), 'the cause comes first');
  assert.match(text, /What to do:.*describe resourcequota small/);
  assert.equal(text.split('exceeded quota: small').length, 2);
});

test('trouble on the node names its own handoff, not the first without a time', () => {
  const parts = CASES.find(([id]) => id === 'libvirt-refuses-xml')?.[2] ?? {};
  assert.equal(reportOf(observed(parts)).waitingFor, 10);
});

test('what virt-handler says is in the verdict, also when no known failure fits', () => {
  const { verdict } = reportOf(observed({ vmi: unsynchronized('the moon is full'), pod: computing }));
  assert.match(verdict, /^It could not be started so far \(the moon is full\): handoff \d+ of 11/);
});
