/**
 * The domain XML with a comment beside each setting and device: which field of the VMI, or which rule, it comes
 * from. For people; libvirt is given `domainToXml`.
 */
import type { VirtualMachineInstance } from '@podvisor/api';
import { writeXml } from '../xml/write.ts';
import type { XmlElement } from '../xml/tree.ts';
import type { ConverterContext } from './context.ts';
import { type ExplainedPart, explainDomain } from './convert.ts';
import { reasonOfDevice } from './devices/device-reasons.ts';
import { launcherDomain } from './launcher-domain.ts';
import { domainCodec } from './model/domain.ts';

/** The XML of a VMI's domain, explained. Throws ConversionError. */
export function explainedDomainXml(vmi: VirtualMachineInstance, context: ConverterContext): string {
  const root = domainCodec.encode('domain', launcherDomain(vmi, context));
  const pieces = explainDomain(vmi, context).map((part) => ({
    part,
    tree: domainCodec.encode('domain', part.domain),
  }));
  const children = root.children.map((child) =>
    child.name === 'devices' ? explainDevices(child, pieces, vmi) : explainSetting(child, pieces),
  );
  return writeXml({ ...root, children });
}

interface Piece {
  readonly part: ExplainedPart;
  readonly tree: XmlElement;
}

/** Settings of every domain that no field of the VMI asks for. */
const OF_EVERY_DOMAIN: Readonly<Record<string, string>> = {
  'qemu:commandline': 'a monitor at which virt-handler reads metrics',
};

/** A setting may be put together by several parts. */
function explainSetting(setting: XmlElement, pieces: readonly Piece[]): XmlElement {
  const fields = pieces
    .filter(({ tree }) => tree.children.some(({ name }) => name === setting.name))
    .flatMap(({ part }) => part.fields)
    .concat(OF_EVERY_DOMAIN[setting.name] ?? []);
  return fields.length === 0 ? setting : { ...setting, comment: [...new Set(fields)].join(', ') };
}

/** Parts add devices one after the other, so the n-th of a name belongs to the part that made the n-th. */
function explainDevices(
  devices: XmlElement,
  pieces: readonly Piece[],
  vmi: VirtualMachineInstance,
): XmlElement {
  const makers = new Map<string, ExplainedPart[]>();
  for (const { part, tree } of pieces) {
    const own = tree.children.find(({ name }) => name === 'devices')?.children ?? [];
    for (const { name } of own) makers.set(name, [...(makers.get(name) ?? []), part]);
  }
  const seen = new Map<string, number>();
  return {
    ...devices,
    children: devices.children.map((device) => {
      const index = seen.get(device.name) ?? 0;
      seen.set(device.name, index + 1);
      const fields = makers.get(device.name)?.[index]?.fields ?? [];
      return { ...device, comment: reasonOfDevice(device, vmi) ?? fields.join(', ') };
    }),
  };
}
