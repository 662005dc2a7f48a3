import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseApiPath } from './paths.ts';
import { matchSubresource, subresourceRoutes } from './subresources/routes.ts';

const root = '/apis/subresources.kubevirt.io/v1/namespaces/ns';

test('paths are taken whole or not at all', () => {
  assert.deepEqual(parseApiPath(`${root}/virtualmachineinstances/a/console`), {
    kind: 'object',
    version: 'v1',
    namespace: 'ns',
    resource: 'virtualmachineinstances',
    name: 'a',
    rest: ['console'],
  });
  assert.deepEqual(parseApiPath(`${root}/expand-vm-spec`), {
    kind: 'namespace',
    version: 'v1',
    namespace: 'ns',
    resource: 'expand-vm-spec',
  });
  const nowhere = parseApiPath('/apis/subresources.kubevirt.io/v1/namespaces//expand-vm-spec');
  assert.equal(nowhere?.namespace, '');
  for (const path of [
    `${root}/virtualmachineinstances/a`,
    `${root}/virtualmachineinstances/a/`,
    `${root}/virtualmachineinstances//console`,
    `${root}/virtualmachineinstances/a%2Fb/console`,
    `${root}/virtualmachineinstances/%/console`,
    '/apis/subresources.kubevirt.io/v2/namespaces/ns/virtualmachines/a/start',
    '/apis/subresources.kubevirt.io/v1/namespaces//virtualmachines/a/start',
    '/apis/kubevirt.io/v1/namespaces/ns/virtualmachines/a/start',
    '/v1/namespaces/ns/virtualmachines/a/start',
  ]) {
    assert.equal(parseApiPath(path), undefined, path);
  }
});

test('no prefix, suffix or longer path of a subresource matches', () => {
  for (const { resource, subresource, parameters = [] } of subresourceRoutes) {
    const segments = subresource.split('/');
    for (const wrong of [
      [...segments.slice(0, -1), `${segments.at(-1)}x`],
      [...segments.slice(0, -1), segments.at(-1)?.slice(0, -1) ?? ''],
      [...segments, ...parameters.map(() => '1'), 'more'],
    ]) {
      const matched = matchSubresource(resource, wrong).map(({ route }) => route.subresource);
      assert.ok(!matched.includes(subresource), `${resource}/${wrong.join('/')} matched ${subresource}`);
    }
  }
});

test('ports and protocols are parameters, not part of the permission', () => {
  const [tcp] = matchSubresource('virtualmachineinstances', ['portforward', '22']);
  assert.equal(tcp?.route.subresource, 'portforward');
  assert.deepEqual(tcp?.parameters, { port: '22' });
  const [udp] = matchSubresource('virtualmachines', ['portforward', '53', 'udp']);
  assert.deepEqual(udp?.parameters, { port: '53', protocol: 'udp' });
  assert.deepEqual(matchSubresource('virtualmachines', ['portforward']), []);
});
