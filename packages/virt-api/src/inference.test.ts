import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstancetypeMatcher, KubernetesObject, VirtualMachine } from '@podvisor/api';
import { dataSourceArchitecture, InferenceError, inferMatchers } from './inference.ts';

const labels = {
  'instancetype.kubevirt.io/default-instancetype': 'u1.small',
  'instancetype.kubevirt.io/default-preference': 'fedora',
  'instancetype.kubevirt.io/default-preference-kind': 'VirtualMachinePreference',
};

/** A reader over objects by `plural/namespace/name`. */
function reader(objects: Readonly<Record<string, KubernetesObject & { readonly spec?: unknown }>>) {
  return {
    find: async (resource: { plural: string }, key: { namespace?: string; name: string }) =>
      objects[`${resource.plural}/${key.namespace}/${key.name}`],
  } as never;
}

function vm(
  volume: object,
  matcher: InstancetypeMatcher,
  more: Partial<VirtualMachine['spec']> = {},
): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'vm' },
    spec: {
      runStrategy: 'Halted',
      instancetype: matcher,
      template: {
        spec: { domain: { devices: {}, memory: { guest: '512Mi' } }, volumes: [{ name: 'boot', ...volume }] },
      },
      ...more,
    },
  };
}

const fromBoot = { inferFromVolume: 'boot' };
const onDataVolume = { dataVolume: { name: 'dv' } };
const claim = { metadata: { labels } };
const template = (spec: object, own: Record<string, string> = {}) => ({
  dataVolumeTemplates: [{ metadata: { name: 'dv', labels: own }, spec }],
});
const sourceRef = { sourceRef: { kind: 'DataSource', name: 'ds', namespace: 'images' } };

const found: readonly [string, VirtualMachine, Parameters<typeof reader>[0]][] = [
  [
    'a claim',
    vm({ persistentVolumeClaim: { claimName: 'c' } }, fromBoot),
    { 'persistentvolumeclaims/ns/c': claim },
  ],
  ['a stored DataVolume', vm(onDataVolume, fromBoot), { 'datavolumes/ns/dv': claim }],
  [
    'the claim of a DataVolume that is gone',
    vm(onDataVolume, fromBoot),
    { 'persistentvolumeclaims/ns/dv': claim },
  ],
  [
    'the claim that a template clones',
    vm(onDataVolume, fromBoot, template({ source: { pvc: { name: 'golden', namespace: 'images' } } })),
    { 'persistentvolumeclaims/images/golden': claim },
  ],
  [
    'the snapshot that a template is filled from',
    vm(onDataVolume, fromBoot, template({ source: { snapshot: { name: 'golden', namespace: 'images' } } })),
    { 'volumesnapshots/images/golden': claim },
  ],
  ['a DataSource', vm(onDataVolume, fromBoot, template(sourceRef)), { 'datasources/images/ds': claim }],
  [
    'the claim behind a DataSource',
    vm(onDataVolume, fromBoot, template(sourceRef)),
    {
      'datasources/images/ds': {
        metadata: { namespace: 'images' },
        spec: { source: { pvc: { name: 'golden', namespace: 'images' } } },
      },
      'persistentvolumeclaims/images/golden': claim,
    },
  ],
];

for (const [name, object, objects] of found) {
  test(`inferred from ${name}`, async () => {
    const both = { ...object, spec: { ...object.spec, preference: fromBoot } };
    const { spec } = await inferMatchers(both, 'ns', reader(objects));
    assert.deepEqual(spec.instancetype, { name: 'u1.small' });
    assert.deepEqual(spec.preference, { name: 'fedora', kind: 'VirtualMachinePreference' });
  });
}

test('the labels of a DataVolume template say nothing about what it is filled with', async () => {
  const object = vm(onDataVolume, fromBoot, template({ source: { blank: {} } }, labels));
  await assert.rejects(inferMatchers(object, 'ns', reader({})), /DataVolumeSource is not supported/);
});

test('nothing found is refused, or ignored when the policy says so', async () => {
  const plain = vm({ containerDisk: { image: 'x' } }, fromBoot);
  await assert.rejects(inferMatchers(plain, 'ns', reader({})), InferenceError);
  const ignoring = vm(
    { containerDisk: { image: 'x' } },
    { ...fromBoot, inferFromVolumeFailurePolicy: 'Ignore' },
  );
  const { spec } = await inferMatchers(ignoring, 'ns', reader({}));
  assert.equal(spec.instancetype, undefined);
  assert.equal(spec.template.spec?.domain.memory?.guest, '512Mi');
});

test('a volume that does not exist is never ignored', async () => {
  const object = vm({}, { inferFromVolume: 'other', inferFromVolumeFailurePolicy: 'Ignore' });
  await assert.rejects(inferMatchers(object, 'ns', reader({})), /unable to find volume other/);
});

test('an instancetype that may be ignored takes the place of the stopgap memory', async () => {
  const object = vm(
    { persistentVolumeClaim: { claimName: 'c' } },
    { ...fromBoot, inferFromVolumeFailurePolicy: 'Ignore' },
  );
  const { spec } = await inferMatchers(object, 'ns', reader({ 'persistentvolumeclaims/ns/c': claim }));
  assert.equal(spec.template.spec?.domain.memory, undefined);
});

test('the architecture comes from the DataSource', async () => {
  const object = vm(onDataVolume, { name: 'x' }, template(sourceRef));
  const source = { metadata: { labels: { 'template.kubevirt.io/architecture': 'arm64' } } };
  assert.equal(
    await dataSourceArchitecture(object, 'ns', reader({ 'datasources/images/ds': source })),
    'arm64',
  );
});
