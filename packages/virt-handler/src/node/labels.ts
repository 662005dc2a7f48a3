/** Node labels from libvirt's capabilities. Pure. */

import { nodeLabelPrefixes as prefixes } from '@podvisor/api';

/** All labels of these prefixes are ours: what is not wanted any more is taken away. */
export const OWNED_PREFIXES = [
  prefixes.machineType,
  prefixes.cpuModel,
  prefixes.cpuModelMigration,
  prefixes.cpuFeature,
  prefixes.cpuVendor,
  prefixes.hostModelCPU,
  prefixes.hostModelRequiredFeatures,
  prefixes.vmArchitecture,
] as const;

export interface LabelInput {
  readonly capabilities: string;
  readonly domainCapabilities: string;
  /** Models that must not be offered. */
  readonly obsoleteModels: ReadonlySet<string>;
  /** Pods look for nodes by the architectures that they can run (the gate CrossArchitectureVirtualization). */
  readonly namesArchitecture?: boolean;
}

/** Models that every installation leaves out. */
export const DEFAULT_OBSOLETE_MODELS: readonly string[] = [
  '486',
  'pentium',
  'pentium2',
  'pentium3',
  'pentiumpro',
  'coreduo',
  'n270',
  'core2duo',
  'Conroe',
  'athlon',
  'phenom',
  'qemu32',
  'qemu64',
  'kvm32',
  'kvm64',
  'Opteron_G1',
  'Opteron_G2',
];

const LABEL_NAME = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

export function capabilityLabels(input: LabelInput): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  const set = (prefix: (typeof OWNED_PREFIXES)[number], name: string): void => {
    if (LABEL_NAME.test(name)) labels[`${prefix}${name}`] = 'true';
  };
  for (const machine of machineTypes(input.capabilities)) set(prefixes.machineType, machine);
  if (input.namesArchitecture)
    set(prefixes.vmArchitecture, ARCHITECTURES[hostArchitecture(input.capabilities)] ?? '');
  const cpu = hostCpu(input.domainCapabilities);
  const models = cpu.usableModels.filter((model) => !input.obsoleteModels.has(model));
  for (const model of models) {
    set(prefixes.cpuModel, model);
    set(prefixes.cpuModelMigration, model);
  }
  for (const feature of cpu.features) set(prefixes.cpuFeature, feature);
  if (cpu.vendor !== undefined) set(prefixes.cpuVendor, cpu.vendor);
  if (cpu.model !== undefined) {
    set(prefixes.hostModelCPU, cpu.model);
    set(prefixes.cpuModelMigration, cpu.model);
    for (const feature of cpu.features) set(prefixes.hostModelRequiredFeatures, feature);
  }
  return labels;
}

/** Those that QEMU will not have for much longer. */
export function deprecatedMachineTypes(capabilities: string): readonly string[] {
  const own = guestOfHost(capabilities);
  return [
    ...new Set(
      [...own.matchAll(/<machine[^>]*deprecated='yes'[^>]*>([^<]+)<\/machine>/g)].map((m) => m[1] ?? ''),
    ),
  ];
}

/** Machine types of the host's own architecture. */
export function machineTypes(capabilities: string): readonly string[] {
  const own = guestOfHost(capabilities);
  return [...new Set([...own.matchAll(/<machine[^>]*>([^<]+)<\/machine>/g)].map((match) => match[1] ?? ''))];
}

/** Kubernetes' names of libvirt's architectures. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64', s390x: 's390x' };

function hostArchitecture(capabilities: string): string {
  return /<host>[\s\S]*?<arch>([^<]+)<\/arch>/.exec(capabilities)?.[1] ?? 'x86_64';
}

function guestOfHost(capabilities: string): string {
  const architecture = hostArchitecture(capabilities);
  const guests = capabilities.split('<guest>').slice(1);
  return guests.find((guest) => guest.includes(`<arch name='${architecture}'>`)) ?? '';
}

/** libvirt has a name for the CPU of this host, so that another host can be asked for it. */
export function hasHostModel(domainCapabilities: string): boolean {
  return hostCpu(domainCapabilities).model !== undefined;
}

interface HostCpu {
  readonly model?: string;
  readonly vendor?: string;
  readonly features: readonly string[];
  readonly usableModels: readonly string[];
}

function hostCpu(domainCapabilities: string): HostCpu {
  const hostModel = /<mode name='host-model'[^>]*>([\s\S]*?)<\/mode>/.exec(domainCapabilities)?.[1] ?? '';
  const custom = /<mode name='custom'[^>]*>([\s\S]*?)<\/mode>/.exec(domainCapabilities)?.[1] ?? '';
  const model = /<model[^>]*>([^<]+)<\/model>/.exec(hostModel)?.[1];
  const vendor = /<vendor>([^<]+)<\/vendor>/.exec(hostModel)?.[1];
  const attribute = (tag: string, name: string): string | undefined =>
    new RegExp(`\\b${name}='([^']*)'`).exec(tag)?.[1];
  const features = [...hostModel.matchAll(/<feature\b[^>]*>/g)]
    .filter((tag) => attribute(tag[0], 'policy') === 'require')
    .flatMap((tag) => attribute(tag[0], 'name') ?? []);
  const usableModels = [...custom.matchAll(/(<model\b[^>]*>)([^<]+)<\/model>/g)]
    .filter((match) => attribute(match[1] ?? '', 'usable') === 'yes')
    .map((match) => match[2] ?? '');
  return {
    ...(model === undefined ? {} : { model }),
    ...(vendor === undefined ? {} : { vendor }),
    features,
    usableModels,
  };
}
