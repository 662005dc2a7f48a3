/** A copy of a VM: a snapshot of the source, restored under another name, with these changes. Pure. */
import { matchesStars, memberOf } from '@podvisor/base';
import type {
  VirtualMachine,
  VirtualMachineClone,
  VirtualMachineRestore,
  VirtualMachineSnapshot,
  VMSpec,
} from '@podvisor/api';
import { controllerReference } from '../ownership.ts';
import { nameSuffix } from '../vmi/pod-name.ts';

const API = 'clone.kubevirt.io/v1beta1';
const TARGET = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine' } as const;

export function targetName({ metadata, spec }: VirtualMachineClone, sourceVm: string): string {
  return spec.target?.name || `clone-${sourceVm}-${nameSuffix(metadata?.uid ?? '')}`;
}

export function helperSnapshot(clone: VirtualMachineClone): VirtualMachineSnapshot {
  const { name: source } = clone.spec.source;
  return {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshot',
    metadata: helperMeta(clone, `tmp-snapshot-${clone.metadata?.uid}`),
    spec: { source: { ...TARGET, name: source } },
  };
}

/** `vm`: the machine in the snapshot. `hasMemory`: the snapshot holds its memory too, which only a warm copy gets. */
export function helperRestore(
  clone: VirtualMachineClone,
  snapshotName: string,
  vm: { readonly metadata?: VirtualMachine['metadata']; readonly spec?: VMSpec },
  hasMemory = false,
): VirtualMachineRestore {
  return {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineRestore',
    metadata: helperMeta(clone, `tmp-restore-${clone.metadata?.uid}`),
    spec: {
      target: { ...TARGET, name: targetName(clone, vm.metadata?.name ?? '') },
      virtualMachineSnapshotName: snapshotName,
      ...(hasMemory && clone.spec.warm !== true ? { discardMemory: true } : {}),
      ...(clone.spec.warm === true && clone.spec.identityless !== true ? { newIdentity: true } : {}),
      ...(clone.spec.volumeNamePolicy === undefined
        ? {}
        : { volumeRestorePolicy: clone.spec.volumeNamePolicy }),
      patches: clonePatches(clone, vm),
    },
  };
}

function helperMeta(clone: VirtualMachineClone, name: string): VirtualMachineClone['metadata'] {
  return {
    name,
    namespace: clone.metadata?.namespace,
    ownerReferences: [controllerReference(clone, API, 'VirtualMachineClone')],
  };
}

/** JSON patches of the new machine, each as text. */
export function clonePatches(
  { spec }: VirtualMachineClone,
  vm: { readonly metadata?: VirtualMachine['metadata']; readonly spec?: VMSpec },
): readonly string[] {
  const template = vm.spec?.template;
  const interfaces = template?.spec?.domain.devices.interfaces ?? [];
  const firmware = template?.spec?.domain.firmware;
  const patches = [
    ...removals('/metadata/labels', vm.metadata?.labels, spec.labelFilters),
    ...removals('/metadata/annotations', vm.metadata?.annotations, spec.annotationFilters),
    ...removals('/spec/template/metadata/labels', template?.metadata?.labels, spec.template?.labelFilters),
    ...removals(
      '/spec/template/metadata/annotations',
      template?.metadata?.annotations,
      spec.template?.annotationFilters,
    ),
    ...interfaces.flatMap(({ name }, index) => {
      const value = memberOf(spec.newMacAddresses, name);
      const path = `/spec/template/spec/domain/devices/interfaces/${index}/macAddress`;
      return value === undefined ? [] : [{ op: 'add', path, value }];
    }),
    ...(spec.newSMBiosSerial === undefined && firmware?.serial === undefined
      ? []
      : [
          ...(firmware === undefined
            ? [{ op: 'add', path: '/spec/template/spec/domain/firmware', value: {} }]
            : []),
          {
            op: 'add',
            path: '/spec/template/spec/domain/firmware/serial',
            value: spec.newSMBiosSerial ?? '',
          },
        ]),
  ];
  return [...patches.map(patchText), ...(spec.patches ?? [])];
}

/** Restores take patches of plain pairs only, so what stands for structure is escaped inside texts. */
function patchText(patch: { readonly op: string; readonly path: string; readonly value?: unknown }): string {
  const pairs = Object.entries(patch).map(([key, value]) => {
    const text = JSON.stringify(value);
    const isText = typeof value === 'string';
    const escape = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return `${JSON.stringify(key)}: ${isText ? text.replace(/[:,{}]/g, escape) : text}`;
  });
  return `{${pairs.join(', ')}}`;
}

/** No filters keep everything. `!` negates, `*` matches anything; the last filter that matches decides. */
export function isKept(key: string, filters: readonly string[] | undefined): boolean {
  if (filters === undefined) return true;
  const matches = (filter: string): boolean => matchesStars(key, filter);
  const negative = filters.filter((filter) => filter.startsWith('!')).map((filter) => filter.slice(1));
  const positive = filters.filter((filter) => !filter.startsWith('!'));
  return positive.some(matches) && !negative.some(matches);
}

function removals(
  root: string,
  map: Readonly<Record<string, string>> | undefined,
  filters: readonly string[] | undefined,
): readonly { readonly op: string; readonly path: string }[] {
  return Object.keys(map ?? {})
    .filter((key) => !isKept(key, filters) && !key.startsWith('restore.kubevirt.io/'))
    .map((key) => ({ op: 'remove', path: `${root}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` }));
}
