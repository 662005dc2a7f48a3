/**
 * Cluster preferences for the usual guests, under the names that people know from KubeVirt's
 * common-instancetypes: the devices a guest has drivers for, its firmware, and what it needs at least. A guest is
 * one line: its name, what it is called, its needs, and the traits that make up the rest.
 */
import type { VirtualMachineClusterPreference, VirtualMachinePreferenceSpec } from '../types/index.ts';
import { CATALOGUE_API_VERSION, label, VENDOR } from './labels.ts';
import {
  amd64,
  arm64,
  cores,
  desktop,
  dpdk,
  efi,
  headless,
  ioThread,
  type Trait,
  lateWindows,
  legacyDevices,
  multiQueue,
  networkModel,
  noPciHole,
  s390x,
  secureBoot,
  secureExecution,
  spread,
  tpm,
  transitional,
  virtio,
  virtioWindows,
  windows,
} from './traits.ts';

/** vCPUs and memory that a guest needs at least. */
type Needs = readonly [number, string] | undefined;
type Guest = readonly [name: string, displayName: string, needs: Needs, ...traits: readonly Trait[]];

const SMALL: Needs = [1, '512Mi'];
const ENTERPRISE: Needs = [1, '1.5Gi'];
const TWO_GIB: Needs = [1, '2Gi'];

const LINUX: readonly Guest[] = [
  ['linux', 'Linux', undefined, virtio],
  ['linux.efi', 'Linux with EFI', undefined, virtio, efi],
  ['linux.virtiotransitional', 'Linux with early virtio drivers', undefined, virtio, transitional],
  ['alpine', 'Alpine', SMALL, virtio],
  ['cirros', 'CirrOS', [1, '256Mi'], virtio],
  ['debian', 'Debian', SMALL, virtio, efi],
  ['ubuntu', 'Ubuntu', TWO_GIB, virtio],
  ['sles', 'SUSE Linux Enterprise Server', TWO_GIB, virtio],
  ['opensuse.leap', 'openSUSE Leap', TWO_GIB, virtio],
  ['opensuse.tumbleweed', 'openSUSE Tumbleweed', TWO_GIB, virtio],
  ['oraclelinux', 'Oracle Linux', [2, '4Gi'], virtio, efi],
  ['fedora', 'Fedora', TWO_GIB, virtio, secureBoot, amd64],
  ['fedora.arm64', 'Fedora (arm64)', TWO_GIB, virtio, arm64],
  ['fedora.s390x', 'Fedora (s390x)', TWO_GIB, virtio, s390x],
  ['fedora.s390x.secex', 'Fedora (Secure Execution)', TWO_GIB, virtio, s390x, secureExecution],
  ['centos.stream9', 'CentOS Stream 9', ENTERPRISE, virtio, ioThread],
  ['centos.stream9.desktop', 'CentOS Stream 9 with a desktop', ENTERPRISE, virtio, ioThread, desktop],
  ['centos.stream9.dpdk', 'CentOS Stream 9 for DPDK', [8, '1.5Gi'], virtio, ioThread, dpdk],
  ['centos.stream10', 'CentOS Stream 10', ENTERPRISE, virtio, ioThread],
  ['centos.stream10.desktop', 'CentOS Stream 10 with a desktop', ENTERPRISE, virtio, ioThread, desktop],
  ['rhel.7', 'Red Hat Enterprise Linux 7', [1, '1Gi'], virtio],
  ['rhel.7.desktop', 'Red Hat Enterprise Linux 7 with a desktop', [1, '1Gi'], virtio, desktop],
  ['rhel.8', 'Red Hat Enterprise Linux 8', ENTERPRISE, virtio],
  ['rhel.8.desktop', 'Red Hat Enterprise Linux 8 with a desktop', ENTERPRISE, virtio, desktop],
  ['rhel.8.dpdk', 'Red Hat Enterprise Linux 8 for DPDK', [8, '1.5Gi'], virtio, dpdk],
  ['rhel.9', 'Red Hat Enterprise Linux 9', ENTERPRISE, virtio, ioThread, secureBoot, amd64],
  [
    'rhel.9.desktop',
    'Red Hat Enterprise Linux 9 with a desktop',
    ENTERPRISE,
    virtio,
    ioThread,
    secureBoot,
    amd64,
    desktop,
  ],
  [
    'rhel.9.dpdk',
    'Red Hat Enterprise Linux 9 for DPDK',
    [8, '1.5Gi'],
    virtio,
    ioThread,
    secureBoot,
    amd64,
    dpdk,
  ],
  [
    'rhel.9.realtime',
    'Red Hat Enterprise Linux 9 for realtime',
    [4, '4Gi'],
    virtio,
    ioThread,
    secureBoot,
    amd64,
    spread,
    multiQueue,
    headless,
  ],
  ['rhel.9.arm64', 'Red Hat Enterprise Linux 9 (arm64)', ENTERPRISE, virtio, ioThread, arm64],
  ['rhel.9.s390x', 'Red Hat Enterprise Linux 9 (s390x)', ENTERPRISE, virtio, ioThread, s390x],
  [
    'rhel.9.s390x.secex',
    'Red Hat Enterprise Linux 9 (Secure Execution)',
    ENTERPRISE,
    virtio,
    ioThread,
    s390x,
    secureExecution,
  ],
  ['rhel.10', 'Red Hat Enterprise Linux 10', ENTERPRISE, virtio, ioThread, secureBoot, amd64],
  ['rhel.10.arm64', 'Red Hat Enterprise Linux 10 (arm64)', ENTERPRISE, virtio, ioThread, arm64],
  ['rhel.10.s390x', 'Red Hat Enterprise Linux 10 (s390x)', ENTERPRISE, virtio, ioThread, s390x],
  [
    'rhel.10.s390x.secex',
    'Red Hat Enterprise Linux 10 (Secure Execution)',
    ENTERPRISE,
    virtio,
    ioThread,
    s390x,
    secureExecution,
  ],
];

/** Each comes a second time as `NAME.virtio`, for guests in which the virtio drivers are installed. */
const WINDOWS: readonly Guest[] = [
  ['windows.7', 'Windows 7', TWO_GIB, windows],
  ['windows.10', 'Windows 10', TWO_GIB, windows, secureBoot, cores],
  ['windows.11', 'Windows 11', [2, '4Gi'], windows, lateWindows, tpm, cores],
  ['windows.2k8', 'Windows Server 2008', SMALL, windows, networkModel('e1000')],
  ['windows.2k12', 'Windows Server 2012', SMALL, windows],
  ['windows.2k16', 'Windows Server 2016', TWO_GIB, windows, secureBoot],
  ['windows.2k19', 'Windows Server 2019', TWO_GIB, windows, secureBoot],
  ['windows.2k22', 'Windows Server 2022', TWO_GIB, windows, lateWindows, tpm],
  ['windows.2k25', 'Windows Server 2025', TWO_GIB, windows, lateWindows, tpm],
];
/** No virtio drivers exist for them. */
const OLD_WINDOWS: readonly Guest[] = [
  ['windows.xp', 'Windows XP', [1, '128Mi'], windows, noPciHole],
  ['windows.2k3', 'Windows Server 2003', [1, '256Mi'], windows, noPciHole, networkModel('rtl8139')],
];
const OTHERS: readonly Guest[] = [['legacy', 'Any system without virtio drivers', undefined, legacyDevices]];

/** All preferences of the catalogue. */
export function cataloguePreferences(): VirtualMachineClusterPreference[] {
  const withDrivers = WINDOWS.map(
    ([name, displayName, needs, ...traits]): Guest => [
      `${name}.virtio`,
      `${displayName} with virtio drivers`,
      needs,
      ...traits,
      virtioWindows,
    ],
  );
  return [...LINUX, ...WINDOWS, ...withDrivers, ...OLD_WINDOWS, ...OTHERS].map(preference);
}

function preference([name, displayName, needs, ...traits]: Guest): VirtualMachineClusterPreference {
  const spec = traits.reduce<VirtualMachinePreferenceSpec>((merged, trait) => joined(merged, trait), {});
  const requirements = {
    ...spec.requirements,
    ...(needs === undefined ? {} : { cpu: { guest: needs[0] }, memory: { guest: needs[1] } }),
  };
  const architecture = spec.preferredArchitecture;
  return {
    apiVersion: CATALOGUE_API_VERSION,
    kind: 'VirtualMachineClusterPreference',
    metadata: {
      name,
      labels: {
        [label('os-type')]: spec.annotations?.['vm.kubevirt.io/os'] ?? 'linux',
        [label('vendor')]: VENDOR,
        ...(needs === undefined
          ? {}
          : { [label('required-cpu')]: String(needs[0]), [label('required-memory')]: needs[1] }),
        ...(architecture === undefined
          ? {}
          : {
              [label('arch')]: architecture,
              [label('preferred-architecture')]: architecture,
              [label('required-architecture')]: architecture,
            }),
      },
      annotations: { 'openshift.io/display-name': displayName },
    },
    spec: { ...spec, ...(Object.keys(requirements).length === 0 ? {} : { requirements }) },
  };
}

/** `over` laid over `under`, field by field; a later trait wins. */
function joined<T extends object>(under: T, over: object): T {
  const entries = Object.entries(over).map(([key, value]: [string, unknown]) => {
    const below: unknown = Reflect.get(under, key);
    return [key, isObject(below) && isObject(value) ? joined(below, value) : value];
  });
  return { ...under, ...Object.fromEntries(entries) };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
