import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crds } from '@podvisor/api';
import { customized } from './customize.ts';
import type { Manifest } from './manifest.ts';
import { nameOf } from './ownership.ts';
import type { PodComponents } from './settings.ts';
import { installStrategy } from './strategy.ts';

const pods: PodComponents = {
  kind: 'pods',
  registry: 'registry.example/podvisor',
  tag: 'v1',
  pullPolicy: 'IfNotPresent',
  pullSecrets: [{ name: 'pull' }],
  replicas: 2,
  infraPlacement: { nodeSelector: { role: 'infra' } },
  workloadPlacement: { tolerations: [{ key: 'vms', operator: 'Exists' }] },
  webPage: false,
  userNamespaces: false,
  flags: { api: { v: '3' }, handler: { quiet: '' } },
};
const onCluster = (components: Partial<PodComponents> = {}): Manifest[] =>
  installStrategy({
    namespace: 'vms',
    caBundle: 'CA',
    components: { ...pods, ...components },
    dataVolumes: 'filled',
  });
const atHome = installStrategy({
  namespace: 'vms',
  caBundle: 'CA',
  components: { kind: 'processes', virtApiPort: 6444 },
  dataVolumes: 'filled',
});
const find = (objects: readonly Manifest[], name: string): Record<string, never> =>
  JSON.parse(JSON.stringify(objects.find((object) => nameOf(object) === name)));

test('both homes have the same list, but for what makes components run', () => {
  const [cluster, home] = [onCluster().map(nameOf), atHome.map(nameOf)];
  assert.deepEqual(
    cluster.filter((name) => !home.includes(name)),
    [
      'PodDisruptionBudget vms/virt-api-pdb',
      'PodDisruptionBudget vms/virt-controller-pdb',
      'Deployment vms/virt-api',
      'Deployment vms/virt-controller',
      'DaemonSet vms/virt-handler',
      'Deployment vms/virt-data-volumes',
    ],
  );
  // On a cluster the definition of KubeVirt comes with virt-operator.
  assert.deepEqual(
    home.filter((name) => !cluster.includes(name)),
    ['CustomResourceDefinition kubevirts.kubevirt.io'],
  );
});

/** DataVolumes, DataSources, StorageProfiles, CDIConfigs. */
const DATA_VOLUME_KINDS = 4;

test('without DataVolumes of ours nothing of CDI is touched', () => {
  const { components } = { components: pods };
  const without = installStrategy({ namespace: 'vms', caBundle: 'CA', components, dataVolumes: 'absent' });
  const more = onCluster().map(nameOf);
  const left = without.map(nameOf);
  assert.ok(left.every((name) => more.includes(name)));
  const text = JSON.stringify(without.filter(({ kind }) => kind !== 'ClusterRole'));
  assert.doesNotMatch(text, /cdi\.kubevirt\.io"/);
  assert.doesNotMatch(text, /data-?volumes/);
});

test('the list, kind by kind', () => {
  const counts = Map.groupBy(onCluster(), ({ kind }) => kind);
  assert.deepEqual(
    [...counts].map(([kind, objects]) => `${objects.length} ${kind}`),
    [
      `${crds.length - 1 + DATA_VOLUME_KINDS} CustomResourceDefinition`,
      '4 ValidatingAdmissionPolicy',
      '4 ValidatingAdmissionPolicyBinding',
      '4 ServiceAccount',
      '10 ClusterRole',
      '6 ClusterRoleBinding',
      '5 Role',
      '5 RoleBinding',
      '1 PriorityClass',
      '1 Service',
      '2 APIService',
      '1 MutatingWebhookConfiguration',
      '1 ValidatingWebhookConfiguration',
      '2 PodDisruptionBudget',
      '3 Deployment',
      '1 DaemonSet',
    ],
  );
});

test('nothing is named twice, and everything namespaced says where', () => {
  const names = onCluster().map(nameOf);
  assert.equal(new Set(names).size, names.length);
});

test('settings reach the Pods', () => {
  const objects = onCluster();
  const api = find(objects, 'Deployment vms/virt-api')['spec'] as never as {
    replicas: number;
    template: { spec: Record<string, unknown> & { containers: { image: string; args: string[] }[] } };
  };
  assert.equal(api.replicas, 2);
  assert.deepEqual(api.template.spec['imagePullSecrets'], [{ name: 'pull' }]);
  assert.deepEqual(api.template.spec['nodeSelector'], { 'kubernetes.io/os': 'linux', role: 'infra' });
  const [container] = api.template.spec.containers;
  assert.equal(container?.image, 'registry.example/podvisor/virt-api:v1');
  assert.ok(container?.args.includes('--v=3'));
  const handler = JSON.stringify(find(objects, 'DaemonSet vms/virt-handler'));
  assert.ok(handler.includes('"--quiet"') && handler.includes('"key":"vms"'));
  // Its files are for launchers of all categories.
  assert.match(
    handler,
    /"securityContext":\{"privileged":true,"runAsUser":0,"seLinuxOptions":\{"level":"s0"\}\}/,
  );
  // What QEMU can is asked in the image that has it, before virt-handler starts.
  assert.match(handler, /"initContainers":\[\{"name":"ask-node","image":"[^"]*virt-launcher:/);
  const controller = JSON.stringify(find(objects, 'Deployment vms/virt-controller'));
  assert.ok(controller.includes('--launcher-image=registry.example/podvisor/virt-launcher:v1'));
});

test('a kubelet with another directory is told by the patch of docs/cluster-install.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/cluster-install.md'), 'utf8');
  const patch = /^ +patch: '(.*k0s.*)'$/m.exec(page)?.[1] ?? '';
  const type = { resourceType: 'DaemonSet', resourceName: 'virt-handler', type: 'strategic', patch };
  const handler = find(customized(onCluster(), [type]), 'DaemonSet vms/virt-handler');
  const { volumes, containers } = (
    handler['spec'] as never as {
      template: {
        spec: {
          volumes: { name: string; hostPath?: { path: string } }[];
          containers: { args: string[]; volumeMounts: { name: string; mountPath: string }[] }[];
        };
      };
    }
  ).template.spec;
  assert.equal(volumes.length, 6);
  const pathOf = (name: string): string | undefined =>
    volumes.find((volume) => volume.name === name)?.hostPath?.path;
  assert.equal(pathOf('kubelet'), '/var/lib/k0s/kubelet');
  assert.equal(pathOf('cgroups'), '/sys/fs/cgroup');
  // virt-handler has it where it always is.
  const mount = containers[0]?.volumeMounts.find(({ name }) => name === 'kubelet');
  assert.ok(containers[0]?.args.includes(`--kubelet-dir=${mount?.mountPath}`));
});

test('Pods of the control plane have no privilege', () => {
  for (const name of ['virt-api', 'virt-controller']) {
    const text = JSON.stringify(find(onCluster(), `Deployment vms/${name}`));
    for (const right of ['"runAsNonRoot":true', '"drop":["ALL"]', '"readOnlyRootFilesystem":true'])
      assert.ok(text.includes(right), `${name} ${right}`);
    assert.ok(!text.includes('hostPath'), name);
  }
});

test('the page comes with the gate, and its Pod can prove nothing about itself', () => {
  const names = onCluster().map(nameOf);
  const withPage = onCluster({ webPage: true });
  assert.deepEqual(
    withPage.map(nameOf).filter((name) => !names.includes(name)),
    ['ServiceAccount vms/kubevirt-ui', 'Service vms/virt-ui', 'Deployment vms/virt-ui'],
  );
  const text = JSON.stringify(find(withPage, 'Deployment vms/virt-ui'));
  for (const part of ['"automountServiceAccountToken":false', '"runAsNonRoot":true', '"drop":["ALL"]'])
    assert.ok(text.includes(part), part);
  for (const part of ['serviceAccountToken"', 'hostPath', '"tls.key","path":"client.key"'])
    assert.ok(!text.includes(part), part);
  const roles = JSON.stringify(withPage.filter(({ kind = '' }) => /Role/.test(kind)));
  assert.ok(!roles.includes('kubevirt-ui'), 'no role, and no binding');
});

test('one replica has no budget that would hold up a drain; monitoring comes where its kinds are', () => {
  const names = onCluster({
    replicas: 1,
    monitoring: {
      namespace: 'monitoring',
      account: { name: 'prometheus', namespace: 'monitoring' },
      kinds: ['ServiceMonitor'],
    },
  }).map(nameOf);
  assert.ok(!names.some((name) => name.startsWith('PodDisruptionBudget')));
  assert.ok(names.includes('ServiceMonitor monitoring/kubevirt-prometheus-metrics'));
  assert.ok(!names.some((name) => name.startsWith('PrometheusRule')));
});

test('runbooks are where the operator is told that they are', () => {
  const monitoring = {
    namespace: 'monitoring',
    account: { name: 'prometheus', namespace: 'monitoring' },
    kinds: ['PrometheusRule'] as const,
  };
  const text = (runbooks: object): string =>
    JSON.stringify(onCluster({ monitoring: { ...monitoring, ...runbooks } }));
  assert.match(text({}), /"runbook_url":"docs\/runbooks\/VirtAPIDown\.md"/);
  const template = 'https://wiki.example/%s';
  assert.match(text({ runbooks: template }), /"runbook_url":"https:\/\/wiki\.example\/VirtAPIDown"/);
});
