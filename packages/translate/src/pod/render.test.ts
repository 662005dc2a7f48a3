import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Container, clusterConfig, type DomainSpec, type Pod, type VMISpec } from '@podvisor/api';
import { vmiOf } from '../testing/vmi.ts';
import { LauncherPodError, type LauncherPodOptions } from './options.ts';
import { kubevirtOverhead, podvisorOverhead } from './overhead-tables.ts';
import { renderLauncherPod } from './render.ts';

const options: LauncherPodOptions = { launcherImage: 'launcher', config: clusterConfig() };

function podOf(
  domain: Partial<DomainSpec>,
  spec: Partial<VMISpec> = {},
  more: Partial<LauncherPodOptions> = {},
): Pod {
  return renderLauncherPod(vmiOf(domain, spec), { ...options, ...more });
}
function compute(pod: Pod): Container {
  const [container] = pod.spec.containers;
  assert.ok(container);
  return container;
}

test('the launcher runs unprivileged, under an init, and has the grace period it needs', () => {
  const pod = podOf({}, { terminationGracePeriodSeconds: 10 });
  const { command = [], securityContext } = compute(pod);
  assert.deepEqual(command.slice(0, 4), ['/usr/bin/tini', '-s', '--', '/usr/lib/podvisor/virt-launcher']);
  assert.equal(command[command.indexOf('--grace-period-seconds') + 1], '25');
  assert.equal(pod.spec.terminationGracePeriodSeconds, 40);
  assert.deepEqual([securityContext?.runAsUser, securityContext?.allowPrivilegeEscalation], [107, false]);
  assert.deepEqual(securityContext?.capabilities, { add: ['NET_BIND_SERVICE'], drop: ['ALL'] });
});

test('our table asks for less than KubeVirt, for the same guest', () => {
  const memory = (overheadTable: LauncherPodOptions['overheadTable']): unknown =>
    compute(podOf({ memory: { guest: '1Gi' } }, {}, { overheadTable })).resources?.requests?.memory;
  assert.equal(memory(kubevirtOverhead), '1312Mi');
  assert.equal(memory(podvisorOverhead), '1137Mi');
});

test('a claim that does not exist is an error that can be waited out', () => {
  const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }];
  assert.throws(
    () => podOf({}, { volumes }),
    (error) => error instanceof LauncherPodError && error.kind === 'missing-claim',
  );
  const pod = podOf({}, { volumes }, { claims: { c: { block: true } } });
  assert.deepEqual(compute(pod).volumeDevices, [{ name: 'd', devicePath: '/dev/d' }]);
});

test('a migration target runs the image of its source', () => {
  const pod = podOf(
    {},
    { volumes: [{ name: 'd', containerDisk: { image: 'img:latest' } }] },
    { migrationTarget: { migrationUid: 'm', migrationName: 'mig', imageIds: { d: 'img@sha256:1' } } },
  );
  assert.equal(pod.spec.volumes?.find(({ name }) => name === 'd')?.image?.reference, 'img@sha256:1');
  assert.equal(pod.metadata.labels?.['kubevirt.io/migrationJobUID'], 'm');
});

test('a quota on limits makes a limit', () => {
  const pod = podOf(
    { memory: { guest: '1Gi' } },
    {},
    { namespace: { cpuLimitsQuota: true, memoryLimitsQuota: true } },
  );
  const { limits, requests } = compute(pod).resources ?? {};
  assert.equal(limits?.cpu, '1');
  assert.deepEqual([requests?.memory, limits?.memory], ['1137Mi', '2274Mi']);
});

test('probes wait for the guest, and those inside it ask the agent', () => {
  const pod = podOf({}, { readinessProbe: { exec: { command: ['cat', '/x'] }, timeoutSeconds: 5 } });
  const probe = compute(pod).readinessProbe;
  assert.deepEqual([probe?.initialDelaySeconds, probe?.timeoutSeconds], [10, 6]);
  assert.deepEqual(probe?.exec?.command?.slice(-4), ['--command', 'cat', '--', '/x']);
});

test('every node selector term carries what the CPU model needs', () => {
  const term = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] };
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term, term] } },
  };
  const pod = podOf({}, { affinity });
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  assert.deepEqual(
    terms.map(({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key)),
    Array.from({ length: 2 }, () => ['zone', 'node-labeller.kubevirt.io/obsolete-host-model']),
  );
});

test('rendering changes nothing it is given', () => {
  const vmi = vmiOf({ resources: { requests: { memory: '1Gi' } } });
  const before = JSON.stringify(vmi);
  renderLauncherPod(vmi, options);
  assert.equal(JSON.stringify(vmi), before);
});
