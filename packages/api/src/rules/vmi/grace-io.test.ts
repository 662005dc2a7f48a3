import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '../../config/cluster-config.ts';
import { specFields } from '../../testing/spec-fields.ts';
import type { KubeVirtConfiguration, VMISpec } from '../../types/index.ts';
import { graceAnnotationCauses } from './grace-io.ts';

const NAME = 'nvidia.com/GB200';
const ALL = ['GraceIOVirtualization', 'PCINUMAAwareTopology', 'IOMMUFD', 'HostDevices'];

function configured(gates: readonly string[], pciVendorSelector = '10DE:2941'): KubeVirtConfiguration {
  return {
    developerConfiguration: { featureGates: gates },
    permittedHostDevices: { pciHostDevices: [{ pciVendorSelector, resourceName: NAME }] },
  };
}

const gpu: VMISpec = {
  architecture: 'arm64',
  domain: {
    cpu: { dedicatedCpuPlacement: true, cores: 2 },
    memory: { guest: '2Gi' },
    machine: { type: 'virt' },
    devices: { gpus: [{ name: 'g', deviceName: NAME }] },
  },
};

const cases: readonly [string, Partial<VMISpec>, KubeVirtConfiguration, readonly string[]][] = [
  ['all is there', gpu, configured(ALL), []],
  ['lower case and a prefix are the same id', gpu, configured(ALL, '0x10de:2941'), []],
  ['another GPU of the vendor is none', gpu, configured([], '10DE:2330'), []],
  ['another vendor is none', gpu, configured([], '1002:2941'), []],
  ['the gate is off', gpu, configured([]), ['spec.domain.devices.gpus[0].deviceName']],
  [
    'any GPU of the vendor may be one',
    gpu,
    configured(ALL, '10DE:*'),
    ['spec.domain.devices.gpus[0].deviceName'],
  ],
  ['with the gate off nobody asks which one', gpu, configured([], '10DE:*'), []],
  [
    'a host device is one as well',
    { ...gpu, domain: { ...gpu.domain, devices: { hostDevices: [{ name: 'h', deviceName: NAME }] } } },
    configured(['HostDevices']),
    ['spec.domain.devices.hostDevices[0].deviceName'],
  ],
  [
    'the machine does not fit',
    { architecture: 'amd64', domain: { devices: gpu.domain.devices } },
    configured(['GraceIOVirtualization']),
    [
      'spec.architecture',
      'spec.domain.machine.type',
      'spec.domain.cpu.dedicatedCpuPlacement',
      'spec.domain.devices',
      'spec.domain.devices',
    ],
  ],
];

for (const [name, spec, configuration, fields] of cases) {
  test(`Grace GPUs: ${name}`, () => assert.deepEqual(specFields(spec, configuration), fields));
}

test('annotations that move PCI devices do not go with Grace GPUs', () => {
  const config = clusterConfig({ spec: { configuration: configured(ALL) } });
  const annotations = {
    'kubevirt.io/placePCIDevicesOnRootComplex': 'true',
    'kubevirt.io/disablePCIHole64': 'true',
  };
  assert.deepEqual(
    graceAnnotationCauses({ annotations }, gpu, config, 'metadata').map(({ field }) => field),
    [
      'metadata.annotations[kubevirt.io/placePCIDevicesOnRootComplex]',
      'metadata.annotations[kubevirt.io/disablePCIHole64]',
    ],
  );
  assert.deepEqual(
    graceAnnotationCauses({ annotations }, { domain: { devices: {} } }, config, 'metadata'),
    [],
  );
});
