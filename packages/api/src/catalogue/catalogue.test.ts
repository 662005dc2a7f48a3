import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crdFor } from '../crds/crds.ts';
import { expandVmiSpec } from '../instancetype/apply.ts';
import { validateInstancetype } from '../rules/other/instancetype.ts';
import { validatePreference } from '../rules/other/preference.ts';
import { schemaProblems } from '../schema-problems.ts';
import { catalogueObjects } from './catalogue.ts';
import { catalogueInstancetypes } from './instancetypes.ts';
import { cataloguePreferences } from './preferences.ts';

const types = new Map(catalogueInstancetypes().map((type) => [type.metadata?.name ?? '', type.spec]));
const preferences = new Map(cataloguePreferences().map((one) => [one.metadata?.name ?? '', one.spec]));

/** The names of common-instancetypes, as of August 2026 (7c1e305): `-` is the name before the dot alone. */
const KNOWN_TYPES: Readonly<Record<string, string>> = {
  cx1: '2xlarge 2xlarge1gi 4xlarge 4xlarge1gi 8xlarge 8xlarge1gi large large1gi medium medium1gi xlarge xlarge1gi',
  d1: '2xlarge 2xmedium 4xlarge 8xlarge large medium micro nano small xlarge',
  m1: '2xlarge 2xlarge1gi 4xlarge 4xlarge1gi 8xlarge 8xlarge1gi large large1gi xlarge xlarge1gi',
  n1: '2xlarge 4xlarge 8xlarge large medium xlarge',
  o1: '2xlarge 4xlarge 8xlarge large medium micro nano small xlarge',
  rt1: '2xlarge 4xlarge 8xlarge large medium micro small xlarge',
  u1: '2xlarge 2xmedium 4xlarge 8xlarge large medium micro nano small xlarge',
};
const KNOWN_PREFERENCES: Readonly<Record<string, string>> = {
  alpine: '-',
  centos: 'stream10 stream10.desktop stream9 stream9.desktop stream9.dpdk',
  cirros: '-',
  debian: '-',
  fedora: '- arm64 s390x s390x.secex',
  legacy: '-',
  linux: '- efi virtiotransitional',
  opensuse: 'leap tumbleweed',
  oraclelinux: '-',
  rhel: '10 10.arm64 10.s390x 10.s390x.secex 7 7.desktop 8 8.desktop 8.dpdk 9 9.arm64 9.desktop 9.dpdk 9.realtime 9.s390x 9.s390x.secex',
  sles: '-',
  ubuntu: '-',
  windows:
    '10 10.virtio 11 11.virtio 2k12 2k12.virtio 2k16 2k16.virtio 2k19 2k19.virtio 2k22 2k22.virtio 2k25 2k25.virtio 2k3 2k8 2k8.virtio 7 7.virtio xp',
};

const namesIn = (table: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(table)
    .flatMap(([first, rest]) => rest.split(' ').map((one) => (one === '-' ? first : `${first}.${one}`)))
    .toSorted();

test('every name of common-instancetypes is there, and no other', () => {
  assert.deepEqual([...types.keys()].toSorted(), namesIn(KNOWN_TYPES));
  assert.deepEqual([...preferences.keys()].toSorted(), namesIn(KNOWN_PREFERENCES));
});

test('sizes are those of common-instancetypes', () => {
  const sizes: Readonly<Record<string, string>> = {
    'u1.nano': '1 512Mi',
    'u1.2xmedium': '2 4Gi',
    'u1.8xlarge': '32 128Gi',
    'o1.medium': '1 4Gi',
    'cx1.medium': '1 2Gi',
    'cx1.8xlarge1gi': '32 64Gi',
    'd1.2xmedium': '2 4Gi',
    'm1.large': '2 16Gi',
    'm1.8xlarge1gi': '32 256Gi',
    'n1.medium': '4 4Gi',
    'n1.8xlarge': '64 128Gi',
    'rt1.micro': '1 1Gi',
  };
  for (const [name, size] of Object.entries(sizes))
    assert.equal(`${types.get(name)?.cpu.guest} ${types.get(name)?.memory.guest}`, size, name);
});

for (const object of catalogueObjects())
  test(`${object.kind} ${object.metadata?.name} is one that the API server takes`, () => {
    const schema = crdFor(object.kind).spec.versions.find(({ name }) => name === 'v1beta1');
    assert.deepEqual(schemaProblems(object, schema?.schema.openAPIV3Schema ?? {}), []);
    const admission =
      object.kind === 'VirtualMachineClusterInstancetype'
        ? validateInstancetype(object.spec)
        : validatePreference(object.spec);
    assert.equal(admission.allowed, true, JSON.stringify(admission));
    for (const value of Object.values(object.metadata?.labels ?? {}))
      assert.match(value, /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/);
  });

const windows = (version: string, more: object = {}): object => ({
  hyperv: 12,
  smm: true,
  secureBoot: true,
  disk: 'sata',
  network: 'e1000e',
  version,
  ...more,
});
for (const expected of [
  windows('10', { tpm: false, persistent: undefined }),
  windows('11', { tpm: true, persistent: true }),
  windows('2k19', { tpm: false, persistent: undefined }),
  windows('2k22', { tpm: true, persistent: true }),
  windows('2k25', { tpm: true, persistent: true }),
  windows('2k25.virtio', { tpm: true, persistent: true, disk: 'virtio', network: 'virtio' }),
])
  test(`what Windows gets: ${JSON.stringify(expected)}`, () => {
    const { version } = expected as { readonly version: string };
    const spec = preferences.get(`windows.${version}`);
    assert.deepEqual(
      {
        hyperv: Object.keys(spec?.features?.preferredHyperv ?? {}).length,
        smm: spec?.features?.preferredSmm !== undefined,
        secureBoot: spec?.firmware?.preferredEfi?.secureBoot,
        disk: spec?.devices?.preferredDiskBus,
        network: spec?.devices?.preferredInterfaceModel,
        version,
        tpm: spec?.devices?.preferredTPM?.persistent === true,
        persistent: spec?.firmware?.preferredEfi?.persistent,
      },
      expected,
    );
  });

test('a VM that names one of each becomes a machine', () => {
  const instancetype = types.get('u1.small');
  const preference = preferences.get('debian');
  assert.ok(instancetype !== undefined && preference !== undefined);
  const result = expandVmiSpec(
    { domain: { devices: { disks: [{ name: 'root', disk: {} }] } } },
    {},
    { instancetype, preference },
  );
  assert.ok(result.kind === 'expanded');
  const { cpu, memory, devices, firmware } = result.spec.domain;
  assert.equal(cpu?.sockets, 1);
  assert.equal(memory?.guest, '2Gi');
  assert.equal(devices.disks?.[0]?.disk?.bus, 'virtio');
  assert.equal(firmware?.bootloader?.efi?.secureBoot, false);
});
