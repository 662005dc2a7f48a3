/**
 * addvolume and removevolume. Three places may be written: the template of a VM (declarative), the queue in
 * a VM's status (the older gate HotplugVolumes), or a VMI that no VM owns. Pure.
 */
import {
  type ClusterConfig,
  controllerOfKind,
  type Disk,
  isGateEnabled,
  ownerKinds,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VMISpec,
  type Volume,
} from '@podvisor/api';
import { type JsonPatchOperation, stillHas } from '@podvisor/kube';
import { isDryRun, optionsOf } from './body.ts';
import {
  badRequest,
  conflict,
  type Decider,
  type PatchCall,
  type PatchTarget,
  required,
  VM_KIND,
  VMI_KIND,
} from './decision.ts';
import { isRunning } from './vm-state.ts';

/** A change of a VM's disks, already checked. */
type Change =
  | {
      readonly kind: 'add';
      readonly name: string;
      readonly disk: Disk;
      readonly source: Readonly<Record<string, unknown>>;
      /** As it was asked for: a queued request carries it along. */
      readonly dryRun?: unknown;
    }
  | { readonly kind: 'remove'; readonly name: string; readonly dryRun?: unknown };

const isLegacy = (config: ClusterConfig): boolean => isGateEnabled(config, 'HotplugVolumes');

function requireGate(config: ClusterConfig): void {
  if (isLegacy(config) || isGateEnabled(config, 'DeclarativeHotplugVolumes')) return;
  throw badRequest('Enable DeclarativeHotplugVolumes or HotplugVolumes feature gate to use this API.');
}

function withBody(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined || body === null)
    throw badRequest('Request with no body, a new name is expected as the request body');
  return optionsOf(body);
}

/** Everything that is hotplugged is marked so: it is attached by another Pod. */
function parseAdd(body: unknown): Change {
  const { name, disk, volumeSource, dryRun } = withBody(body);
  if (typeof name !== 'string' || name === '') throw badRequest('AddVolumeOptions requires name to be set');
  if (disk === undefined || disk === null) throw badRequest('AddVolumeOptions requires disk to not be nil');
  if (volumeSource === undefined || volumeSource === null) {
    throw badRequest('AddVolumeOptions requires VolumeSource to not be nil');
  }
  const given = Object.entries(optionsOf(volumeSource)).filter(([, value]) => value !== null);
  const source = Object.fromEntries(given);
  const marked = 'dataVolume' in source ? 'dataVolume' : 'persistentVolumeClaim';
  if (marked in source) source[marked] = { ...optionsOf(source[marked]), hotpluggable: true };
  return { kind: 'add', name, disk: { ...optionsOf(disk), name }, source, dryRun };
}

/** A volume has one source: of two that were asked for, the claim. */
function oneSource(source: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { persistentVolumeClaim: claim } = source;
  if (claim === undefined) return source;
  return { persistentVolumeClaim: { ...optionsOf(claim), hotpluggable: true } };
}

function parseRemove(body: unknown): Change {
  const { name, dryRun } = withBody(body);
  if (typeof name !== 'string' || name === '')
    throw badRequest('RemoveVolumeOptions requires name to be set');
  return { kind: 'remove', name, dryRun };
}

function decider(resource: 'vm' | 'vmi', parse: (body: unknown) => Change): Decider {
  return ({ name, body }, state) => {
    requireGate(state.config);
    const change = parse(body);
    const dryRun = isDryRun(optionsOf(body));
    const patch =
      resource === 'vm'
        ? vmPatch(required(state.vm, VM_KIND, name), name, change, isLegacy(state.config))
        : vmiPatch(required(state.vmi, VMI_KIND, name), name, change, isLegacy(state.config));
    return { kind: 'patch', code: 202, patches: [patch], dryRun };
  };
}

export const addVolumeToVm = decider('vm', parseAdd);
export const addVolumeToVmi = decider('vmi', parseAdd);
export const removeVolumeFromVm = decider('vm', parseRemove);
export const removeVolumeFromVmi = decider('vmi', parseRemove);

function vmPatch(vm: VirtualMachine, name: string, change: Change, legacy: boolean): PatchCall {
  const template = vm.spec.template.spec;
  checkChange(template, change, (cause) => conflict(VM_KIND, name, cause));
  return legacy
    ? queuePatch(vm, name, change)
    : specPatch('virtualmachine', '/spec/template/spec', template, change);
}

function vmiPatch(vmi: VirtualMachineInstance, name: string, change: Change, legacy: boolean): PatchCall {
  if (controllerOfKind(vmi, ownerKinds.vm) !== undefined && !legacy)
    throw badRequest(`VMI ${vmi.metadata?.namespace ?? ''}/${name} is owned by a VM`);
  if (!isRunning(vmi)) throw conflict(VMI_KIND, name, 'VMI is not running');
  checkChange(vmi.spec, change, (cause) => conflict(VMI_KIND, name, cause));
  return specPatch('virtualmachineinstance', '/spec', vmi.spec, change);
}

function checkChange(spec: VMISpec | undefined, change: Change, refuse: (cause: string) => Error): void {
  const volumes = spec?.volumes ?? [];
  if (change.kind === 'add') {
    const claim = claimOf({ name: change.name, ...change.source });
    for (const volume of volumes) {
      if (volume.name === change.name)
        throw refuse(`Unable to add volume [${change.name}] because volume with that name already exists`);
      if (claim !== undefined && claimOf(volume) === claim)
        throw refuse(`Unable to add volume source [${claim}] because it already exists`);
    }
    return;
  }
  const volume = volumes.find((other) => other.name === change.name || claimOf(other) === change.name);
  if (volume === undefined)
    throw refuse(`Unable to remove volume [${change.name}] because it does not exist`);
  if (!isHotpluggable(volume)) {
    throw refuse(`Unable to remove volume [${volume.name}] because it is not hotpluggable`);
  }
}

/** Name of the claim or DataVolume behind a volume. */
function claimOf({ persistentVolumeClaim, dataVolume }: Volume): string | undefined {
  return dataVolume?.name ?? persistentVolumeClaim?.claimName;
}

function isHotpluggable(volume: Volume): boolean {
  const { persistentVolumeClaim, dataVolume } = volume;
  return [persistentVolumeClaim, dataVolume].some((source) => source?.hotpluggable === true);
}

/** Volumes and disks change together, and only if nobody else changed them. */
function specPatch(target: PatchTarget, root: string, spec: VMISpec | undefined, change: Change): PatchCall {
  const volumes = spec?.volumes;
  const disks = spec?.domain.devices.disks;
  const without = <T extends { readonly name: string }>(items: readonly T[] | undefined): readonly T[] =>
    (items ?? []).filter(({ name }) => name !== change.name);
  const newVolumes =
    change.kind === 'add'
      ? [...(volumes ?? []), { name: change.name, ...oneSource(change.source) }]
      : without(volumes);
  const newDisks = change.kind === 'add' ? [...(disks ?? []), change.disk] : without(disks);
  return {
    target,
    patch: [
      stillHas(`${root}/volumes`, volumes),
      stillHas(`${root}/domain/devices/disks`, disks),
      set(`${root}/volumes`, volumes, newVolumes),
      set(`${root}/domain/devices/disks`, disks, newDisks),
    ],
    failure: { kind: 'invalid', what: target === 'virtualmachine' ? 'vm' : 'vmi' },
  };
}

function set(path: string, old: unknown, value: unknown): JsonPatchOperation {
  return { op: Array.isArray(old) && old.length > 0 ? 'replace' : 'add', path, value };
}

/** The older way: virt-controller applies the queue to template and VMI. */
function queuePatch(vm: VirtualMachine, name: string, change: Change): PatchCall {
  const queue = vm.status?.volumeRequests;
  const refuse = (cause: string): Error => conflict(VM_KIND, name, cause);
  const isQueued = (kind: 'addVolumeOptions' | 'removeVolumeOptions'): boolean =>
    queue?.some((request) => request[kind]?.name === change.name) ?? false;
  const removing = `remove volume request for volume [${change.name}] already exists and is still being processed`;
  if (change.kind === 'add') {
    if (isQueued('addVolumeOptions'))
      throw refuse(`add volume request for volume [${change.name}] already exists`);
    if (isQueued('removeVolumeOptions')) throw refuse(`unable to add volume since a ${removing}`);
  } else if (isQueued('removeVolumeOptions')) throw refuse(`a ${removing}`);
  // A removal takes the place of an addition that nobody has begun.
  const waiting = (queue ?? []).filter(({ addVolumeOptions }) => addVolumeOptions?.name !== change.name);
  const { dryRun } = change;
  const request =
    change.kind === 'add'
      ? { addVolumeOptions: { name: change.name, disk: change.disk, volumeSource: change.source, dryRun } }
      : { removeVolumeOptions: { name: change.name, dryRun } };
  const path = '/status/volumeRequests';
  return {
    target: 'virtualmachine/status',
    patch: [stillHas(path, queue), set(path, queue, [...waiting, request])],
    failure: { kind: 'invalid', what: 'vm status' },
  };
}
