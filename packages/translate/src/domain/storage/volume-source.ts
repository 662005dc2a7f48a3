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
  const path = `${paths.shareDir}/hotplug-disks/${volume.name}`;
  return facts.block
    ? { type: 'block', source: { dev: path }, format: 'raw', discard: 'unless-allocated' }
    : { ...file(`${path}.img`), discard: 'unless-allocated' };
}

function locate(volume: Volume, facts: VolumeFacts, input: Conversion): LocatedVolume {
  const { spec, paths } = input;
  const { name } = volume;
  if (volume.containerDisk !== undefined) {
    const index = (spec.volumes ?? []).findIndex((other) => other.name === name);
    return overlay(paths.ephemeralDisks, name, {
      path: facts.backing?.path ?? `${paths.containerDisks}/disk_${index}.img`,
      format: facts.backing?.format ?? 'qcow2',
    });
  }
  if (volume.cloudInitNoCloud !== undefined) return file(cloudInitIso(input, 'noCloud.iso'));
  if (volume.cloudInitConfigDrive !== undefined) return file(cloudInitIso(input, 'configdrive.iso'));
  if (volume.sysprep !== undefined) return file(`${paths.privateDir}/sysprep-disks/${name}.iso`);
  if (volume.hostDisk !== undefined) {
    return file(`${paths.privateDir}/vmi-disks/${name}/${volume.hostDisk.path.split('/').pop() ?? ''}`);
  }
  if (volume.persistentVolumeClaim !== undefined || volume.dataVolume !== undefined)
    return claim(name, facts, input);
  if (volume.ephemeral !== undefined) {
    const format = facts.backing?.format ?? 'raw';
    if (facts.block || facts.backing?.block) {
      return overlayOn(paths.ephemeralDisks, name, {
        type: 'block',
        format: { type: format },
        source: { dev: `/dev/${name}`, name },
      });
    }
    const path = facts.backing?.path ?? `${paths.privateDir}/vmi-disks/${name}/disk.img`;
    return overlay(paths.ephemeralDisks, name, { path, format });
  }
  if (volume.emptyDisk !== undefined) {
    return {
      type: 'file',
      source: { file: `${paths.emptyDisks}/${name}.qcow2` },
      format: 'qcow2',
      discard: 'always',
    };
  }
  if (volume.configMap !== undefined) return file(`${paths.privateDir}/config-map-disks/${name}.iso`);
  if (volume.secret !== undefined) return file(`${paths.privateDir}/secret-disks/${name}.iso`);
  if (volume.downwardAPI !== undefined) return file(`${paths.privateDir}/downwardapi-disks/${name}.iso`);
  if (volume.serviceAccount !== undefined) {
    return file(`${paths.privateDir}/service-account-disk/service-account.iso`);
  }
  if (volume.downwardMetrics !== undefined) return file(`${paths.privateDir}/downwardapi-disks/vhostmd0`);
  throw new ConversionError(`disk ${name} references an unsupported source`, 'spec.volumes');
}

function claim(name: string, facts: VolumeFacts, { paths }: Conversion): LocatedVolume {
  const image = `${paths.privateDir}/vmi-disks/${name}/disk.img`;
  return facts.block ? device(`/dev/${name}`, name) : { ...file(image), discard: 'unless-allocated' };
}

function cloudInitIso({ namespace, name, paths }: Conversion, fileName: string): string {
  return `${paths.cloudInit}/${namespace}/${name}/${fileName}`;
}

function file(path: string): LocatedVolume {
  return { type: 'file', source: { file: path }, format: 'raw', discard: 'disks-only' };
}

function device(path: string, name: string): LocatedVolume {
  return { type: 'block', source: { dev: path, name }, format: 'raw', discard: 'unless-allocated' };
}

/** A throw-away qcow2 on top of an image that is never written. */
function overlay(directory: string, name: string, backing: { path: string; format: string }): LocatedVolume {
  return overlayOn(directory, name, {
    type: 'file',
    format: { type: backing.format },
    source: { file: backing.path },
  });
}

function overlayOn(directory: string, name: string, backingStore: DomainDisk['backingStore']): LocatedVolume {
  return {
    type: 'file',
    source: { file: `${directory}/${name}/disk.qcow2` },
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
