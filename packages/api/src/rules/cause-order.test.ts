import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '../config/cluster-config.ts';
import { specFields, withDevices } from '../testing/spec-fields.ts';
import { validateVmiCreate } from './validate-vmi.ts';

const DISKS = 'spec.domain.devices.disks';

function fieldsOf(spec: object): readonly string[] {
  const context = { config: clusterConfig(undefined), isKubeVirtServiceAccount: false };
  return validateVmiCreate({ metadata: {}, spec } as never, context).causes.map(({ field }) => field);
}

test('all that is wrong with a disk comes before the next disk', () => {
  const disks = ['a_1', 'b_2'].map((name) => ({ name, disk: { bus: 'ide' } }));
  const volumes = disks.map(({ name }) => ({ name, emptyDisk: { capacity: '1Gi' } }));
  assert.deepEqual(specFields(withDevices({ disks }, { volumes })), [
    `${DISKS}[0].disk.bus`,
    `${DISKS}.domain.devices.disks[0].name`,
    `${DISKS}[1].disk.bus`,
    `${DISKS}.domain.devices.disks[1].name`,
  ]);
});

test('all that is wrong with a volume comes before the next volume', () => {
  const volumes = [
    { name: 'a', dataVolume: { name: '' } },
    { name: 'b' },
    { name: 'c', cloudInitNoCloud: {}, configMap: {} },
  ];
  assert.deepEqual(specFields({ volumes }), [
    'spec.volumes[0].name',
    'spec.volumes[1]',
    'spec.volumes[2]',
    'spec.volumes[2].cloudInitNoCloud',
    'spec.volumes[2].configMap.name',
  ]);
});

test('a new VMI hears of its networks and disks first, and of other things if there is room', () => {
  const named = (count: number) => ({
    hostname: 'Not.A_Label',
    domain: {
      devices: {
        disks: Array.from({ length: count }, (_, i) => ({ name: `d_${i}`, disk: { bus: 'sata' } })),
      },
    },
    volumes: Array.from({ length: count }, (_, i) => ({ name: `d_${i}`, emptyDisk: { capacity: '1Gi' } })),
  });
  const disk = (index: number): string => `${DISKS}.domain.devices.disks[${index}].name`;
  assert.deepEqual(fieldsOf(named(2)).slice(0, 3), [disk(0), disk(1), 'spec.hostname']);
  assert.deepEqual(
    fieldsOf(named(10)),
    Array.from({ length: 10 }, (_, index) => disk(index)),
  );
});
