/** Recorded defaulted VMIs, converted in the one fixed context of the recording. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { architectureOf } from '../domain/architecture.ts';
import type { ConverterContext } from '../domain/context.ts';
import { convertVmiToDomain } from '../domain/convert.ts';
import { domainToXml } from '../domain/xml.ts';
import { memoryOverheadBytes } from '../pod/memory-overhead.ts';
import { kubevirtOverhead } from '../pod/overhead-tables.ts';
import { parseXml } from '../xml/parse.ts';
import { recordsOf, skipReason } from './testing/recordings.ts';
import { violations } from './testing/xpath.ts';

interface E2eRecord {
  readonly id: string;
  readonly clusterConfig: {
    readonly configuration?: { readonly additionalGuestMemoryOverheadRatio?: string };
  } | null;
  readonly defaultedVMI: VirtualMachineInstance;
  readonly memoryOverhead: string;
  readonly error: string | null;
  readonly facts: readonly (readonly [string, string])[] | null;
}

describe('recorded conversions from the manifest', { skip: skipReason }, () => {
  for (const record of recordsOf<E2eRecord>('converter/e2e.jsonl')) {
    const vmi = record.defaultedVMI;
    test(record.id, () => {
      const convert = (): string => domainToXml(convertVmiToDomain(vmi, recordedContext(vmi)));
      if (record.error !== null) assert.throws(convert, { message: record.error });
      else assert.deepEqual(violations(parseXml(convert()), record.facts ?? []), []);
    });
    test(`${record.id}: memory overhead`, () => {
      const bytes = memoryOverheadBytes(vmi.spec, {
        table: kubevirtOverhead,
        architecture: architectureOf(vmi.spec.architecture).name,
        ratio: record.clusterConfig?.configuration?.additionalGuestMemoryOverheadRatio,
      });
      assert.equal(bytes, parseQuantity(record.memoryOverhead).value());
    });
  }
});

/** The context that the recordings' README describes. */
function recordedContext(vmi: VirtualMachineInstance): ConverterContext {
  const secure = vmi.spec.domain.firmware?.bootloader?.efi?.secureBoot !== false;
  const suffix = secure ? '.secboot.fd' : '.fd';
  const cpuSet = [0, 1, 2, 3, 4, 5, 6, 7];
  return {
    kvmAvailable: true,
    allowEmulation: true,
    smbios: { manufacturer: 'KubeVirt', family: 'KubeVirt', product: 'None' },
    memBalloonStatsPeriodSeconds: 10,
    freePageReporting: true,
    serialConsoleLog: true,
    bochsForEfiGuests: true,
    efi: {
      code: `/usr/share/OVMF/OVMF_CODE${suffix}`,
      vars: `/usr/share/OVMF/OVMF_VARS${suffix}`,
      secureLoader: secure,
    },
    interfaces: (vmi.spec.domain.devices.interfaces ?? [])
      .filter((nic) => nic.bridge !== undefined || nic.masquerade !== undefined)
      .map(({ name }) => ({ name })),
    cpuSet,
    hostTopology: [{ id: 0, cpus: cpuSet.map((id) => ({ id })) }],
    paths: {
      ephemeralDisks: '/var/run/libvirt/kubevirt-ephemeral-disk',
      cloudInit: '/var/run/libvirt/cloud-init-dir',
    },
  };
}
