/** Where the bytes of a volume are, as QEMU sees them. */
import type { Volume } from '@podvisor/api';
import type { VolumeFacts } from '../context.ts';
import type { DomainDisk } from '../model/disk.ts';
import { ConversionError, type Conversion } from '../part.ts';

/** What a volume looks like to QEMU. */
export type LocatedVolume = Pick<DomainDisk, 'type' | 'source' | 'backingStore'> & {
  readonly format: 'raw' | 'qcow2';
  /**
   * Whether freed blocks are given back: always; unless somebody asked for them all to be allocated; or, beside that,
   * only where a disk shows the volume and no drive.
   */
  readonly discard: 'always' | 'unless-allocated' | 'disks-only';
};

/** Type, source and backing file of a volume's disk. Throws ConversionError for volumes that are no disks. */
export function locateVolume(volume: Volume, input: Conversion): LocatedVolume {
  const facts = input.context.volumes?.[volume.name] ?? {};
  const plain = facts.hotplugged ? locatePlugged(volume, facts, input) : locate(volume, facts, input);
  return facts.changedBlockTrackingFile === undefined || !isTrackable(volume)
    ? plain
    : trackChanges(plain, facts.changedBlockTrackingFile);
}

/** Changes are tracked of volumes that outlive the guest. */
function isTrackable({ hostDisk, persistentVolumeClaim, dataVolume }: Volume): boolean {
  return (hostDisk ?? persistentVolumeClaim ?? dataVolume) !== undefined;
}

/** What was plugged in while the guest runs is mounted elsewhere. */
function locatePlugged(volume: Volume, facts: VolumeFacts, { paths }: Conversion): LocatedVolume {
  if (!isTrackable(volume)) {
    throw new ConversionError(`hotplug disk ${volume.name} references an unsupported source`, 'spec.volumes');
  }
  const path = paths.hotplugDisk(volume.name, facts.block === true);
  return facts.block
    ? { type: 'block', source: { dev: path }, format: 'raw', discard: 'unless-allocated' }
    : { ...file(path), discard: 'unless-allocated' };
}

function locate(volume: Volume, facts: VolumeFacts, input: Conversion): LocatedVolume {
  const { spec, paths, namespace } = input;
  const { name } = volume;
  if (volume.containerDisk !== undefined) {
    const index = (spec.volumes ?? []).findIndex((other) => other.name === name);
    return overlay(paths.overlay(name), {
      path: facts.backing?.path ?? paths.containerDisk(index),
      format: facts.backing?.format ?? 'qcow2',
    });
  }
  if (volume.cloudInitNoCloud !== undefined) return file(paths.noCloudIso(namespace, input.name));
  if (volume.cloudInitConfigDrive !== undefined) return file(paths.configDriveIso(namespace, input.name));
  if (volume.sysprep !== undefined) return file(paths.configDisk('sysprep', name).iso);
  if (volume.hostDisk !== undefined) {
    return file(paths.hostDisk(name, volume.hostDisk.path));
  }
  if (volume.persistentVolumeClaim !== undefined || volume.dataVolume !== undefined)
    return claim(name, facts, input);
  if (volume.ephemeral !== undefined) {
    const format = facts.backing?.format ?? 'raw';
    if (facts.block || facts.backing?.block) {
      return overlayOn(paths.overlay(name), {
        type: 'block',
        format: { type: format },
        source: { dev: paths.blockDevice(name), name },
      });
    }
    const path = facts.backing?.path ?? paths.claimImage(name);
    return overlay(paths.overlay(name), { path, format });
  }
  if (volume.emptyDisk !== undefined) {
    return {
      type: 'file',
      source: { file: paths.emptyDisk(name) },
      format: 'qcow2',
      discard: 'always',
    };
  }
  if (volume.configMap !== undefined) return file(paths.configDisk('configMap', name).iso);
  if (volume.secret !== undefined) return file(paths.configDisk('secret', name).iso);
  if (volume.downwardAPI !== undefined) return file(paths.configDisk('downwardAPI', name).iso);
  if (volume.serviceAccount !== undefined) {
    return file(paths.configDisk('serviceAccount', name).iso);
  }
  if (volume.downwardMetrics !== undefined) return file(paths.downwardMetrics);
  throw new ConversionError(`disk ${name} references an unsupported source`, 'spec.volumes');
}

function claim(name: string, facts: VolumeFacts, { paths }: Conversion): LocatedVolume {
  const image = paths.claimImage(name);
  return facts.block
    ? device(paths.blockDevice(name), name)
    : { ...file(image), discard: 'unless-allocated' };
}

function file(path: string): LocatedVolume {
  return { type: 'file', source: { file: path }, format: 'raw', discard: 'disks-only' };
}

function device(path: string, name: string): LocatedVolume {
  return { type: 'block', source: { dev: path, name }, format: 'raw', discard: 'unless-allocated' };
}

/** A throw-away qcow2 on top of an image that is never written. */
function overlay(path: string, backing: { path: string; format: string }): LocatedVolume {
  return overlayOn(path, {
    type: 'file',
    format: { type: backing.format },
    source: { file: backing.path },
  });
}

function overlayOn(path: string, backingStore: DomainDisk['backingStore']): LocatedVolume {
  return {
    type: 'file',
    source: { file: path },
    backingStore,
    format: 'qcow2',
    discard: 'always',
  };
}

/** A qcow2 that holds only the dirty bitmap, its data being the volume itself. */
function trackChanges(plain: LocatedVolume, bitmapFile: string): LocatedVolume {
  const { file: dataFile, dev } = plain.source ?? {};
  return {
    type: 'file',
    format: 'qcow2',
    discard: plain.discard,
    source: {
      file: bitmapFile,
      ...(plain.source?.name === undefined ? {} : { name: plain.source.name }),
      dataStore: {
        type: plain.type,
        format: { type: 'raw' },
        source: dev === undefined ? { file: dataFile } : { dev },
      },
    },
  };
}
