/** `create instancetype`, `create preference`, `create clone`: manifests from flags. Pure. */
import { isQuantity } from '@podvisor/base';
import { flagError, parseParams, required } from './params.ts';

export interface InstancetypeFlags {
  readonly name?: string;
  readonly namespaced: boolean;
  readonly namespace?: string;
  readonly cpu: string;
  readonly memory: string;
  readonly gpu: readonly string[];
  readonly hostdevice: readonly string[];
  readonly iothreadspolicy?: string;
}

const INSTANCETYPE_API = 'instancetype.kubevirt.io/v1beta1';

export function instancetypeManifest(flags: InstancetypeFlags, random: () => string): unknown {
  if (!isQuantity(flags.memory)) throw flagError('memory', `"${flags.memory}" is not a quantity`);
  const guest = Number(flags.cpu);
  if (!Number.isInteger(guest) || guest <= 0) throw new Error('cpu value must be greater than zero');
  const policy = flags.iothreadspolicy;
  if (policy !== undefined && policy !== 'auto' && policy !== 'shared')
    throw flagError('iothreadspolicy', 'IOThread must be of value auto or shared');
  const devices = (flag: string, texts: readonly string[]): readonly unknown[] | undefined =>
    texts.length === 0
      ? undefined
      : texts.map((text) => {
          const params = parseParams(flag, text, ['name', 'devicename']);
          return { name: required(flag, params, 'name'), deviceName: required(flag, params, 'devicename') };
        });
  return {
    apiVersion: INSTANCETYPE_API,
    kind: flags.namespaced ? 'VirtualMachineInstancetype' : 'VirtualMachineClusterInstancetype',
    metadata: named(flags, 'instancetype', random),
    spec: {
      cpu: { guest },
      memory: { guest: flags.memory },
      gpus: devices('gpu', flags.gpu),
      hostDevices: devices('hostdevice', flags.hostdevice),
      ioThreadsPolicy: policy,
    },
  };
}

export interface PreferenceFlags {
  readonly name?: string;
  readonly namespaced: boolean;
  readonly namespace?: string;
  readonly cpuTopology?: string;
  readonly machineType?: string;
  readonly volumeStorageClass?: string;
}

const TOPOLOGIES = [
  'preferSockets',
  'preferCores',
  'preferThreads',
  'preferSpread',
  'preferAny',
  'sockets',
  'cores',
  'threads',
  'spread',
  'any',
];

export function preferenceManifest(flags: PreferenceFlags, random: () => string): unknown {
  if (flags.cpuTopology !== undefined && !TOPOLOGIES.includes(flags.cpuTopology))
    throw flagError('cpu-topology', `CPU topology must have a value of ${TOPOLOGIES.join(', ')}`);
  return {
    apiVersion: INSTANCETYPE_API,
    kind: flags.namespaced ? 'VirtualMachinePreference' : 'VirtualMachineClusterPreference',
    metadata: named(flags, 'preference', random),
    spec: {
      ...(flags.cpuTopology === undefined ? {} : { cpu: { preferredCPUTopology: flags.cpuTopology } }),
      ...(flags.machineType === undefined ? {} : { machine: { preferredMachineType: flags.machineType } }),
      ...(flags.volumeStorageClass === undefined
        ? {}
        : { volumes: { preferredStorageClassName: flags.volumeStorageClass } }),
    },
  };
}

function named(
  flags: { readonly name?: string; readonly namespaced: boolean; readonly namespace?: string },
  what: string,
  random: () => string,
): unknown {
  const name = flags.name ?? `${flags.namespaced ? '' : 'cluster'}${what}-${random()}`;
  return flags.namespaced ? { name, namespace: flags.namespace } : { name };
}

export interface CloneFlags {
  readonly name?: string;
  readonly namespace?: string;
  readonly sourceName: string;
  readonly sourceType: string;
  readonly targetName?: string;
  readonly targetType: string;
  readonly labelFilter: readonly string[];
  readonly annotationFilter: readonly string[];
  readonly templateLabelFilter: readonly string[];
  readonly templateAnnotationFilter: readonly string[];
  readonly newMacAddress: readonly string[];
  readonly newSmbiosSerial?: string;
  readonly warm?: boolean;
  readonly identityless?: boolean;
}

const some = (list: readonly string[]): readonly string[] | undefined =>
  list.length === 0 ? undefined : list;

export function cloneManifest(flags: CloneFlags, random: () => string): unknown {
  if (flags.sourceName === '') throw new Error('source name must not be empty');
  const source = reference('source', flags.sourceType, flags.sourceName, ['vm', 'vmsnapshot']);
  if (flags.warm === true && source.kind !== 'VirtualMachineSnapshot')
    throw new Error('--warm needs a snapshot with memory: --source-type vmsnapshot');
  if (flags.identityless === true && flags.warm !== true)
    throw new Error('--identityless is about warm copies: use it with --warm');
  return {
    apiVersion: 'clone.kubevirt.io/v1beta1',
    kind: 'VirtualMachineClone',
    metadata: { name: flags.name ?? `clone-${random()}`, namespace: flags.namespace },
    spec: {
      source,
      target: reference('target', flags.targetType, flags.targetName ?? '', ['vm']),
      labelFilters: some(flags.labelFilter),
      annotationFilters: some(flags.annotationFilter),
      template: {
        labelFilters: some(flags.templateLabelFilter),
        annotationFilters: some(flags.templateAnnotationFilter),
      },
      newMacAddresses:
        flags.newMacAddress.length === 0
          ? undefined
          : Object.fromEntries(flags.newMacAddress.map(macAddress)),
      newSMBiosSerial: flags.newSmbiosSerial,
      warm: flags.warm,
      identityless: flags.identityless,
    },
    status: {},
  };
}

function reference(
  side: string,
  type: string,
  name: string,
  supported: readonly string[],
): { readonly apiGroup: string; readonly kind: string; readonly name: string } {
  const kind = type.toLowerCase();
  if (kind === 'vm' || kind === 'virtualmachine')
    return { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name };
  const snapshot = ['snapshot', 'vmsnapshot', 'virtualmachinesnapshot'].includes(kind);
  if (!snapshot || !supported.includes('vmsnapshot'))
    throw new Error(`${side} type ${type} is not supported. Supported types: ${supported.join(', ')}`);
  return { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name };
}

/** `interface:address`; an address may itself have colons. */
function macAddress(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  const [name, address] = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)];
  if (colon < 0 || address === '' || name === '')
    throw new Error(`newMacAddress parameter ${text} is invalid: it must be interface:address`);
  return [name, address];
}
