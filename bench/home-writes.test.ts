import assert from 'node:assert/strict';
import { test } from 'node:test';
import { componentWrites } from './home-writes.ts';

const line = (who: string, verb: string, resource: string, code = 200, subresource?: string): string =>
  JSON.stringify({
    verb,
    user: { username: who },
    objectRef: { resource, ...(subresource === undefined ? {} : { subresource }) },
    responseStatus: { code },
  });

test('writes of our components are counted, by what was written; nobody else’s, no reads, no signs of life, no refusals', () => {
  const controller = 'system:serviceaccount:kubevirt:kubevirt-controller';
  const log = [
    line(controller, 'create', 'pods', 201),
    line(controller, 'patch', 'pods', 200, 'status'),
    line('system:serviceaccount:kubevirt:kubevirt-handler', 'update', 'virtualmachineinstances'),
    line(controller, 'update', 'virtualmachineinstances'),
    line(controller, 'update', 'virtualmachineinstances', 409),
    line(controller, 'update', 'leases'),
    line(controller, 'get', 'pods'),
    line('system:node:node-1', 'patch', 'pods', 200, 'status'),
    line('kubernetes-admin', 'create', 'virtualmachineinstances', 201),
    '',
  ];
  assert.deepEqual(
    [...componentWrites(log.join('\n'))],
    [
      ['create pods', 1],
      ['patch pods/status', 1],
      ['update virtualmachineinstances', 2],
    ],
  );
});
