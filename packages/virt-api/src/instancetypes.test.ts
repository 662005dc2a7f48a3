/** What a VM's matchers select, with and without a captured revision. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject, VirtualMachine } from '@podvisor/api';
import { ExpansionError, findExpansion } from './instancetypes.ts';

const spec = (guest: number): object => ({ cpu: { guest } });
const captured = (name: string, guest: number): KubernetesObject => ({
  metadata: { labels: { 'instancetype.kubevirt.io/object-name': name } },
  ...{ data: { spec: spec(guest) } },
});

const objects: Readonly<Record<string, KubernetesObject & { readonly spec?: object }>> = {
  'VirtualMachineInstancetype default/small': { spec: spec(1) },
  'VirtualMachineClusterInstancetype /small': { spec: spec(2) },
  'VirtualMachineClusterInstancetype /large': { spec: spec(3) },
  'ControllerRevision default/of-small': captured('small', 10),
  'ControllerRevision default/of-nobody': { ...captured('', 11), metadata: {} },
};

async function cpusOf(
  matcher: VirtualMachine['spec']['instancetype'],
  revision?: string,
): Promise<number | undefined> {
  const vm: VirtualMachine = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    spec: { instancetype: matcher, template: {} },
    ...(revision && {
      status: {
        instancetypeRef: {
          name: 'small',
          kind: 'virtualmachineclusterinstancetype',
          controllerRevisionRef: { name: revision },
        },
      },
    }),
  };
  const client = {
    find: async (
      resource: { kind: string },
      { namespace = '', name }: { namespace?: string; name: string },
    ) => objects[`${resource.kind} ${namespace}/${name}`],
  };
  const { instancetype } = await findExpansion(vm, 'default', client as never);
  return instancetype?.cpu?.guest;
}

test('what is captured counts while the VM names the same object, of whichever kind', async () => {
  assert.equal(await cpusOf({ name: 'small' }), 2);
  assert.equal(await cpusOf({ name: 'small' }, 'of-small'), 10);
  // virt-controller captures the other kind when it sees the VM; whoever asks before is told of what it runs with.
  assert.equal(await cpusOf({ name: 'small', kind: 'VirtualMachineInstancetype' }, 'of-small'), 10);
});

test('a revision of another object is not what the VM names', async () => {
  assert.equal(await cpusOf({ name: 'large' }, 'of-small'), 3);
});

test('a revision that does not say of what it is, is of what the status says', async () => {
  assert.equal(await cpusOf({ name: 'small' }, 'of-nobody'), 11);
  assert.equal(await cpusOf({ name: 'large' }, 'of-nobody'), 3);
});

test('a revision that the VM names itself counts whatever it is of', async () => {
  assert.equal(await cpusOf({ name: 'large', revisionName: 'of-small' }), 10);
  assert.equal(await cpusOf({ name: 'large', revisionName: 'of-nobody' }, 'of-small'), 11);
});

test('a revision that is gone is an error, not the object as it is now', async () => {
  await assert.rejects(
    cpusOf({ name: 'small' }, 'gone'),
    (error) =>
      error instanceof ExpansionError && error.message === 'controllerrevisions.apps "gone" not found',
  );
});
