import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clusterConfig,
  type Pod,
  type VirtualMachineInstance,
  webhookMatchConditions,
  webhooks,
} from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { asking, registeredResource, type WebhookResponse } from '../testing/ask-webhook.ts';
import { webhookContextForTests } from '../testing/webhook-context.ts';
import { ExpansionError } from '../instancetypes.ts';
import { validateEviction } from './eviction.ts';
import { Webhooks } from './serve.ts';
import { webhookTable } from './table.ts';

const context = webhookContextForTests;
const served = new Webhooks(webhookTable, () => context);
const ask = asking(served);

const vmi = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'v', namespace: 'default' },
  spec: { domain: { devices: {}, memory: { guest: '64Mi' } } },
} as const;

test('every webhook that is registered is served', () => {
  for (const { path, name } of webhooks) assert.ok(webhookTable.has(path), `${name} at ${path}`);
  assert.equal(new Set(webhooks.map(({ name }) => name)).size, webhooks.length, 'names are unique');
});

test('no webhook can hold up a deletion, and our own components are not asked about updates', () => {
  for (const webhook of webhooks) {
    const operations = webhook.rules.flatMap((rule) => rule.operations);
    assert.ok(webhook.failurePolicy === 'Ignore' || !operations.includes('DELETE'), webhook.name);
    if (operations.includes('UPDATE')) {
      const [condition] = webhookMatchConditions(webhook, 'kubevirt');
      assert.match(condition?.expression ?? '', /kubevirt-controller/, webhook.name);
    }
  }
});

test('a VMI comes back with its defaults as a patch', async () => {
  const { allowed, patch } = await ask('/virtualmachineinstances-mutate', {
    namespace: 'default',
    object: vmi,
  });
  assert.equal(allowed, true);
  const operations = JSON.parse(Buffer.from(patch ?? '', 'base64').toString()) as {
    path: string;
    value: unknown;
  }[];
  assert.ok(operations.some(({ path }) => path === '/status'));
  assert.ok(operations.some(({ path }) => path === '/metadata/finalizers'));
});

test('a status that a user writes is put back; one of ours stays', async () => {
  const request = {
    operation: 'UPDATE',
    object: { ...vmi, status: { phase: 'Running' } },
    oldObject: { ...vmi, status: { phase: 'Pending' } },
  };
  const byUser = await ask('/virtualmachineinstances-mutate', { ...request, userInfo: { username: 'ann' } });
  const patch = Buffer.from(byUser.patch ?? '', 'base64').toString();
  assert.deepEqual(JSON.parse(patch), [{ op: 'replace', path: '/status/phase', value: 'Pending' }]);
  const username = 'system:serviceaccount:kubevirt:kubevirt-handler';
  assert.equal(
    (await ask('/virtualmachineinstances-mutate', { ...request, userInfo: { username } })).patch,
    undefined,
  );
});

test('a refusal names field and reason', async () => {
  const bad = {
    ...vmi,
    spec: { domain: { devices: { disks: [{ name: 'nowhere', disk: {} }] }, memory: { guest: '64Mi' } } },
  };
  const { allowed, status } = await ask('/virtualmachineinstances-validate-create', {
    namespace: 'default',
    object: bad,
  });
  assert.equal(allowed, false);
  assert.equal(status?.code, 422);
  assert.ok(
    (status?.details?.causes ?? []).some(({ field }) => field.startsWith('spec.domain.devices.disks[0]')),
  );
});

test('a migration of a VMI that does not exist is refused', async () => {
  const object = { metadata: { namespace: 'default' }, spec: { vmiName: 'v' } };
  const { allowed, status } = await ask('/migration-validate-create', { namespace: 'default', object });
  assert.equal(allowed, false);
  assert.match(status?.message ?? '', /does not exist/);
});

test('what a rule has to look up and cannot read is refused in the words of the API, as KubeVirt does', async () => {
  const fails = async (): Promise<never> => {
    throw new StatusError('Timeout', 'no answer in time');
  };
  const deaf = new Webhooks(webhookTable, () => ({
    ...context,
    findVmi: fails,
    findSnapshot: fails,
  }));
  const vm = {
    ...vmi,
    kind: 'VirtualMachine',
    spec: { runStrategy: 'Always', template: { spec: vmi.spec } },
    status: { ready: true, volumeRequests: [{ removeVolumeOptions: { name: 'v' } }] },
  };
  const target = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'v' };
  const objects: Readonly<Record<string, object>> = {
    '/migration-validate-create': { metadata: { namespace: 'default' }, spec: { vmiName: 'v' } },
    '/virtualmachines-validate': vm,
    '/status-validate': vm,
    '/virtualmachinerestores-validate': { spec: { target, virtualMachineSnapshotName: 's' } },
  };
  for (const [path, object] of Object.entries(objects)) {
    const resource = registeredResource(path);
    const request = { uid: 'u', operation: 'CREATE', resource, namespace: 'default', name: 'v', object };
    const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request };
    const { response } = (await deaf.answer(path, async () => review)) as { response: WebhookResponse };
    assert.deepEqual(
      [path, response.allowed, response.status?.code, response.status?.message],
      [path, false, 400, 'no answer in time'],
    );
  }
});

test('a body that is no review is refused', async () => {
  await assert.rejects(
    served.answer('/virtualmachines-mutate', async () => ({ kind: 'Pod' })),
    /not an AdmissionReview/,
  );
  assert.equal(await served.answer('/nowhere', async () => ({})), undefined);
});

test('eviction asks about the VMI that the Pod really runs, and marks it', async () => {
  const owner = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    name: 'v',
    uid: 'uid',
    controller: true,
  };
  const pod: Pod = {
    metadata: { namespace: 'default', labels: { 'kubevirt.io': 'virt-launcher' }, ownerReferences: [owner] },
    spec: { containers: [], nodeName: 'n' },
    status: { phase: 'Running' },
  };
  const stored: VirtualMachineInstance = {
    ...vmi,
    metadata: { ...vmi.metadata, uid: 'uid' },
    spec: { ...vmi.spec, evictionStrategy: 'External' },
    status: { nodeName: 'n', phase: 'Running' },
  };
  const marked: string[] = [];
  const evict = (uid: string, by?: string) =>
    validateEviction(
      {
        uid: 'u',
        resource: { group: '', version: 'v1', resource: 'pods' },
        operation: 'CREATE',
        namespace: 'default',
        name: 'pod',
        user: 'ann',
        userGroups: [],
        userExtra: {},
        object: { metadata: { annotations: by === undefined ? {} : { 'requested-by': by } } },
        oldObject: undefined,
        dryRun: false,
      },
      {
        ...context,
        findPod: async () => pod,
        findVmi: async () => ({ ...stored, metadata: { ...stored.metadata, uid } }),
        markForEvacuation: async (_vmi, { nodeName, source }) => void marked.push(`${nodeName} ${source}`),
      },
    );
  const refused = await evict('uid');
  assert.ok(refused.kind === 'validated' && !refused.allowed);
  assert.equal(refused.code, 429);
  assert.deepEqual(refused.warnings, []);
  await evict('uid', 'sigs.k8s.io/descheduler');
  assert.deepEqual(marked, ['n undefined', 'n descheduler']);
  const stranger = await evict('another');
  assert.ok(stranger.kind === 'validated' && stranger.allowed);
});

test('a webhook answers for its own kinds only', async () => {
  const resource = { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachines' };
  const answer = await ask('/virtualmachinebackups-validate', { resource, object: {} });
  assert.equal(answer.allowed, false);
  assert.equal(answer.status?.code, 400);
  assert.match(answer.status?.message ?? '', /^unexpected resource \{Group:kubevirt\.io/);
});

test('an edit of the KubeVirt object that cannot work is refused', async () => {
  const kubevirt = (configuration: object) => ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { configuration },
  });
  const edit = (configuration: object) =>
    ask('/kubevirt-validate-update', {
      operation: 'UPDATE',
      oldObject: kubevirt({}),
      object: kubevirt(configuration),
    });
  assert.equal((await edit({ evictionStrategy: 'LiveMigrate' })).allowed, true);
  assert.equal((await edit({ cpuRequest: 'many' })).allowed, false);
  const gates = { featureGates: ['HostDisk'], disabledFeatureGates: ['HostDisk'] };
  const refused = await edit({ developerConfiguration: gates });
  assert.deepEqual(
    refused.status?.details?.causes.map(({ field }) => field),
    ['spec.configuration.developerConfiguration.featureGates'],
  );
});

test('a preference whose requirements are not met refuses the VM', async () => {
  const vm = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'v', namespace: 'default' },
    spec: {
      runStrategy: 'Halted',
      preference: { name: 'big' },
      template: { spec: { ...vmi.spec, architecture: 'amd64' } },
    },
  };
  const preference = { requirements: { memory: { guest: '8Gi' } } };
  const picky = new Webhooks(webhookTable, () => ({
    ...context,
    findExpansion: async () => ({ preference }),
  }));
  const request = {
    uid: 'u',
    operation: 'CREATE',
    resource: registeredResource('/virtualmachines-validate'),
    namespace: 'default',
    object: vm,
  };
  const answer = await picky.answer('/virtualmachines-validate', async () => ({
    kind: 'AdmissionReview',
    request,
  }));
  const { response } = answer as { response: WebhookResponse };
  assert.equal(response.allowed, false);
  assert.match(
    response.status?.message ?? '',
    /^failure checking preference requirements: insufficient Memory/,
  );
  assert.equal(response.status?.details?.causes[0]?.field, 'spec.template.spec.domain.memory');
});

test('a status that a tenant creates a VMI with is dropped, one of virt-controller is kept', async () => {
  const forged = { virtualMachineRevisionName: 'r', activePods: { x: 'node-1' } };
  const statusFor = async (username: string): Promise<Record<string, unknown>> => {
    const { patch } = await ask('/virtualmachineinstances-mutate', {
      namespace: 'default',
      userInfo: { username },
      object: { ...vmi, status: forged },
    });
    const operations = JSON.parse(Buffer.from(patch ?? '', 'base64').toString()) as {
      readonly op: string;
      readonly path: string;
    }[];
    const removed = operations.filter(({ op }) => op === 'remove').map(({ path }) => path);
    return Object.fromEntries(removed.map((path) => [path, true]));
  };
  const all = { '/status/virtualMachineRevisionName': true, '/status/activePods': true };
  assert.deepEqual(await statusFor('alice'), all);
  assert.deepEqual(await statusFor('system:serviceaccount:other:kubevirt-controller'), all);
  assert.deepEqual(await statusFor('system:serviceaccount:kubevirt:kubevirt-handler'), all);
  assert.deepEqual(await statusFor('system:serviceaccount:kubevirt:kubevirt-controller'), {});
});

test('a VM may be made before its instancetype; what is there already holds', async () => {
  const instancetype = { cpu: { guest: 3 }, memory: { guest: '1Gi' } };
  const preference = { cpu: { preferredCPUTopology: 'spread' as const } };
  const admit = async (known: { instancetype: boolean; preference: boolean }) => {
    const findExpansion: typeof context.findExpansion = async (vm) => {
      if (vm.spec.instancetype && !known.instancetype) throw new ExpansionError('instancetype', 'not found');
      if (vm.spec.preference && !known.preference) throw new ExpansionError('preference', 'not found');
      return {
        ...(vm.spec.instancetype && { instancetype }),
        ...(vm.spec.preference && { preference }),
      };
    };
    const webhooksWith = new Webhooks(webhookTable, () => ({ ...context, findExpansion }));
    const path = '/virtualmachines-validate';
    const object = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name: 'v', namespace: 'default' },
      spec: {
        runStrategy: 'Halted',
        instancetype: { name: 'i' },
        preference: { name: 'p' },
        template: { spec: { domain: { devices: {} } } },
      },
    };
    const request = { uid: 'u', operation: 'CREATE', resource: registeredResource(path), object };
    const answer = await webhooksWith.answer(path, async () => ({ kind: 'AdmissionReview', request }));
    return (answer as { response: WebhookResponse }).response;
  };
  assert.ok((await admit({ instancetype: false, preference: false })).allowed);
  assert.ok((await admit({ instancetype: false, preference: true })).allowed);
  assert.ok((await admit({ instancetype: true, preference: false })).allowed);
  const odd = await admit({ instancetype: true, preference: true });
  assert.equal(odd.status?.details?.causes[0]?.field, 'instancetype.spec.cpu.guest');
});

test('a value that Kubernetes does not know is refused before anything is filled in, and no field is blamed', async () => {
  const spec = { ...vmi.spec, dnsPolicy: 'bogus' };
  const ofVmi = await ask('/virtualmachineinstances-mutate', { object: { ...vmi, spec } });
  assert.deepEqual([ofVmi.allowed, ofVmi.status?.code], [false, 422]);
  assert.match(ofVmi.status?.message ?? '', /^spec\.dnsPolicy in body should be one of/);
  assert.deepEqual(ofVmi.status?.details?.causes ?? [], []);
  const vm = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: vmi.metadata };
  const object = { ...vm, spec: { runStrategy: 'Halted', template: { spec } } };
  const ofVm = await ask('/virtualmachines-mutate', { object });
  assert.match(ofVm.status?.message ?? '', /^spec\.template\.spec\.dnsPolicy in body/);
});

test('an object that cannot be completed and does not fit its schema is refused for the schema', async () => {
  const network = { permitBridgeInterfaceOnPodNetwork: false };
  const config = clusterConfig({ spec: { configuration: { network } } });
  const strict = new Webhooks(webhookTable, () => ({ ...context, config }));
  const path = '/virtualmachineinstances-mutate';
  const messageOf = async (spec: object): Promise<string | undefined> => {
    const request = { uid: 'u', operation: 'CREATE', resource: registeredResource(path) };
    const review = { kind: 'AdmissionReview', request: { ...request, object: { ...vmi, spec } } };
    const answer = (await strict.answer(path, async () => review)) as { response: WebhookResponse };
    return answer.response.status?.message;
  };
  assert.match((await messageOf(vmi.spec)) ?? '', /bridge interface is not enabled/i);
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } };
  assert.match((await messageOf({ ...vmi.spec, affinity })) ?? '', /nodeSelectorTerms/);
});

test('a value that Kubernetes does not know is refused in templates of replica sets as well', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { ...vmi.spec, dnsPolicy: 'Bogus' } };
  const { status } = await ask('/virtualmachinereplicaset-validate', {
    object: {
      kind: 'VirtualMachineInstanceReplicaSet',
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    },
  });
  assert.equal(status?.code, 422);
  assert.match(
    status?.message ?? '',
    /^spec\.template\.spec\.dnsPolicy in body should be one of \[ClusterFirst /,
  );
  assert.equal(status?.details, undefined);
});

test('what does not fit the schema of a preset is refused in its words', async () => {
  const { status } = await ask('/vmipreset-validate', {
    object: { kind: 'VirtualMachineInstancePreset', spec: { extremely: 'unknown' } },
  });
  assert.equal(
    status?.message,
    'spec.extremely in body is a forbidden property, spec.selector in body is required',
  );
});

test('the spec of a VMI is changed by the components that work on it, not by virt-operator', async () => {
  const cpu = { sockets: 1 };
  const spec = { ...vmi.spec, domain: { ...vmi.spec.domain, cpu } };
  const changed = { ...spec, domain: { ...spec.domain, cpu: { sockets: 2 } } };
  const isAllowed = async (account: string): Promise<boolean> => {
    const { allowed } = await ask('/virtualmachineinstances-validate-update', {
      operation: 'UPDATE',
      userInfo: { username: `system:serviceaccount:${context.namespace}:${account}` },
      object: { ...vmi, spec: changed },
      oldObject: { ...vmi, spec },
    });
    return allowed;
  };
  assert.deepEqual(
    await Promise.all(['kubevirt-apiserver', 'kubevirt-controller', 'kubevirt-operator'].map(isAllowed)),
    [true, true, false],
  );
});
