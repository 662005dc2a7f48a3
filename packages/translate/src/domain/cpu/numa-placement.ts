/**
 * Passed-through PCI devices beside the memory they work with (gate PCINUMAAwareTopology): one expander bus for each
 * guest NUMA cell that has such devices, and a root port on it for each of them. A device whose cell is not known
 * stays where libvirt puts it, unless the VMI mirrors the host's topology: then it is an error.
 */
import type { Address } from '../model/common.ts';
import type { DomainController, DomainHostDevice } from '../model/devices.ts';
import type { Domain } from '../model/domain.ts';
import { mapsHostNuma } from '../memory/memory-backing.ts';
import { ConversionError, type Conversion } from '../part.ts';

/** Expander buses are numbered from the top, so that the board's own buses have room below. */
const LAST_BUS = 255;

/** `domain` with its PCI devices placed by NUMA cell. Throws ConversionError where a place is a promise. */
export function placeByNuma(domain: Domain, input: Conversion): Domain {
  const { architecture, context, spec } = input;
  if (!context.numaAwarePci || !spec.domain.cpu?.dedicatedCpuPlacement || !architecture.pciVirtio)
    return domain;
  try {
    return placed(domain, input);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    if (!mapsHostNuma(spec)) return domain;
    throw new ConversionError(
      `failed to process strict PCIe NUMA-aware topology: ${error.message}`,
      'spec.domain.cpu.numa.guestMappingPassthrough',
    );
  }
}

function placed(domain: Domain, input: Conversion): Domain {
  const devices = domain.devices?.hostDevices ?? [];
  const { cells, problems } = cellsOf(devices, domain, input);
  if (problems.length > 0 && mapsHostNuma(input.spec))
    throw new ConversionError(`strict PCI NUMA-aware placement failed: ${problems.join('; ')}`);
  const { addresses, controllers } = topologyOf(cells, highestIndex(domain));
  const hostDevices = devices.map((device) => {
    const address = addresses.get(sourceOf(device));
    return address === undefined || device.type !== 'pci' ? device : { ...device, address };
  });
  return {
    ...domain,
    devices: {
      ...domain.devices,
      ...(devices.length > 0 && { hostDevices }),
      controllers: [...(domain.devices?.controllers ?? []), ...controllers],
    },
  };
}

/** Sources of devices by the guest cell they belong to, and why others belong to none. */
function cellsOf(
  devices: readonly DomainHostDevice[],
  domain: Domain,
  input: Conversion,
): { readonly cells: ReadonlyMap<number, readonly string[]>; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const cells = new Map<number, string[]>();
  const free = devices
    .filter(({ type }) => type === 'pci')
    .filter((device) => {
      if (device.source?.address === undefined) {
        problems.push('PCI host device has no source address, skipping pcie-expander-bus assignment');
        return false;
      }
      if (!hasAddress(device.address)) return true;
      problems.push(
        `device ${sourceOf(device)} already has a guest PCI address, skipping pcie-expander-bus assignment`,
      );
      return false;
    });
  for (const source of free.map(sourceOf).toSorted()) {
    const cell = cellOf(source, domain, input);
    if (typeof cell === 'number') cells.set(cell, [...(cells.get(cell) ?? []), source]);
    else problems.push(`device ${source} cannot be placed on a NUMA-aware PCIe topology: ${cell}`);
  }
  return { cells, problems };
}

/** The guest cell of a device, or the reason why it has none. */
function cellOf(source: string, domain: Domain, { context }: Conversion): number | string {
  const guestCells = domain.cpu?.numa?.cells ?? [];
  if (guestCells.length === 0) return 'no guest NUMA node mapping is available';
  const hostNode = hostNodeOf(source, context);
  if (hostNode === undefined) return 'failed to read host NUMA affinity';
  const bound = (domain.numaTune?.memNodes ?? []).filter(({ nodeset }) => nodeset === String(hostNode));
  // A host cell behind several guest cells does not tell them apart; the CPUs may.
  if (bound.length === 1) return Number(bound[0]?.cellId);
  const cpus = context.hostTopology?.find(({ id }) => id === hostNode)?.cpus ?? [];
  for (const { id } of cpus) {
    const vcpu = domain.cpuTune?.vcpuPins?.find(({ cpuset }) => cpuset === String(id))?.vcpu;
    const cell = guestCells.find(({ cpus: list }) => list?.split(',').includes(String(vcpu)));
    if (vcpu !== undefined && cell !== undefined) return Number(cell.id);
  }
  return `host NUMA node ${hostNode} cannot be mapped to a guest NUMA cell`;
}

/** On a host with a single cell, every device is beside it. */
function hostNodeOf(source: string, context: Conversion['context']): number | undefined {
  const told = context.deviceNumaNodes?.[source];
  if (told !== undefined) return told < 0 ? undefined : told;
  const cells = context.hostTopology ?? [];
  return context.deviceNumaNodes === undefined && cells.length === 1 ? cells[0]?.id : undefined;
}

function topologyOf(
  cells: ReadonlyMap<number, readonly string[]>,
  highest: number,
): {
  readonly controllers: readonly DomainController[];
  readonly addresses: ReadonlyMap<string, Address>;
} {
  const controllers: DomainController[] = [];
  const addresses = new Map<string, Address>();
  let lastBus = LAST_BUS;
  for (const [cell, sources] of [...cells].toSorted(([one], [other]) => one - other)) {
    const expander = highest + controllers.length + 1;
    const ports = sources.map((source, slot): DomainController => {
      const index = expander + slot + 1;
      if (index >= lastBus)
        throw new ConversionError(
          `failed to create PCIe topology with NUMA alignment: insufficient bus numbers for device ${source}`,
        );
      addresses.set(source, pciAddress(String(index), '0x00'));
      return {
        type: 'pci',
        index,
        model: 'pcie-root-port',
        address: pciAddress(String(expander), slotText(slot)),
      };
    });
    const busNr = LAST_BUS - (controllers.length + 1 + ports.length) + 1;
    const target = { busNr, node: String(cell) };
    controllers.push({ type: 'pci', index: expander, model: 'pcie-expander-bus', target }, ...ports);
    lastBus = busNr;
  }
  return { controllers, addresses };
}

function highestIndex({ devices }: Domain): number {
  return Math.max(0, ...(devices?.controllers ?? []).map(({ index = 0 }) => index));
}

function pciAddress(bus: string, slot: string): Address {
  return { type: 'pci', domain: '0x0000', bus, slot, function: '0x0' };
}

function slotText(slot: number): string {
  return `0x${slot.toString(16).padStart(2, '0')}`;
}

/** `0000:81:01.0`: how a device is named on the node. */
function sourceOf({ source }: DomainHostDevice): string {
  const { domain = '', bus = '', slot = '', function: fn = '' } = source?.address ?? {};
  const [d, b, s, f] = [domain, bus, slot, fn].map((part) => part.replace(/^0x/, ''));
  return `${d}:${b}:${s}.${f}`;
}

function hasAddress(address: Address | undefined): boolean {
  return [address?.domain, address?.bus, address?.slot, address?.function].some(Boolean);
}
