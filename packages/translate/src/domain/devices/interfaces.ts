/** `<interface>`: NICs. */
import { annotations as annotationKeys, type Interface } from '@podvisor/api';
import type { AttachedInterface } from '../context.ts';
import type { DomainNetworkInterface } from '../model/interface.ts';
import { pciAddress } from './pci-address.ts';
import { ConversionError, type Conversion, type Part } from '../part.ts';

const MAX_QUEUES = 256;
/** Ports of the mesh's own proxy in the Pod. */
const ISTIO_PORTS = [15000, 15001, 15004, 15006, 15008, 15009, 15020, 15021, 15053, 15090] as const;

/** NICs of the spec that are not passed-through devices. */
export const interfacesPart: Part = {
  name: 'interfaces',
  fields: [
    'spec.domain.devices.interfaces',
    'spec.networks',
    'spec.domain.devices.networkInterfaceMultiqueue',
  ],
  convert: (input) => {
    const interfaces = (input.spec.domain.devices.interfaces ?? []).flatMap((nic, index) => {
      const field = `spec.domain.devices.interfaces[${index}]`;
      if (nic.state === 'absent') return [];
      if (!input.spec.networks?.some(({ name }) => name === nic.name)) {
        throw new ConversionError(`failed to find network ${nic.name}`, field);
      }
      return isElsewhere(nic, input) ? [] : [networkInterface(nic, field, input)];
    });
    return interfaces.length === 0 ? {} : { devices: { interfaces } };
  },
};

/** Passed-through devices are no interfaces, and a binding plugin without a tap edits the XML itself. */
function isElsewhere(nic: Interface, { context }: Conversion): boolean {
  if (nic.sriov !== undefined) return true;
  if (nic.binding === undefined) return false;
  const attached = context.interfaces.find(({ name }) => name === nic.name);
  return attached === undefined || (attached.domainAttachment ?? 'tap') !== 'tap';
}

function networkInterface(nic: Interface, field: string, input: Conversion): DomainNetworkInterface {
  const attached = input.context.interfaces.find(({ name }) => name === nic.name);
  const isVirtio = nic.model === undefined || nic.model === '' || nic.model === 'virtio';
  const mac = attached?.mac || nic.macAddress;
  return {
    ...attachment(nic, attached, input),
    model: { type: isVirtio ? input.virtio : nic.model },
    ...(mac ? { mac: { address: mac } } : {}),
    ...(nic.state === 'down' ? { link: { state: 'down' } } : {}),
    ...(nic.bootOrder === undefined ? {} : { boot: { order: String(nic.bootOrder) } }),
    ...(isStream(nic, input) ? {} : driver(isVirtio, input)),
    // iPXE does not know about encrypted memory.
    ...(input.encrypted && input.architecture.nicRom ? { rom: { enabled: 'no' } } : {}),
    ...(nic.acpiIndex ? { acpi: { index: nic.acpiIndex } } : {}),
    alias: { name: `ua-${nic.name}` },
    ...(nic.pciAddress
      ? { address: pciAddress(nic.pciAddress, `${field}.pciAddress`, `interface ${nic.name}`) }
      : {}),
  };
}

/** How the NIC meets the Pod's network. A NIC that phase 1 has not prepared stays without a type. */
function attachment(
  nic: Interface,
  attached: AttachedInterface | undefined,
  input: Conversion,
): DomainNetworkInterface {
  if (nic.passtBinding !== undefined) return passt(nic, attached, input);
  if (attached === undefined) return { type: '', source: {} };
  const rom = nic.bootOrder === undefined && input.architecture.nicRom ? { rom: { enabled: 'no' } } : {};
  return {
    type: 'ethernet',
    source: {},
    ...(attached.tapDevice === undefined ? {} : { target: { dev: attached.tapDevice, managed: 'no' } }),
    ...(attached.mtu === undefined ? {} : { mtu: { size: attached.mtu } }),
    ...rom,
  };
}

function passt(
  nic: Interface,
  attached: AttachedInterface | undefined,
  input: Conversion,
): DomainNetworkInterface {
  const { passtInterface } = input.context;
  const rom = input.architecture.nicRom && nic.bootOrder === undefined ? { rom: { enabled: 'no' } } : {};
  if (passtInterface?.kind === 'client')
    return { type: 'client', source: { address: '127.0.0.1', port: passtInterface.port }, ...rom };
  const status = input.vmi.status?.interfaces?.find(({ name }) => name === nic.name);
  return {
    type: 'vhostuser',
    source: { dev: attached?.podInterface ?? (status?.podInterfaceName || 'eth0') },
    ...rom,
    backend: { type: 'passt', logFile: `${input.paths.shareDir}/passt.log` },
    portForwards: portForwards(nic, input),
  };
}

/** passt behind a socket: QEMU itself carries the packets, in one queue. */
function isStream(nic: Interface, { context }: Conversion): boolean {
  return nic.passtBinding !== undefined && context.passtInterface?.kind === 'client';
}

/** Without a list, everything is forwarded; ports of a service mesh's proxy stay with the proxy. */
function portForwards(nic: Interface, { annotations }: Conversion): DomainNetworkInterface['portForwards'] {
  const hasProxy = annotations[annotationKeys.istioInject]?.toLowerCase() === 'true';
  const portsOf = (proto: string) =>
    (nic.ports ?? [])
      .filter(({ protocol }) => (protocol || 'TCP').toLowerCase() === proto)
      .map(({ port }) => ({ start: port }));
  const kept = hasProxy ? ISTIO_PORTS.map((start) => ({ start, exclude: 'yes' })) : [];
  const ranges = { tcp: [...kept, ...portsOf('tcp')], udp: portsOf('udp') };
  const protocols = ['tcp', 'udp'] as const;
  if (protocols.every((proto) => ranges[proto].length === 0)) return protocols.map((proto) => ({ proto }));
  return protocols
    .filter((proto) => ranges[proto].length > 0)
    .map((proto) => ({ proto, range: ranges[proto] }));
}

function driver(isVirtio: boolean, { spec, vcpuCount, encrypted }: Conversion): DomainNetworkInterface {
  if (!isVirtio) return {};
  const queues = spec.domain.devices.networkInterfaceMultiqueue ? Math.min(vcpuCount, MAX_QUEUES) : undefined;
  if (queues === undefined && !encrypted) return {};
  return {
    driver: {
      name: 'vhost',
      ...(queues === undefined ? {} : { queues }),
      ...(encrypted ? { iommu: 'on' } : {}),
    },
  };
}
