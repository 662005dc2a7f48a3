/**
 * Typical VMIs against golden files in `test/golden`, compared exactly: a change of what we render is a change that
 * somebody reads. `PODVISOR_UPDATE_GOLDEN=1` rewrites them.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { clusterConfig } from '@podvisor/api';
import type { ConverterContext } from './domain/context.ts';
import { convertVmiToDomain } from './domain/convert.ts';
import { domainToXml } from './domain/xml.ts';
import { renderLauncherPod } from './pod/render.ts';
import { type TypicalVmi, typicalVmis } from './testing/typical-vmis.ts';

const directory = new URL('../../../test/golden/', import.meta.url);
const update = process.env.PODVISOR_UPDATE_GOLDEN === '1';

describe('golden files', () => {
  for (const typical of typicalVmis) {
    test(`domain/${typical.name}.xml`, () => {
      same(`domain/${typical.name}.xml`, domainToXml(convertVmiToDomain(typical.vmi, contextOf(typical))));
    });
    test(`pod/${typical.name}.json`, () => {
      same(`pod/${typical.name}.json`, `${JSON.stringify(podOf(typical), undefined, 2)}\n`);
    });
  }
});

function same(path: string, actual: string): void {
  const file = new URL(path, directory);
  if (update) writeFileSync(file, actual);
  assert.equal(actual, readFileSync(file, 'utf8'));
}

function contextOf({ context }: TypicalVmi): ConverterContext {
  return {
    kvmAvailable: true,
    allowEmulation: false,
    smbios: { manufacturer: 'KubeVirt', family: 'KubeVirt', product: 'None' },
    memBalloonStatsPeriodSeconds: 10,
    freePageReporting: true,
    serialConsoleLog: true,
    interfaces: [
      {
        name: 'default',
        binding: 'masquerade',
        tapDevice: 'tap0',
        podInterface: 'eth0',
        mac: '02:00:00:00:00:01',
        mtu: 1450,
      },
    ],
    ...context,
  };
}

function podOf({ vmi, context }: TypicalVmi): unknown {
  const developerConfiguration = { useEmulation: context?.kvmAvailable === false };
  const virtualMachineOptions = context?.serialConsoleLog === false ? { disableSerialConsoleLog: {} } : {};
  return renderLauncherPod(vmi, {
    launcherImage: 'podvisor.local/virt-launcher:embedded',
    config: clusterConfig({ spec: { configuration: { developerConfiguration, virtualMachineOptions } } }),
    claims: {
      'root-claim': { block: false },
      'block-claim': { block: true },
      'data-claim': { block: true },
    },
  });
}
