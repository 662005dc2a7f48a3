import assert from 'node:assert/strict';
import { test } from 'node:test';
import { devicesFromEnvironment } from './sriov-environment.ts';

const [a, b] = ['0000:81:00.1', '0000:81:00.2'];
const told = (networks: readonly string[], env: Record<string, string>): string =>
  devicesFromEnvironment(networks, env)
    ?.map(({ network, deviceInfo }) => `${network} ${JSON.stringify(deviceInfo?.['pci'])}`)
    .join(' ') ?? 'unknown';

test('which device serves which network', () => {
  const pci = (address: string): string => JSON.stringify({ 'pci-address': address });
  const cases: readonly [string, readonly string[], Record<string, string>, string][] = [
    ['one of each', ['x'], { PCIDEVICE_INTEL_COM_FAST: a }, `x ${pci(a)}`],
    [
      'one resource, in order',
      ['x', 'y'],
      { PCIDEVICE_INTEL_COM_FAST: `${a},${b}`, PCIDEVICE_INTEL_COM_FAST_INFO: '{"x":1}' },
      `x ${pci(a)} y ${pci(b)}`,
    ],
    [
      'two resources, named',
      ['x', 'y'],
      {
        PCIDEVICE_A_COM_ONE: a,
        PCIDEVICE_A_COM_TWO_B: b,
        KUBEVIRT_RESOURCE_NAME_x: 'a.com/two-b',
        KUBEVIRT_RESOURCE_NAME_y: 'a.com/one',
      },
      `x ${pci(b)} y ${pci(a)}`,
    ],
    ['two resources, not named', ['x'], { PCIDEVICE_ONE: a, PCIDEVICE_TWO: b }, 'unknown'],
    ['too few', ['x', 'y'], { PCIDEVICE_ONE: a }, 'unknown'],
    ['no address', ['x'], { PCIDEVICE_ONE: 'eth7' }, 'unknown'],
    ['nothing', ['x'], {}, 'unknown'],
  ];
  for (const [what, networks, env, expected] of cases) assert.equal(told(networks, env), expected, what);
});
