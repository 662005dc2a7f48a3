/** Disks and the volumes behind them, and the order in which devices are booted. */
import { isGateEnabled } from '../../../config/cluster-config.ts';
import type { VMISpec } from '../../../types/index.ts';
import { type Cause, invalid, type Rule, required, when } from '../../rule.ts';
import { eachDisk } from './disks.ts';

export const diskVolumeRules: readonly Rule<VMISpec>[] = [
  {
    id: 'disks.volume',
    field: 'domain.devices.disks[].name',
    summary: 'Every disk has a volume of its name; an empty CD-ROM needs the gate DeclarativeHotplugVolumes.',
    check: eachDisk(({ cdrom, name }, { field }, spec, { config }) => {
      if (spec.volumes?.some((volume) => volume.name === name)) return [];
      if (!cdrom) return [invalid(`${field}.name`, `${field}.Name '${name}' not found.`)];
      return when(!isGateEnabled(config, 'DeclarativeHotplugVolumes'), () =>
        invalid(
          `${field}.name`,
          'DeclarativeHotplugVolumes feature gate not enabled, cannot define an empty CD-ROM disk',
        ),
      );
    }),
  },
  {
    id: 'disks.lun.volume',
    field: 'domain.devices.disks[].lun',
    summary: 'A LUN is backed by a PersistentVolumeClaim or a DataVolume.',
    check: eachDisk(({ lun, name }, { field }, spec) => {
      const volume = spec.volumes?.findLast((candidate) => candidate.name === name);
      return when(lun && volume && !volume.persistentVolumeClaim && !volume.dataVolume, () =>
        invalid(
          `${field}.lun`,
          `${field}.lun can only be mapped to a DataVolume or PersistentVolumeClaim volume.`,
        ),
      );
    }),
  },
  {
    id: 'disks.downwardMetrics',
    field: 'domain.devices.disks[].disk.bus',
    summary: 'A downwardMetrics volume is a disk on the virtio bus.',
    check: eachDisk(({ disk, name }, { field }, spec) => {
      if (!spec.volumes?.findLast((volume) => volume.name === name)?.downwardMetrics) return [];
      if (!disk) {
        return [
          required(
            `${field}.disk`,
            `DownwardMetrics volume must be mapped to a disk, but disk is not set on ${field}.disk.`,
          ),
        ];
      }
      return when(disk.bus && disk.bus !== 'virtio', () =>
        invalid(
          `${field}.disk.bus`,
          `DownwardMetrics volume must be mapped to virtio bus, but ${field}.disk.bus is set to ${disk.bus}`,
        ),
      );
    }),
  },
  {
    id: 'bootOrder.unique',
    field: 'domain.devices.disks[].bootOrder, domain.devices.interfaces[].bootOrder',
    summary: 'No two devices have the same boot order.',
    check: (spec, { path }) => checkBootOrder(spec, path),
  },
];

export const reservationRule: Rule<VMISpec> = {
  id: 'disks.reservation',
  field: 'domain.devices.disks[].lun.reservation',
  summary: 'Persistent reservation must be enabled for the cluster.',
  check: (spec, { config, path }) =>
    when(
      spec.domain.devices.disks?.some((disk) => disk.lun?.reservation) &&
        !config.persistentReservationEnabled,
      () =>
        invalid(
          `${path}.domain.devices.disks.luns.reservation`,
          'persistent reservation is not enabled in kubevirt config',
        ),
    ),
};

/** Only for a VMI: in a template, a volume without a disk gets one later. */
export const volumeMappedRule: Rule<VMISpec> = {
  id: 'volumes.mapped',
  field: 'volumes[]',
  summary: 'Every volume of a VMI is used by a disk or a filesystem.',
  check: (spec, { path }) => {
    const { disks = [], filesystems = [] } = spec.domain.devices;
    const used = new Set([...disks, ...filesystems].map((device) => device.name));
    return (spec.volumes ?? []).flatMap(({ memoryDump, name }, index) => {
      const field = `${path}.domain.volumes[${index}].name`;
      return when(!memoryDump && !used.has(name), () => invalid(field, `${field} '${name}' not found.`));
    });
  },
};

function checkBootOrder(spec: VMISpec, path: string): Cause[] {
  const { disks = [], interfaces = [] } = spec.domain.devices;
  const taken = new Set<number>();
  const causes: Cause[] = [];
  const claim = (order: number, field: string): void => {
    if (taken.has(order))
      causes.push(invalid(field, `Boot order for ${field} already set for a different device.`));
    taken.add(order);
  };
  for (const [index, { bootOrder }] of disks.entries()) {
    if (bootOrder !== undefined) claim(bootOrder, `${path}.domain.devices.disks[${index}].bootOrder`);
  }
  for (const [index, { bootOrder }] of interfaces.entries()) {
    if (bootOrder === undefined) continue;
    if (bootOrder >= 1) claim(bootOrder, `${path}.domain.devices.interfaces[${index}].bootOrder`);
    else
      causes.push(
        invalid(`${path}[${index}].bootOrder`, `${path}[${index}] must have a boot order > 0, if supplied`),
      );
  }
  return causes;
}
