/**
 * VMI → Domain. The list of parts is the table of contents of this package: each part turns one area of the spec
 * into one piece of the domain, and the pieces are merged in order.
 */
import { launcherPaths, type VirtualMachineInstance } from '@podvisor/api';
import { architectureOf, virtioModel } from './platform/architecture.ts';
import { cpuTopology, vcpuCountOf } from './cpu/cpu-topology.ts';
import type { ConverterContext } from './context.ts';
import { hotplugPortFields, hotplugPorts } from './devices/hotplug-ports.ts';
import { isEncrypted } from './platform/launch-security.ts';
import { mergeDomains } from './merge.ts';
import type { Domain } from './model/domain.ts';
import { placeByNuma } from './cpu/numa-placement.ts';
import type { Conversion } from './part.ts';
import { parts } from './parts.ts';
import { isOnRootComplex, placeOnRootComplex } from './devices/root-complex.ts';

/** The domain of a VMI. Throws ConversionError. */
export function convertVmiToDomain(vmi: VirtualMachineInstance, context: ConverterContext): Domain {
  const input = conversionOf(vmi, context);
  const merged = parts.reduce((whole, part) => mergeDomains(whole, part.convert(input)), {} as Domain);
  const domain = placeByNuma(merged, input);
  return isOnRootComplex(input)
    ? placeOnRootComplex(domain)
    : mergeDomains(domain, hotplugPorts(domain, input));
}

/** What one part contributed, and from which fields. */
export interface ExplainedPart {
  readonly part: string;
  readonly fields: readonly string[];
  readonly domain: Domain;
}

/** The same conversion, part by part: what each one contributed. */
export function explainDomain(
  vmi: VirtualMachineInstance,
  context: ConverterContext,
): readonly ExplainedPart[] {
  const input = conversionOf(vmi, context);
  const explained = parts.map(({ name, fields, convert }) => ({
    part: name,
    fields,
    domain: convert(input),
  }));
  const domain = explained.reduce((whole, part) => mergeDomains(whole, part.domain), {} as Domain);
  const ports = hotplugPorts(domain, input);
  return [...explained, { part: 'hotplug-ports', fields: hotplugPortFields, domain: ports }];
}

function conversionOf(vmi: VirtualMachineInstance, context: ConverterContext): Conversion {
  const architecture = architectureOf(vmi.spec.architecture ?? context.architecture);
  const transitional = vmi.spec.domain.devices.useVirtioTransitional ?? false;
  return {
    vmi,
    name: vmi.metadata?.name ?? '',
    namespace: vmi.metadata?.namespace ?? '',
    uid: vmi.metadata?.uid ?? '',
    annotations: vmi.metadata?.annotations ?? {},
    spec: vmi.spec,
    context,
    architecture,
    paths: launcherPaths(context.paths),
    virtio: virtioModel(architecture, transitional),
    encrypted: isEncrypted(vmi.spec, architecture),
    vcpuCount: vcpuCountOf(cpuTopology(vmi.spec)),
    crossesArchitectures: isForeign(vmi.spec.architecture, context.hostArchitecture),
  };
}

/** Only where both are told: nobody emulates by accident. */
function isForeign(guest: string | undefined, host: string | undefined): boolean {
  return Boolean(guest && host && guest !== host);
}
