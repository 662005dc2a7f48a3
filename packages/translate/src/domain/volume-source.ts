/** Where the bytes of a volume are, as QEMU sees them. */
import type { Volume } from '@podvisor/api';
import type { VolumeFacts } from './context.ts';
import type { DomainDisk } from './model/disk.ts';
import { ConversionError, type Conversion } from './part.ts';

/** What a volume looks like to QEMU. */
export type LocatedVolume = Pick<DomainDisk, 'type' | 'source' | 'backingStore'> & {
  readonly format: 'raw' | 'qcow2';
  /** Freed blocks are given back whatever kind of device shows the volume. */
  readonly discardable: boolean;
};

/** Type, source and backing file of a volume's disk. Throws ConversionError for volumes that are no disks. */
export function locateVolume(volume: Volume, input: Conversion): LocatedVolume {
  const facts = input.context.volumes?.[volume.name] ?? {};
  const plain = locate(volume, facts, input);
  return facts.changedBlockTrackingFile === undefined
    ? plain
    : trackChanges(plain, facts.changedBlockTrackingFile);
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
      discardable: true,
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
  if (facts.hotplugged) {
    const path = `${paths.shareDir}/hotplug-disks/${name}`;
    if (facts.block) return { type: 'block', source: { dev: path }, format: 'raw', discardable: true };
    return { ...file(`${path}.img`), discardable: true };
  }
  const image = `${paths.privateDir}/vmi-disks/${name}/disk.img`;
  return { ...(facts.block ? device(`/dev/${name}`, name) : file(image)), discardable: true };
}

function cloudInitIso({ namespace, name, paths }: Conversion, fileName: string): string {
  return `${paths.cloudInit}/${namespace}/${name}/${fileName}`;
}

function file(path: string): LocatedVolume {
  return { type: 'file', source: { file: path }, format: 'raw', discardable: false };
}

function device(path: string, name: string): LocatedVolume {
  return { type: 'block', source: { dev: path, name }, format: 'raw', discardable: true };
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
    discardable: true,
  };
}

/** A qcow2 that holds only the dirty bitmap, its data being the volume itself. */
function trackChanges(plain: LocatedVolume, bitmapFile: string): LocatedVolume {
  const { file: dataFile, dev } = plain.source ?? {};
  return {
    type: 'file',
    format: 'qcow2',
    discardable: true,
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
