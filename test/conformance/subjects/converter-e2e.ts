/** Recorded manifests: defaulted, then converted in the one fixed context of the recording. */
import { defaultVmi, type VirtualMachineInstance } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import {
  type ConverterContext,
  convertVmiToDomain,
  domainToXml,
  kubevirtOverhead,
  memoryOverheadBytes,
} from '@podvisor/translate';
import { parseXml } from '../../../packages/translate/src/xml/parse.ts';
import { differences, errorDifferences } from '../differences.ts';
import { jsonLines } from '../records.ts';
import { subject } from '../subject.ts';
import { type RecordedConfig, recordedDefaults, stable } from './recorded-defaults.ts';
import { type Fact, factDifferences } from './xpath.ts';

interface E2eRecord {
  readonly id: string;
  readonly clusterConfig: RecordedConfig | null;
  readonly manifest: VirtualMachineInstance;
  readonly defaultedVMI: VirtualMachineInstance;
  readonly memoryOverhead: string;
  readonly error: string | null;
  readonly facts: readonly Fact[] | null;
}

export const converterE2e = subject<E2eRecord>('conversion of manifests', /^converter\/e2e\.jsonl$/, {
  load: jsonLines,
  check: (record) => [
    ...defaultDifferences(record),
    ...overheadDifferences(record),
    ...xmlDifferences(record),
  ],
});

function defaultDifferences({ manifest, defaultedVMI, clusterConfig }: E2eRecord): readonly string[] {
  // The API server fills in the namespace before a webhook is called.
  const metadata = { namespace: 'default', ...manifest.metadata };
  const output = defaultVmi({ ...manifest, metadata }, recordedDefaults(clusterConfig));
  return differences(stable(defaultedVMI, manifest), stable(output, manifest), 'defaultedVMI');
}

function overheadDifferences({ defaultedVMI, memoryOverhead, clusterConfig }: E2eRecord): readonly string[] {
  const bytes = memoryOverheadBytes(defaultedVMI.spec, {
    table: kubevirtOverhead,
    architecture: defaultedVMI.spec.architecture ?? 'amd64',
    ratio: clusterConfig?.configuration?.additionalGuestMemoryOverheadRatio,
  });
  return differences(parseQuantity(memoryOverhead).value(), bytes, 'memoryOverhead');
}

function xmlDifferences({ defaultedVMI: vmi, error, facts }: E2eRecord): readonly string[] {
  const convert = (): string => domainToXml(convertVmiToDomain(vmi, recordedContext(vmi)));
  return error === null
    ? factDifferences(parseXml(convert()), facts ?? [])
    : errorDifferences(error, convert);
}

/** The context that the recordings' README describes. */
function recordedContext(vmi: VirtualMachineInstance): ConverterContext {
  const secure = vmi.spec.domain.firmware?.bootloader?.efi?.secureBoot !== false;
  const suffix = secure ? '.secboot.fd' : '.fd';
  const cpuSet = [0, 1, 2, 3, 4, 5, 6, 7];
  return {
    // The recorded converter leaves ports to a later step.
    hotplugPorts: false,
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
