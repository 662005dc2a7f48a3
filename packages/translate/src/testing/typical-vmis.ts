/** A dozen VMIs as people write them, after defaulting; the inputs of the golden files. */
import type { DomainSpec, VirtualMachineInstance, VMISpec } from '@podvisor/api';
import type { ConverterContext } from '../domain/context.ts';
import type { DomainHostDevice } from '../domain/model/devices.ts';

/** One golden case. */
export interface TypicalVmi {
  readonly name: string;
  readonly vmi: VirtualMachineInstance;
  readonly context?: Partial<ConverterContext>;
}

const UUID = '525c53a4-d615-497b-be52-66906778b701';

function typical(
  name: string,
  domain: Partial<DomainSpec>,
  spec: Partial<VMISpec> = {},
  context: Partial<ConverterContext> = {},
): TypicalVmi {
  return {
    name,
    context,
    vmi: {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: {
        name,
        namespace: 'default',
        uid: '0b1f0a5e-0000-4000-8000-000000000001',
        annotations: { 'kubevirt.io/pci-topology-version': 'v3' },
      },
      spec: {
        architecture: 'amd64',
        terminationGracePeriodSeconds: 30,
        networks: [{ name: 'default', pod: {} }],
        ...spec,
        domain: {
          machine: { type: 'q35' },
          cpu: { sockets: 1, cores: 1, threads: 1, maxSockets: 4, model: 'host-model' },
          memory: { guest: '1Gi' },
          features: { acpi: { enabled: true } },
          firmware: { uuid: UUID },
          ...domain,
          devices: { interfaces: [{ name: 'default', masquerade: {} }], ...domain.devices },
        },
      },
      status: { runtimeUser: 107 },
    },
  };
}

const root = { name: 'root', disk: { bus: 'virtio' } } as const;
const containerDisk = { name: 'root', containerDisk: { image: 'registry.example/guest:1' } } as const;
const OVMF = {
  code: '/usr/share/OVMF/OVMF_CODE.fd',
  vars: '/usr/share/OVMF/OVMF_VARS.fd',
  secureLoader: false,
} as const;

/** A PCI device of the host on bus `bus`. */
function pciDevice(alias: string, bus: string): DomainHostDevice {
  return {
    mode: 'subsystem',
    type: 'pci',
    managed: 'no',
    source: { address: { type: 'pci', domain: '0x0000', bus, slot: '0x00', function: '0x0' } },
    alias: { name: `ua-${alias}` },
  };
}

const claim = { name: 'root', persistentVolumeClaim: { claimName: 'root-claim' } } as const;

export const typicalVmis: readonly TypicalVmi[] = [
  typical(
    'cloud-guest',
    { devices: { disks: [root, { name: 'seed', cdrom: { bus: 'sata' } }], rng: {} } },
    { volumes: [containerDisk, { name: 'seed', cloudInitNoCloud: { userData: '#cloud-config' } }] },
    { volumes: { root: { directIo: true, backing: { format: 'qcow2' } }, seed: { directIo: true } } },
  ),
  typical(
    'emulated',
    { memory: { guest: '128Mi' }, devices: { disks: [root], rng: {} } },
    { volumes: [containerDisk] },
    { kvmAvailable: false, allowEmulation: true, serialConsoleLog: false },
  ),
  typical(
    'claim',
    { devices: { disks: [root] } },
    { volumes: [claim] },
    { volumes: { root: { directIo: true } } },
  ),
  typical(
    'block-claim',
    { devices: { disks: [root], blockMultiQueue: true }, cpu: { cores: 4, model: 'host-model' } },
    { volumes: [{ name: 'root', dataVolume: { name: 'block-claim' } }] },
    { volumes: { root: { block: true, directIo: true } } },
  ),
  typical(
    'uefi-secure-boot',
    {
      firmware: { uuid: UUID, bootloader: { efi: { secureBoot: true } } },
      features: { acpi: { enabled: true }, smm: { enabled: true } },
      devices: { disks: [root], tpm: {} },
    },
    { volumes: [claim] },
    {
      efi: {
        code: '/usr/share/OVMF/OVMF_CODE.secboot.fd',
        vars: '/usr/share/OVMF/OVMF_VARS.secboot.fd',
        secureLoader: true,
      },
      bochsForEfiGuests: true,
    },
  ),
  typical(
    'windows',
    {
      clock: {
        utc: {},
        timer: {
          hpet: { present: false },
          pit: { tickPolicy: 'delay' },
          rtc: { tickPolicy: 'catchup' },
          hyperv: {},
        },
      },
      features: {
        acpi: { enabled: true },
        apic: { enabled: true },
        hyperv: { relaxed: {}, vapic: {}, spinlocks: { spinlocks: 8191 } },
      },
      devices: {
        disks: [{ name: 'root', disk: { bus: 'sata' } }],
        inputs: [{ name: 'tablet', type: 'tablet', bus: 'usb' }],
        interfaces: [{ name: 'default', masquerade: {}, model: 'e1000' }],
      },
    },
    { volumes: [claim] },
  ),
  typical(
    'dedicated-cpus',
    {
      cpu: { cores: 2, dedicatedCpuPlacement: true, isolateEmulatorThread: true, model: 'host-passthrough' },
      ioThreadsPolicy: 'auto',
      devices: { disks: [root] },
    },
    { volumes: [claim] },
    { cpuSet: [2, 3, 4], hostTopology: [{ id: 0, cpus: [2, 3, 4].map((id) => ({ id })) }] },
  ),
  typical(
    'numa-hugepages',
    {
      cpu: { cores: 4, dedicatedCpuPlacement: true, numa: { guestMappingPassthrough: {} } },
      memory: { guest: '2Gi', hugepages: { pageSize: '2Mi' } },
    },
    {},
    {
      cpuSet: [0, 1, 2, 3],
      hostTopology: [
        { id: 0, cpus: [{ id: 0 }, { id: 1 }] },
        { id: 1, cpus: [{ id: 2 }, { id: 3 }] },
      ],
    },
  ),
  typical(
    'supplemental-io-threads',
    {
      cpu: { cores: 2, threads: 2, dedicatedCpuPlacement: true, isolateEmulatorThread: true },
      ioThreadsPolicy: 'supplementalPool',
      ioThreads: { supplementalPoolThreadCount: 2 },
      devices: { disks: [root, { name: 'data', disk: { bus: 'scsi' } }] },
    },
    { volumes: [claim, { name: 'data', persistentVolumeClaim: { claimName: 'data-claim' } }] },
    {
      cpuSet: [0, 1, 2, 3, 4, 5, 6, 7],
      hostTopology: [
        {
          id: 0,
          cpus: [0, 1, 2, 3].flatMap((id) => [
            { id, siblings: [id, id + 4] },
            { id: id + 4, siblings: [id, id + 4] },
          ]),
        },
      ],
    },
  ),
  typical(
    'realtime',
    {
      cpu: {
        cores: 3,
        model: 'host-passthrough',
        dedicatedCpuPlacement: true,
        isolateEmulatorThread: true,
        numa: { guestMappingPassthrough: {} },
        realtime: { mask: '1-2' },
      },
      memory: { guest: '5Gi', hugepages: { pageSize: '1Gi' } },
      devices: { autoattachMemBalloon: false },
    },
    {},
    {
      cpuSet: [0, 1, 2, 3, 4, 5],
      hostTopology: [0, 1, 2].map((id) => ({
        id,
        cpus: [{ id: 2 * id }, { id: 2 * id + 1 }].slice(0, id === 2 ? 2 : 1),
      })),
    },
  ),
  typical(
    'sev-es',
    {
      firmware: { uuid: UUID, bootloader: { efi: { secureBoot: false } } },
      launchSecurity: { sev: { policy: { encryptedState: true } } },
      devices: { disks: [root], rng: {} },
    },
    { volumes: [claim] },
    { efi: OVMF, sev: { cbitpos: '47', reducedPhysBits: '1' } },
  ),
  typical(
    'tdx',
    {
      firmware: { uuid: UUID, bootloader: { efi: { secureBoot: false } } },
      launchSecurity: { tdx: {} },
      devices: { disks: [root] },
    },
    { volumes: [claim] },
    { efi: OVMF },
  ),
  typical(
    'passed-through',
    {
      devices: {
        hostDevices: [{ name: 'nvme', deviceName: 'example.com/nvme' }],
        gpus: [{ name: 'vgpu', deviceName: 'example.com/vgpu' }],
        interfaces: [
          { name: 'default', masquerade: {} },
          { name: 'fast', sriov: {} },
        ],
        autoattachVSOCK: true,
      },
    },
    {
      networks: [
        { name: 'default', pod: {} },
        { name: 'fast', multus: { networkName: 'fast' } },
      ],
    },
    {
      iommufd: true,
      hostDevices: [pciDevice('hostdevice-nvme', '0x3b')],
      sriovDevices: [pciDevice('sriov-fast', '0x81')],
      gpus: [
        {
          mode: 'subsystem',
          type: 'mdev',
          managed: 'no',
          model: 'vfio-pci',
          display: 'on',
          ramfb: 'on',
          source: { address: { uuid: '2f3a4b5c-0000-4000-8000-000000000002' } },
          alias: { name: 'ua-gpu-vgpu' },
        },
      ],
    },
  ),
  typical(
    'reserved-lun',
    {
      devices: {
        disks: [{ name: 'lun', lun: { bus: 'scsi', reservation: true }, blockSize: { matchVolume: {} } }],
      },
    },
    { volumes: [{ name: 'lun', persistentVolumeClaim: { claimName: 'data-claim' } }] },
    {
      volumes: {
        lun: { block: true, directIo: true, blockSize: { logicalBytes: 512, physicalBytes: 4096 } },
      },
    },
  ),
  typical(
    'secure-execution',
    {
      machine: { type: 's390-ccw-virtio' },
      cpu: { cores: 1, model: 'host-passthrough' },
      launchSecurity: {},
      devices: {
        disks: [root],
        rng: {},
        watchdog: { name: 'dog', diag288: { action: 'reset' } },
      },
    },
    { architecture: 's390x', volumes: [claim] },
  ),
  typical(
    'passt',
    {
      devices: {
        disks: [root],
        interfaces: [
          { name: 'default', passtBinding: {}, ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }] },
        ],
      },
    },
    { volumes: [claim] },
  ),
  typical(
    'shared-directory',
    { devices: { disks: [root], filesystems: [{ name: 'config', virtiofs: {} }] } },
    { volumes: [claim, { name: 'config', configMap: { name: 'app-config' } }] },
  ),
  typical('kernel-boot', {
    firmware: {
      uuid: UUID,
      kernelBoot: {
        kernelArgs: 'console=ttyS0',
        container: {
          image: 'registry.example/kernel:1',
          kernelPath: '/boot/vmlinuz',
          initrdPath: '/boot/initrd',
        },
      },
    },
  }),
  typical(
    'arm64-guest',
    {
      machine: { type: 'virt' },
      cpu: { cores: 2, model: 'host-passthrough' },
      firmware: { uuid: UUID, bootloader: { efi: { secureBoot: false } } },
      devices: { disks: [root] },
    },
    { architecture: 'arm64', volumes: [claim] },
    {
      efi: {
        code: '/usr/share/AAVMF/AAVMF_CODE.fd',
        vars: '/usr/share/AAVMF/AAVMF_VARS.fd',
        secureLoader: false,
      },
    },
  ),
  typical(
    'many-disks',
    {
      ioThreadsPolicy: 'shared',
      devices: {
        disks: [
          { ...root, bootOrder: 1, dedicatedIOThread: true },
          { name: 'data', disk: { bus: 'scsi' }, serial: 'DATA1' },
          { name: 'scratch', disk: { bus: 'virtio' }, cache: 'writeback' },
          { name: 'tools', cdrom: { bus: 'sata' } },
        ],
      },
    },
    {
      volumes: [
        claim,
        { name: 'data', persistentVolumeClaim: { claimName: 'data-claim' } },
        { name: 'scratch', emptyDisk: { capacity: '2Gi' } },
        { name: 'tools', secret: { secretName: 'tools' } },
      ],
    },
    { volumes: { data: { block: true, directIo: true } } },
  ),
];
