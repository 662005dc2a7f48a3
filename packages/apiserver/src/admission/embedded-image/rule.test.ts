import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMBEDDED_LAUNCHER_IMAGE as IMAGE } from '@podvisor/sys';
import type { JsonObject } from '../../wire/json.ts';
import { embeddedImageProblem, type Standing, standingOf } from './rule.ts';

const users = {
  virtController: 'virt-controller',
  dataVolumes: 'data-volumes',
  controllers: ['controllers'],
};
const pod = (name: string, image: string, more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name, image }], ...more },
});

test('who asks is known by name', () => {
  const of = (username: string, groups: readonly string[]): Standing =>
    standingOf({ username, groups }, users);
  assert.equal(of('virt-controller', []), 'builder');
  assert.equal(of('data-volumes', []), 'builder');
  assert.equal(of('controllers', ['system:masters']), 'copier');
  assert.equal(of('admin', ['system:masters']), 'administrator');
  assert.equal(of('eve', ['system:authenticated']), 'tenant');
});

const volume = { volumes: [{ name: 'v', image: { reference: IMAGE } }] };
const cases: readonly (readonly [string, Standing, JsonObject, boolean, boolean])[] = [
  ['a tenant', 'tenant', pod('main', IMAGE), false, false],
  ['a tenant who wrote the note', 'tenant', pod('main', IMAGE), true, false],
  [
    'a tenant in a further container',
    'tenant',
    pod('a', 'x', { ephemeralContainers: [{ name: 'e', image: IMAGE }] }),
    false,
    false,
  ],
  [
    'a tenant in an init container',
    'tenant',
    pod('a', 'x', { initContainers: [{ name: 'i', image: IMAGE }] }),
    false,
    false,
  ],
  ['a tenant with another image', 'tenant', pod('main', 'docker.io/library/x'), false, true],
  ['a controller from a template of a tenant', 'copier', pod('main', IMAGE), false, false],
  ['a controller from a template that was granted', 'copier', pod('main', IMAGE), true, true],
  ['virt-controller for a VM', 'builder', pod('compute', IMAGE), false, true],
  ["virt-controller for a VM's hook", 'builder', pod('hook-sidecar-0', IMAGE), false, false],
  ["virt-controller for a VM's disk", 'builder', pod('compute', IMAGE, volume), false, false],
  ["virt-controller for a VM's disk in a container", 'builder', pod('volumeroot', IMAGE), false, false],
  [
    "virt-controller for another version of it in a VM's disk",
    'builder',
    pod('compute', IMAGE, { initContainers: [{ name: 'volumeroot-init', image: `${IMAGE}-2` }] }),
    false,
    false,
  ],
  ['an administrator', 'administrator', pod('main', IMAGE), false, true],
  ['an administrator for its files', 'administrator', pod('main', 'x', volume), false, false],
];
for (const [name, standing, object, isGranted, allowed] of cases)
  test(`the embedded image: ${name} ${allowed ? 'may' : 'may not'}`, () => {
    assert.equal(embeddedImageProblem(standing, object, undefined, isGranted) === undefined, allowed);
  });

test('a tenant may change what is beside it, and not what runs in it', () => {
  const had = pod('main', IMAGE);
  assert.equal(embeddedImageProblem('tenant', pod('main', IMAGE), had, true), undefined);
  const other: JsonObject = {
    spec: { containers: [{ name: 'main', image: IMAGE, command: ['cat', '/etc/shadow'] }] },
  };
  assert.match(embeddedImageProblem('tenant', other, had, true) ?? '', /is for the Pods of VMs/);
  assert.match(embeddedImageProblem('tenant', had, pod('main', 'x'), true) ?? '', /is for the Pods of VMs/);
});
