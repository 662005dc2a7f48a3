/** What `podvisor cluster doctor` says of storage. Pure. */
import { DEFAULT_CLASS, defaultClass, type StorageClass, type StorageProfile } from '@podvisor/api';
import type { Check } from '../doctor/doctor.ts';

export interface StorageView {
  readonly classes: readonly StorageClass[];
  /** What claims of each class can, as CDI or we say; absent: nobody says it. */
  readonly profiles?: readonly StorageProfile[];
  /** Drivers that have a VolumeSnapshotClass; absent: the cluster has no snapshots. */
  readonly snapshotDrivers?: ReadonlySet<string>;
}

const SHARED = 'ReadWriteMany';
const NO_DEFAULT: Check = {
  level: 'WARN',
  what: 'default StorageClass',
  found: 'none: claims that name no class wait for ever',
  fix: `kubectl annotate storageclass NAME ${DEFAULT_CLASS}=true`,
};

export function storageChecks(view: StorageView): readonly Check[] {
  const { classes } = view;
  const what = 'storage';
  if (classes.length === 0)
    return [
      { level: 'WARN', what, found: 'no StorageClass: only container disks', fix: 'install a CSI driver' },
    ];
  const standard = defaultClass(classes);
  return [
    ...classes.map((one) => classCheck(one, view, one === standard)),
    ...(standard === undefined ? [NO_DEFAULT] : []),
  ];
}

function classCheck(
  { metadata, provisioner = '', volumeBindingMode = 'Immediate' }: StorageClass,
  { profiles, snapshotDrivers }: StorageView,
  isDefault: boolean,
): Check {
  const name = metadata?.name ?? '';
  const what = `StorageClass ${name}`;
  const standard = isDefault ? ', the default' : '';
  const noSnapshots =
    snapshotDrivers === undefined || snapshotDrivers.has(provisioner)
      ? ''
      : '; no VolumeSnapshotClass has its driver: no snapshots';
  const { words, fix } = movesOf(name, profiles);
  const found = `${provisioner}, ${volumeBindingMode}${standard}; ${words}${noSnapshots}`;
  return fix === undefined ? { level: 'PASS', what, found } : { level: 'WARN', what, found, fix };
}

/** Whether VMs on a class move while they run. That nobody knows is no fault of the cluster. */
function movesOf(
  name: string,
  profiles: readonly StorageProfile[] | undefined,
): { readonly words: string; readonly fix?: string } {
  const profile = profiles?.find(({ metadata }) => metadata?.name === name);
  const sets = profile?.spec?.claimPropertySets ?? profile?.status?.claimPropertySets ?? [];
  const shared = sets.find(({ accessModes }) => accessModes?.includes(SHARED));
  if (shared !== undefined)
    return { words: `${SHARED} (${shared.volumeMode ?? 'Filesystem'}): VMs on it move while they run` };
  const modes = [...new Set(sets.flatMap(({ accessModes = [] }) => accessModes))];
  if (modes.length > 0)
    return {
      words: `${modes.join(', ')}: VMs on it do not move while they run`,
      fix: `for VMs that are to move, a class with ${SHARED}; or spec.claimPropertySets of StorageProfile ${name}, if its driver can`,
    };
  const tell = profile === undefined ? '' : `; set spec.claimPropertySets of StorageProfile ${name}`;
  return { words: `not known whether VMs on it move while they run: they do with ${SHARED} claims${tell}` };
}
