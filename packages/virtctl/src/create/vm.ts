/** `create vm`: a manifest from flags. Pure; nothing is created. */
import { isQuantity, parseQuantity, quantityMeant } from '@podvisor/base';
import { accessCredential, type CloudInitFlags, cloudInitVolume, withCredentials } from './cloud-init.ts';
import { exclusiveError, flagError, prefixedName } from './params.ts';
import { claim, containerDisk, importedVolume, sysprep, type VolumePart } from './volumes.ts';

export interface CreateVmFlags extends CloudInitFlags {
  readonly name?: string;
  readonly namespace?: string;
  readonly runStrategy: string;
  readonly terminationGracePeriod: string;
  readonly memory?: string;
  readonly instancetype?: string;
  readonly inferInstancetype?: boolean;
  readonly inferInstancetypeFrom?: string;
  readonly preference?: string;
  readonly inferPreference?: boolean;
  readonly inferPreferenceFrom?: string;
  readonly volumeContainerdisk: readonly string[];
  readonly volumePvc: readonly string[];
  readonly volumeImport: readonly string[];
  /** Older names of `--volume-import type:ds`, `type:pvc` and `type:blank`. */
  readonly volumeDatasource?: readonly string[];
  readonly volumeClonePvc?: readonly string[];
  readonly volumeBlank?: readonly string[];
  readonly volumeSysprep: readonly string[];
  readonly accessCred: readonly string[];
}

const RUN_STRATEGIES = ['Always', 'Manual', 'Halted', 'Once', 'RerunOnFailure'];
const DEFAULT_MEMORY = '512Mi';

/** The manifest; `random` gives five letters for names. Volumes boot in the order containerDisk, PVC, import. */
export function vmManifest(flags: CreateVmFlags, random: () => string): unknown {
  checkFlags(flags);
  const name = flags.name ?? `vm-${random()}`;
  const parts = [
    ...flags.volumeContainerdisk.map((text, index) => containerDisk(text, index, name)),
    ...flags.volumePvc.map(claim),
    ...imports(flags).map((text) => importedVolume(text, random)),
    ...flags.volumeSysprep.map(sysprep),
  ];
  checkVolumes(parts);
  const credentials = flags.accessCred.map((text) => accessCredential(text, flags.user));
  const cloudInit = cloudInitVolume(withCredentials(flags, credentials));
  const volumes = [...parts.map((part) => part.volume), ...(cloudInit === undefined ? [] : [cloudInit])];
  const disks = parts
    .filter((part) => part.bootOrder !== undefined)
    .map((part) => ({ name: part.volume.name, bootOrder: part.bootOrder }));
  const templates = parts.flatMap((part) => (part.template === undefined ? [] : [part.template]));
  const instancetype = instancetypeMatcher(flags, parts);
  const memory =
    flags.memory === undefined
      ? instancetype.keepMemory
        ? DEFAULT_MEMORY
        : undefined
      : parseQuantity(flags.memory).toString();
  const preference = preferenceMatcher(flags, parts);
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: flags.namespace },
    spec: {
      runStrategy: flags.runStrategy,
      ...(templates.length === 0 ? {} : { dataVolumeTemplates: templates }),
      ...(instancetype.matcher === undefined ? {} : { instancetype: instancetype.matcher }),
      ...(preference === undefined ? {} : { preference }),
      template: {
        metadata: {},
        spec: {
          domain: {
            devices: disks.length === 0 ? {} : { disks },
            ...(memory === undefined ? {} : { memory: { guest: memory } }),
            resources: {},
          },
          terminationGracePeriodSeconds: Number(flags.terminationGracePeriod),
          ...(credentials.length === 0
            ? {}
            : { accessCredentials: credentials.map(({ credential }) => credential) }),
          ...(volumes.length === 0 ? {} : { volumes }),
        },
      },
    },
    status: {},
  };
}

/** Older flags come after `--volume-import`, whatever the order on the command line. */
function imports(flags: CreateVmFlags): readonly string[] {
  const typed = (type: string, all: readonly string[] = []): readonly string[] =>
    all.map((text) => `type:${type},${text}`);
  return [
    ...flags.volumeImport,
    ...typed('ds', flags.volumeDatasource),
    ...typed('pvc', flags.volumeClonePvc),
    ...typed('blank', flags.volumeBlank),
  ];
}

function checkFlags(flags: CreateVmFlags): void {
  if (!RUN_STRATEGIES.includes(flags.runStrategy))
    throw flagError(
      'run-strategy',
      `invalid run strategy "${flags.runStrategy}", supported values are: ${RUN_STRATEGIES.join(', ')}`,
    );
  if (!/^\d+$/.test(flags.terminationGracePeriod))
    throw flagError(
      'termination-grace-period',
      `"${flags.terminationGracePeriod}" is not a number of seconds`,
    );
  if (flags.memory !== undefined && !isQuantity(flags.memory))
    throw flagError('memory', `"${flags.memory}" is not a quantity${quantityMeant(flags.memory)}`);
  exclusive({
    memory: flags.memory,
    instancetype: flags.instancetype,
    'infer-instancetype': flags.inferInstancetype,
    'infer-instancetype-from': flags.inferInstancetypeFrom,
  });
  exclusive({
    preference: flags.preference,
    'infer-preference': flags.inferPreference,
    'infer-preference-from': flags.inferPreferenceFrom,
  });
}

function exclusive(flags: Readonly<Record<string, unknown>>): void {
  const set = Object.keys(flags).filter((flag) => flags[flag] !== undefined);
  if (set.length > 1) throw exclusiveError(Object.keys(flags), set);
}

function checkVolumes(parts: readonly VolumePart[]): void {
  const names = new Set<string>();
  const orders = new Set<number>();
  for (const { flag, volume, bootOrder } of parts) {
    if (names.has(volume.name)) throw flagError(flag, `there is already a volume with name "${volume.name}"`);
    names.add(volume.name);
    if (bootOrder === undefined) continue;
    if (orders.has(bootOrder)) throw flagError(flag, `bootorder ${bootOrder} was specified multiple times`);
    orders.add(bootOrder);
  }
}

/** The volume that boots first: the lowest boot order, else the first. */
function bootVolume(parts: readonly VolumePart[]): VolumePart | undefined {
  const ordered = parts.filter((part) => part.bootOrder !== undefined);
  return ordered.toSorted((a, b) => (a.bootOrder ?? 0) - (b.bootOrder ?? 0))[0] ?? parts[0];
}

/** What to infer from; when nothing was named, a volume that does not allow it is no error. */
function inferred(parts: readonly VolumePart[], from: string | undefined, explicit: boolean): unknown {
  const part = from === undefined ? bootVolume(parts) : parts.find(({ volume }) => volume.name === from);
  if (part?.inferable === true)
    return {
      inferFromVolume: part.volume.name,
      ...(explicit ? {} : { inferFromVolumeFailurePolicy: 'Ignore' }),
    };
  if (!explicit) return undefined;
  if (part !== undefined)
    throw new Error(
      'inference of instancetype or preference works only with DataSources, DataVolumes or PersistentVolumeClaims',
    );
  throw new Error(
    from === undefined
      ? 'at least one volume is needed to infer an instance type or preference'
      : `there is no volume with name "${from}"`,
  );
}

function instancetypeMatcher(
  flags: CreateVmFlags,
  parts: readonly VolumePart[],
): { readonly matcher?: unknown; readonly keepMemory: boolean } {
  if (flags.instancetype !== undefined)
    return { matcher: matcherOf('instancetype', flags.instancetype, 'instancetype'), keepMemory: false };
  if (flags.memory !== undefined || flags.inferInstancetype === false) return { keepMemory: true };
  const explicit = flags.inferInstancetype === true || flags.inferInstancetypeFrom !== undefined;
  return { matcher: inferred(parts, flags.inferInstancetypeFrom, explicit), keepMemory: !explicit };
}

function preferenceMatcher(flags: CreateVmFlags, parts: readonly VolumePart[]): unknown {
  if (flags.preference !== undefined) return matcherOf('preference', flags.preference, 'preference');
  if (flags.inferPreference === false) return undefined;
  const explicit = flags.inferPreference === true || flags.inferPreferenceFrom !== undefined;
  return inferred(parts, flags.inferPreferenceFrom, explicit);
}

function matcherOf(
  flag: string,
  text: string,
  what: string,
): { readonly name: string; readonly kind?: string } {
  const { prefix, name } = prefixedName(flag, text);
  const kinds = [`virtualmachine${what}`, `virtualmachinecluster${what}`];
  if (prefix === undefined) return { name };
  if (!kinds.includes(prefix))
    throw flagError(flag, `invalid ${what} kind "${prefix}", supported values are: ${kinds.join(', ')}`);
  return { name, kind: prefix };
}
