/** Filesystems shared with the guest. */
import { isGateEnabled } from '../../../config/cluster-config.ts';
import type { VMISpec } from '../../../types/index.ts';
import { type Cause, invalid, type Rule, when } from '../../rule.ts';

/** Directories of the launcher that a guest must never see. */
const RESERVED_PREFIXES = [
  '/var/run/kubevirt',
  '/var/run/libvirt',
  '/var/lib/libvirt',
  '/var/lib/kubevirt',
  '/run/kubevirt',
  '/run/libvirt',
  '/etc/libvirt',
  '/proc',
  '/sys',
  '/dev',
];

export const filesystemRules: readonly Rule<VMISpec>[] = [
  {
    id: 'filesystems.virtiofs.gate',
    field: 'domain.devices.filesystems',
    summary: 'virtiofs of a PersistentVolumeClaim or DataVolume needs the gate EnableVirtioFsStorageVolumes.',
    check: (spec, { config, path }) =>
      (spec.domain.devices.filesystems ?? []).flatMap(({ name }) => {
        const volume = spec.volumes?.findLast((candidate) => candidate.name === name);
        const isStorage = volume?.persistentVolumeClaim ?? volume?.dataVolume;
        return when(isStorage && !isGateEnabled(config, 'EnableVirtioFsStorageVolumes'), () =>
          invalid(
            `${path}.domain.devices.filesystems`,
            'virtiofs is not allowed: virtiofs feature gate is not enabled for PVC',
          ),
        );
      }),
  },
];

/** Only for a VMI. */
export const containerPathRule: Rule<VMISpec> = {
  id: 'volumes.containerPath',
  field: 'volumes[].containerPath',
  summary:
    'A containerPath volume is a filesystem of its name, not a disk, and shows none of the launcher’s own paths.',
  check: (spec, { path }) => {
    const { disks = [], filesystems = [] } = spec.domain.devices;
    return (spec.volumes ?? []).flatMap(({ containerPath, name }, index): readonly Cause[] => {
      if (!containerPath) return [];
      const field = `${path}.domain.volumes[${index}]`;
      const volume = `ContainerPath volume '${name}'`;
      const prefix = RESERVED_PREFIXES.find((reserved) => containerPath.path.startsWith(reserved));
      return [
        ...when(
          disks.some((disk) => disk.name === name),
          () => invalid(field, `${volume} must be mapped to a filesystem, not a disk`),
        ),
        ...when(!filesystems.some((filesystem) => filesystem.name === name), () =>
          invalid(
            field,
            `${volume} must have a matching filesystem defined in spec.domain.devices.filesystems`,
          ),
        ),
        ...when(prefix, () =>
          invalid(`${field}.containerPath.path`, `${volume} uses reserved path prefix '${prefix}'`),
        ),
      ];
    });
  },
};
