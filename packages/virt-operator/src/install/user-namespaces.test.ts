import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeVirt, Node } from '@podvisor/api';
import { dataVolumesDeployment } from './data-volumes/deployment.ts';
import { podComponents } from './settings-of.ts';
import { installStrategy } from './strategy.ts';
import { wantsUserNamespaces } from './user-namespaces.ts';

const node = (kernelVersion: string, userNamespaces: boolean, handler = ''): Node => ({
  metadata: { name: 'n' },
  status: { nodeInfo: { kernelVersion }, runtimeHandlers: [{ name: handler, features: { userNamespaces } }] },
});
const able = node('6.12.3-amd64', true);
const named: Pick<KubeVirt, 'spec'> = {
  spec: { configuration: { developerConfiguration: { featureGates: ['UserNamespaces'] } } },
};

const cases: readonly [what: string, nodes: readonly Node[], wants: boolean][] = [
  ['all nodes can', [able, node('6.3.0', true)], true],
  ['a later major version', [node('7.0.1', true)], true],
  ['one has an older kernel', [able, node('6.1.0-30-amd64', true)], false],
  ['one has a runtime that cannot', [able, node('6.12.3', false)], false],
  ['only another handler can', [node('6.12.3', true, 'kata')], false],
  ['one says nothing', [able, { metadata: { name: 'n' } }], false],
  ['there are no nodes', [], false],
];

for (const [what, nodes, wants] of cases)
  test(`user namespaces of components: ${what}`, () => {
    assert.equal(wantsUserNamespaces(named, nodes), wants);
    assert.equal(wantsUserNamespaces({ spec: {} }, nodes), false);
  });

test('components without privileges and importers ask for one; virt-handler cannot have one', () => {
  const kubevirt = { metadata: { name: 'kubevirt', namespace: 'kubevirt' }, ...named } as KubeVirt;
  const facts = { nodes: [able], monitoringKinds: [] };
  const components = podComponents(kubevirt, { registry: 'r', tag: 't' }, facts);
  const hostUsers = new Map(
    installStrategy({ namespace: 'kubevirt', caBundle: '', components, dataVolumes: 'absent' }).flatMap(
      (object) => {
        const template = (object as { spec?: { template?: { spec: { hostUsers?: boolean } } } }).spec
          ?.template;
        return template === undefined ? [] : [[object.metadata?.name, template.spec.hostUsers]];
      },
    ),
  );
  assert.deepEqual(
    ['virt-api', 'virt-controller', 'virt-handler'].map((name) => hostUsers.get(name)),
    [false, false, undefined],
  );
  const asks = (object: unknown): boolean => JSON.stringify(object).includes('"--worker-user-namespace"');
  assert.equal(asks(dataVolumesDeployment('kubevirt', components)), true);
  assert.equal(asks(dataVolumesDeployment('kubevirt', { ...components, userNamespaces: false })), false);
});
