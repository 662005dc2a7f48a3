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
import { differences } from '../differences.ts';
import { jsonCases } from '../records.ts';
import { subject } from '../subject.ts';
import { type Attempt, attempt, attemptDifferences } from './attempt.ts';
import { NOW, stable, UUID } from './recorded-defaults.ts';
import { type RecordedConfig, recordedConfig } from './recorded-webhooks.ts';
import { type Fact, factDifferences } from './xpath.ts';

interface Input {
  readonly clusterConfig: RecordedConfig | null;
  readonly manifest: VirtualMachineInstance;
}
interface Expected {
  readonly defaultedVMI: VirtualMachineInstance;
  readonly memoryOverhead: string;
  readonly error: string | null;
  readonly facts: readonly Fact[] | null;
}
interface Answer {
  readonly defaulted: VirtualMachineInstance;
  readonly overheadBytes: number;
  readonly xml: Attempt<string>;
}

export const converterE2e = subject<Input, Expected, Answer>(
  'conversion of manifests',
  /^converter\/e2e\.jsonl$/,
  {
    load: jsonCases<Input, Expected>(
      {
        clusterConfig: 'input',
        manifest: 'input',
        defaultedVMI: 'expected',
        memoryOverhead: 'expected',
        error: 'expected',
        facts: 'expected',
      },
      ['xml'],
    ),
    answer: convert,
    compare: ({ defaultedVMI, memoryOverhead, error, facts }, { defaulted, overheadBytes, xml }, input) => [
      ...differences(stable(defaultedVMI, input.manifest), stable(defaulted, input.manifest), 'defaultedVMI'),
      ...differences(parseQuantity(memoryOverhead).value(), overheadBytes, 'memoryOverhead'),
      ...attemptDifferences(error, xml, (text) =>
        factDifferences(parseXml(text), stableFacts(facts ?? [], defaultedVMI, input.manifest)),
      ),
    ],
  },
);

/** The manifest with its defaults, and the domain that comes of it: each step takes our own result of the last. */
function convert({ manifest, clusterConfig }: Input): Answer {
  // The API server fills in the namespace before a webhook is called.
  const metadata = { namespace: 'default', ...manifest.metadata };
  const config = recordedConfig(clusterConfig);
  const defaulted = defaultVmi({ ...manifest, metadata }, { config, now: NOW, newUuid: () => UUID });
  return {
    defaulted,
    overheadBytes: memoryOverheadBytes(defaulted.spec, {
      table: kubevirtOverhead,
      architecture: defaulted.spec.architecture ?? 'amd64',
      ratio: clusterConfig?.configuration?.additionalGuestMemoryOverheadRatio,
    }),
    xml: attempt(() => domainToXml(convertVmiToDomain(defaulted, recordedContext(defaulted)))),
  };
}

/** Identifiers that the recorded defaults drew at random are those of ours. */
function stableFacts(
  facts: readonly Fact[],
  { spec }: VirtualMachineInstance,
  { spec: given }: VirtualMachineInstance,
): readonly Fact[] {
  const drawn = (['uuid', 'serial'] as const)
    .filter((field) => given.domain.firmware?.[field] === undefined)
    .map((field) => spec.domain.firmware?.[field]);
  return facts.map(([path, value]) => [path, drawn.includes(value) ? UUID : value]);
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
      overlays: '/var/run/libvirt/kubevirt-ephemeral-disk',
      cloudInit: '/var/run/libvirt/cloud-init-dir',
    },
  };
}
