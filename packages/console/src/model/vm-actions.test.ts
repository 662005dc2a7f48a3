import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rightsOf } from './action.ts';
import { cloneVm, fixActions, vmActions } from './vm-actions.ts';
import type { VmRow } from './rows.ts';

const row = (status: string, isAlone = false): VmRow =>
  ({ namespace: 'shop', name: 'web', status, isAlone }) as unknown as VmRow;

test('only what makes sense is offered', () => {
  const offered = (of: VmRow): string[] => vmActions.filter(({ fits }) => fits(of)).map(({ id }) => id);
  assert.deepEqual(offered(row('Running')), ['stop', 'restart', 'pause', 'migrate', 'delete']);
  assert.deepEqual(offered(row('Stopped')), ['start', 'delete']);
  assert.deepEqual(offered(row('Paused')), ['stop', 'unpause', 'delete']);
  assert.deepEqual(offered(row('Running', true)), ['pause', 'delete']);
});

test('each says the command that does the same', () => {
  assert.deepEqual(
    vmActions.map(({ command }) => command(row('Running'))),
    [
      'virtctl start web -n shop',
      'virtctl stop web -n shop',
      'virtctl restart web -n shop',
      'virtctl pause vmi web -n shop',
      'virtctl unpause vmi web -n shop',
      'virtctl migrate web -n shop',
      'kubectl delete vm web -n shop',
    ],
  );
});

test('a clone is another VM with a name of its own', () => {
  const { body = '' } = cloneVm.request(row('Stopped'));
  const { spec } = JSON.parse(body) as { spec: { target: { name: string } } };
  assert.equal(spec.target.name, 'web-clone');
  assert.match(cloneVm.command(row('Stopped')), /VirtualMachineClone/);
  assert.equal(cloneVm.fits(row('Running', true)), false);
});

test('a fix that is a command of ours for this VM has its button', () => {
  const offered = (fix: string, of: VmRow): string[] => fixActions(fix, of).map(({ id }) => id);
  const both = 'Look at `virtctl render vm/web --diff`; `virtctl restart web` makes it so.';
  assert.deepEqual(offered(both, row('Running')), ['restart']);
  assert.deepEqual(offered('At once with `virtctl unpause vmi web`.', row('Paused')), ['unpause']);
  assert.deepEqual(offered('At once with `virtctl unpause vmi web`.', row('Running')), [], 'it does not fit');
  assert.deepEqual(offered('`virtctl restart other`', row('Running')), [], 'of another VM');
  assert.deepEqual(offered('`kubectl delete pod web`', row('Running')), []);
});

test('deleting asks for the right that the request needs, once for many', () => {
  const remove = vmActions.find(({ id }) => id === 'delete');
  assert.ok(remove !== undefined);
  const alone: VmRow = { ...row('Running'), isAlone: true };
  const asked = rightsOf(remove, [row('Running'), alone, row('Stopped')]);
  assert.deepEqual(
    asked.map(({ resource }) => resource),
    ['virtualmachines', 'virtualmachineinstances'],
  );
  assert.match(remove.request(alone).path, /virtualmachineinstances/);
});
