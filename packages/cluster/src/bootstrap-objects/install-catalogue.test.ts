import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogueObjects } from '@podvisor/api';
import { FakeClock, StatusError } from '@podvisor/base';
import { catalogueChanges } from '@podvisor/virt-operator';
import { installCatalogue } from './install-catalogue.ts';

const type = (name: string, guest: number): Parameters<typeof catalogueChanges>[0][number] => ({
  apiVersion: 'instancetype.kubevirt.io/v1beta1',
  kind: 'VirtualMachineClusterInstancetype',
  metadata: { name },
  spec: { cpu: { guest }, memory: { guest: '1Gi' } },
});
const silent = (): void => undefined;
const names = (objects: readonly { readonly metadata?: { readonly name?: string } }[]): unknown[] =>
  objects.map(({ metadata }) => metadata?.name);

test('what is missing comes, what was changed comes back, what is a user’s own stays', () => {
  const wanted = [type('a', 1), type('b', 2), type('c', 3)];
  const changes = catalogueChanges(wanted, [type('b', 2), type('c', 9), type('mine', 1)], true);
  assert.deepEqual(names(changes.create), ['a']);
  assert.deepEqual(names(changes.patch), ['c']);
  assert.deepEqual(changes.remove, []);
});

test('a catalogue that is turned off goes, and only its own objects', () => {
  const changes = catalogueChanges([type('a', 1), type('b', 2)], [type('b', 2), type('mine', 1)], false);
  assert.deepEqual(changes, { create: [], patch: [], remove: ['b'] });
});

test('a webhook that does not answer yet holds nothing up, and is asked again', async () => {
  const clock = new FakeClock();
  const created: unknown[] = [];
  let isWebhookUp = false;
  const client: object = {
    find: async () => undefined,
    list: async () => ({ items: [] }),
    create: async (_resource: unknown, object: { readonly metadata: { readonly name: string } }) => {
      if (!isWebhookUp) throw new StatusError('InternalError', 'failed calling webhook');
      created.push(object.metadata.name);
    },
  };
  const install = {
    client: client as Parameters<typeof installCatalogue>[0]['client'],
    clock,
    log: { info: silent, warn: silent, error: silent },
  };
  await installCatalogue(install, new AbortController().signal);
  assert.equal(created.length, 0);
  isWebhookUp = true;
  clock.advance(1000);
  await new Promise(setImmediate);
  assert.equal(created.length, catalogueObjects().length);
});
