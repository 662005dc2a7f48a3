/**
 * For every rule of a VMI, a spec that breaks it. The error that it gives is printed in `docs/rules.md`, and a
 * test sees to it that every rule has one.
 */
import type {
  Devices,
  DomainSpec,
  Interface,
  KubeVirtConfiguration,
  Network,
  VMISpec,
} from '../../types/index.ts';

export interface SpecExample {
  readonly spec: VMISpec;
  readonly configuration?: KubeVirtConfiguration;
}

const of = (parts: Partial<VMISpec>, configuration?: KubeVirtConfiguration): SpecExample => ({
  spec: { domain: { devices: {} }, ...parts },
  ...(configuration && { configuration }),
});
const domain = (parts: Partial<DomainSpec>, more: Partial<VMISpec> = {}): SpecExample =>
  of({ ...more, domain: { devices: {}, ...parts } });
const devices = (parts: Devices, more: Partial<VMISpec> = {}): SpecExample =>
  domain({ devices: parts }, more);
const disk = (parts: object): SpecExample =>
  devices({ disks: [{ name: 'root', disk: { bus: 'virtio' }, ...parts }] }, { volumes: [ROOT] });
const nic = (parts: Partial<Interface>, network: Partial<Network> = { pod: {} }): SpecExample =>
  devices({ interfaces: [{ name: 'default', ...parts }] }, { networks: [{ name: 'default', ...network }] });
const gates = (...featureGates: string[]): KubeVirtConfiguration => ({
  developerConfiguration: { featureGates },
});
const pinned = (cpu: object, resources: object = {}): SpecExample =>
  domain({ cpu: { dedicatedCpuPlacement: true, ...cpu }, memory: { guest: '1Gi' }, resources });

const ROOT = { name: 'root', containerDisk: { image: 'guest:1' } };
const POD = { name: 'default', pod: {} };
const term = { topologyKey: '' };

export const specExamples: Readonly<Record<string, SpecExample>> = {
  'interfaces.binding.discontinued': nic({ slirp: {} }),
  'networks.pod.single': of({ networks: [POD, { name: 'two', pod: {} }] }),
  'networks.multus.default': of({
    networks: [POD, { name: 'a', multus: { networkName: 'a', default: true } }],
  }),
  'networks.source': of({ networks: [{ name: 'default' }] }),
  'networks.multus.networkName': of({ networks: [{ name: 'a', multus: { networkName: '' } }] }),
  'networks.name.unique': of({ networks: [POD, POD] }),
  'networks.used': of({ networks: [POD] }),
  'interfaces.network': devices({ interfaces: [{ name: 'default', bridge: {} }] }),
  'interfaces.name.unique': devices({ interfaces: [{ name: 'default' }, { name: 'default' }] }),
  'interfaces.name.characters': devices({ interfaces: [{ name: 'my.nic' }] }),
  'interfaces.model': nic({ bridge: {}, model: 'ne2000' }),
  'interfaces.macAddress': nic({ bridge: {}, macAddress: '02:00:00' }),
  'interfaces.pciAddress': nic({ bridge: {}, pciAddress: '81:01.0' }),
  'interfaces.state': nic({ masquerade: {}, state: 'absent' }),
  'interfaces.dhcpOptions.privateOptions': nic({
    dhcpOptions: { privateOptions: [{ option: 100, value: 'x' }] },
  }),
  'interfaces.dhcpOptions.ntpServers': nic({ dhcpOptions: { ntpServers: ['time.example'] } }),
  'interfaces.binding.single': nic({ bridge: {}, masquerade: {} }),
  'interfaces.masquerade': nic({ masquerade: {} }, { multus: { networkName: 'net' } }),
  'interfaces.bridge': {
    ...nic({ bridge: {} }),
    configuration: { network: { permitBridgeInterfaceOnPodNetwork: false } },
  },
  'interfaces.passtBinding': nic({ passtBinding: {} }, { multus: { networkName: 'net' } }),
  'interfaces.ports': nic({ masquerade: {}, ports: [{ port: 80, protocol: 'SCTP' }] }),
  'interfaces.portRanges': nic({ masquerade: {}, portRanges: [{ protocol: 'TCP', start: 1, end: 2 }] }),
  'networks.resourceClaim': of({
    networks: [{ name: 'a', resourceClaim: { claimName: 'c', requestName: 'r' } }],
  }),
  resourceClaims: of({ resourceClaims: [{ name: 'a' }, { name: 'a' }] }),
  'devices.claims': devices({ gpus: [{ name: 'g' }] }),
  'hostname.label': of({ hostname: 'My_Guest' }),
  'subdomain.name': of({ subdomain: 'a..b' }),
  'serviceAccountName.name': of({ serviceAccountName: 'A' }),
  'serviceAccountName.volume': of({
    serviceAccountName: 'a',
    volumes: [{ name: 'sa', serviceAccount: { serviceAccountName: 'b' } }],
  }),
  'memory.requests.minimum': domain({ resources: { requests: { memory: '64k' } } }),
  'memory.limits.positive': domain({ resources: { limits: { memory: '-1' } } }),
  'memory.requests.limit': domain({ resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } }),
  'memory.hugepages.size': domain({ memory: { guest: '3Mi', hugepages: { pageSize: '2Mi' } } }),
  'memory.guest.limit': {
    ...domain({ memory: { guest: '2Gi' }, resources: { limits: { memory: '1Gi' } } }),
    configuration: { vmRolloutStrategy: 'Stage' },
  },
  'memory.reservedOverhead.gate': domain({ memory: { reservedOverhead: {} } }),
  'machine.type': domain({ machine: { type: 'pc-i440fx-2.10' } }),
  'firmware.acpi': domain({ firmware: { acpi: { slicNameRef: 'missing' } } }),
  'cpu.requests.positive': domain({ resources: { requests: { cpu: '-1' } } }),
  'cpu.limits.positive': domain({ resources: { limits: { cpu: '-1' } } }),
  'cpu.requests.limit': domain({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
  'cpu.features.policy': domain({ cpu: { features: [{ name: 'lahf_lm', policy: 'maybe' }] } }),
  'cpu.sockets.maximum': domain({ cpu: { sockets: 4, maxSockets: 2 } }),
  'cpu.dedicated.memory': domain({ cpu: { dedicatedCpuPlacement: true } }),
  'cpu.dedicated.requests.integer': pinned({}, { requests: { cpu: '1500m' } }),
  'cpu.dedicated.limits.integer': pinned({}, { limits: { cpu: '1500m' } }),
  'cpu.dedicated.memory.equal': pinned({}, { requests: { memory: '1Gi' }, limits: { memory: '2Gi' } }),
  'cpu.dedicated.count': pinned({}),
  'cpu.dedicated.equal': pinned({}, { requests: { cpu: '1' }, limits: { cpu: '2' } }),
  'cpu.dedicated.topology': pinned({ cores: 4 }, { requests: { cpu: '2' } }),
  'cpu.dedicated.threads.arm64': {
    ...pinned({ threads: 2 }),
    configuration: { architectureConfiguration: { defaultArchitecture: 'arm64' } },
  },
  'cpu.dedicated.threads': pinned({ threads: 3 }),
  'cpu.numa': domain({ cpu: { numa: { guestMappingPassthrough: {} } } }),
  'cpu.isolateEmulatorThread': domain({ cpu: { isolateEmulatorThread: true } }),
  'cpu.realtime': domain({ cpu: { realtime: {} } }),
  startStrategy: of({ startStrategy: 'Running' }),
  affinity: of({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }),
  topologySpreadConstraints: of({
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: '', whenUnsatisfiable: 'DoNotSchedule' }],
  }),
  'disks.volume': devices({ disks: [{ name: 'root', disk: {} }] }),
  'disks.lun.volume': devices({ disks: [{ name: 'root', lun: {} }] }, { volumes: [ROOT] }),
  'disks.downwardMetrics': devices(
    { disks: [{ name: 'm', disk: { bus: 'sata' } }] },
    { volumes: [{ name: 'm', downwardMetrics: {} }] },
  ),
  'bootOrder.unique': devices({
    disks: [
      { name: 'a', bootOrder: 1 },
      { name: 'b', bootOrder: 1 },
    ],
  }),
  'disks.reservation': devices({ disks: [{ name: 'a', lun: { reservation: true } }] }),
  inputs: devices({ inputs: [{ name: 'i', type: 'tablet', bus: 'ps2' }] }),
  ioThreadsPolicy: domain({ ioThreadsPolicy: 'many' as never }),
  'probes.handler': of({ readinessProbe: {} }),
  'probes.network': of({ readinessProbe: { tcpSocket: { port: 22 } } }),
  'disks.name.unique': devices({ disks: [{ name: 'a' }, { name: 'a' }] }),
  'disks.target.single': disk({ cdrom: {} }),
  'disks.pciAddress': disk({ disk: { bus: 'sata', pciAddress: '0000:81:01.0' } }),
  'disks.bootOrder.positive': disk({ bootOrder: 0 }),
  'disks.bus': disk({ disk: { bus: 'ide' } }),
  'disks.dedicatedIOThread': disk({ disk: { bus: 'sata' }, dedicatedIOThread: true }),
  'disks.serial': disk({ serial: 'my serial' }),
  'disks.cache': disk({ cache: 'fast' }),
  'disks.io': disk({ io: 'fast' }),
  'disks.errorPolicy': disk({ errorPolicy: 'retry' }),
  'disks.name.label': disk({ name: 'My_Disk' }),
  'disks.blockSize': disk({ blockSize: { custom: { logical: 1000, physical: 1000 } } }),
  'firmware.bootloader': domain({ firmware: { bootloader: { bios: {}, efi: {} } } }),
  'firmware.kernelBoot': domain({ firmware: { kernelBoot: { kernelArgs: 'quiet' } } }),
  'firmware.secureBoot': domain({ firmware: { bootloader: { efi: {} } } }),
  'volumes.name.unique': of({ volumes: [ROOT, ROOT] }),
  'volumes.source.single': of({ volumes: [{ name: 'root' }] }),
  'volumes.dataVolume.name': of({ volumes: [{ name: 'root', dataVolume: { name: '' } }] }),
  'volumes.downwardMetrics.gate': of({ volumes: [{ name: 'm', downwardMetrics: {} }] }),
  'volumes.hostDisk': of({ volumes: [{ name: 'h', hostDisk: { path: '/d.img', type: 'Disk' } }] }),
  'volumes.reference': of({ volumes: [{ name: 'c', configMap: {} }] }),
  'volumes.single': of({
    volumes: ['a', 'b'].map((name) => ({ name, serviceAccount: { serviceAccountName: 'x' } })),
  }),
  'volumes.containerDisk.path': of({
    volumes: [{ name: 'r', containerDisk: { image: 'i', path: 'disk.img' } }],
  }),
  'volumes.cloudInit': of({ volumes: [{ name: 'c', cloudInitNoCloud: {} }] }),
  accessCredentials: of({ accessCredentials: [{}] }),
  dnsPolicy: of({ dnsPolicy: 'Mine' }),
  dnsConfig: of({ dnsPolicy: 'None', dnsConfig: { nameservers: [] } }),
  evictionStrategy: of({ evictionStrategy: 'Maybe' }),
  'rebootPolicy.gate': {
    ...domain({ rebootPolicy: 'Terminate' }),
    configuration: { developerConfiguration: { disabledFeatureGates: ['RebootPolicy'] } },
  },
  'gpus.ramFB': devices({
    gpus: ['a', 'b'].map((name) => ({ name, deviceName: 'd', virtualGPUOptions: { display: {} } })),
  }),
  'devices.graceIO': {
    ...devices({ gpus: [{ name: 'g', deviceName: 'nvidia.com/GH100' }] }),
    configuration: {
      permittedHostDevices: {
        pciHostDevices: [{ pciVendorSelector: '10de:2342', resourceName: 'nvidia.com/GH100' }],
      },
    },
  },
  'hostDevices.gate': devices({ hostDevices: [{ name: 'h', deviceName: 'd' }] }),
  sound: devices({ sound: { name: 's', model: 'sb16' } }),
  'vsock.gate': devices({ autoattachVSOCK: true }),
  'downwardMetrics.gate': devices({ downwardMetrics: {} }),
  'video.graphics': devices({ autoattachGraphicsDevice: false, video: { type: 'vga' } }),
  panicDevices: devices({ panicDevices: [{ model: 'loud' }] }),
  launchSecurity: domain({ launchSecurity: { sev: {} } }, { architecture: 'amd64' }),
  'filesystems.virtiofs.gate': devices(
    { filesystems: [{ name: 'p', virtiofs: {} }] },
    { volumes: [{ name: 'p', persistentVolumeClaim: { claimName: 'c' } }] },
  ),
  'utilityVolumes.gate': of({ utilityVolumes: [{ name: 'u', claimName: 'c' }] }),
  'volumes.containerPath': of({ volumes: [{ name: 'c', containerPath: { path: '/proc/1' } }] }),
  'volumes.mapped': of({ volumes: [ROOT] }),
  'memory.required': of({}),
  'utilityVolumes.create': of({ utilityVolumes: [{ name: 'u', claimName: 'c' }] }, gates('UtilityVolumes')),
  'hyperv.dependencies': domain({
    features: { hyperv: { synic: { enabled: true }, vpindex: { enabled: false } } },
  }),
  'hyperv.evmcs': domain({ features: { hyperv: { evmcs: { enabled: true } } } }),
  'hyperv.passthrough': domain({ features: { hyperv: {}, hypervPassthrough: {} } }),
  architecture: of({ architecture: 'ppc64le' }),
  'watchdog.architecture': devices({ watchdog: { name: 'w', i6300esb: {} } }, { architecture: 'arm64' }),
  'video.architecture': devices({ video: { type: 'qxl' } }, { architecture: 'amd64' }),
  arm64: domain({ cpu: { model: 'host-model' } }, { architecture: 'arm64' }),
  'vm.memory.maxGuest': domain({ memory: { guest: '512Mi', maxGuest: '1Gi' } }, { architecture: 'amd64' }),
};
