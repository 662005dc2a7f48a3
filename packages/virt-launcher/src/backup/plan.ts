/** What libvirt is told for a backup, and where its files go. Pure. */
import { type BackupOptions, backupSocketName, checkpointNameOf } from '@podvisor/api';

export interface BackupDisk {
  readonly volume: string;
  /** Name of the device, e.g. `vda`. */
  readonly target: string;
  readonly tracked: boolean;
}

export interface BackupPlan {
  readonly xml: string;
  readonly checkpointXml?: string;
  readonly checkpointName?: string;
  readonly volumes: readonly string[];
  /** Names of the devices that are copied. */
  readonly targets: readonly string[];
  /** Files with everything that is on their disk. */
  readonly fullFiles: readonly string[];
}

/** `<claim>/<VM>/<backup>-<time>`, as clients of KubeVirt know it. */
export function backupDirectory(claimDirectory: string, vm: string, options: BackupOptions): string {
  return `${claimDirectory}/${vm}/${checkpointNameOf(options)}`;
}

/** A push into `directory`, one file a disk. */
export function planPush(
  options: BackupOptions,
  disks: readonly BackupDisk[],
  directory: string,
): BackupPlan {
  const included = disks.filter(({ tracked }) => tracked);
  const fileOf = ({ volume }: BackupDisk): string => `${directory}/${options.backupName}-${volume}.qcow2`;
  const isFull = ({ volume }: BackupDisk): boolean =>
    options.incremental === undefined || options.incrementalVolumes?.includes(volume) === false;
  const lines = disks.map((disk) => {
    if (!disk.tracked) return `<disk name='${disk.target}' backup='no'/>`;
    const mode = options.incremental !== undefined && isFull(disk) ? ` backupmode='full'` : '';
    return `<disk name='${disk.target}' backup='yes' type='file'${mode}><driver type='qcow2'/><target file='${escape(fileOf(disk))}'/></disk>`;
  });
  const since =
    options.incremental === undefined || included.every(isFull)
      ? ''
      : `<incremental>${escape(options.incremental)}</incremental>`;
  const name = checkpointNameOf(options);
  return {
    xml: `<domainbackup mode='push'>${since}<disks>${lines.join('')}</disks></domainbackup>`,
    ...(options.checkpoint === true
      ? { checkpointName: name, checkpointXml: checkpointXml(name, disks, undefined) }
      : {}),
    volumes: included.map(({ volume }) => volume),
    targets: included.map(({ target }) => target),
    fullFiles: included.filter(isFull).map(fileOf),
  };
}

/** QEMU serves the disks at a socket in the claim; what the guest overwrites meanwhile is kept in `directory`. */
export function planPull(
  options: BackupOptions,
  disks: readonly BackupDisk[],
  claimDirectory: string,
  directory: string,
): BackupPlan {
  const push = planPush(options, disks, directory);
  const name = checkpointNameOf(options);
  const socket = `${claimDirectory}/${backupSocketName(options)}`;
  const since = options.incremental;
  const lines = disks.map((disk) => {
    if (!disk.tracked) return `<disk name='${disk.target}' backup='no'/>`;
    const isFull = since === undefined || options.incrementalVolumes?.includes(disk.volume) === false;
    const bitmap = isFull ? '' : ` exportbitmap='${escape(name)}'`;
    const mode = since !== undefined && isFull ? ` backupmode='full'` : '';
    const file = `${directory}/${options.backupName}-${disk.volume}.qcow2`;
    return `<disk name='${disk.target}' backup='yes' type='file' exportname='${disk.volume}'${bitmap}${mode}><scratch file='${escape(file)}'/></disk>`;
  });
  const incremental = /<incremental>.*<\/incremental>/.exec(push.xml)?.[0] ?? '';
  return {
    ...push,
    xml: `<domainbackup mode='pull'>${incremental}<server transport='unix' socket='${escape(socket)}'/><disks>${lines.join('')}</disks></domainbackup>`,
    fullFiles: [],
  };
}

/** `creationMs`: for one that exists already. Disks that are not tracked have no part in it. */
export function checkpointXml(
  name: string,
  disks: readonly BackupDisk[],
  creationMs: number | undefined,
): string {
  const time =
    creationMs === undefined ? '' : `<creationTime>${Math.floor(creationMs / 1000)}</creationTime>`;
  const lines = disks.map(
    ({ target, tracked }) => `<disk name='${target}' checkpoint='${tracked ? 'bitmap' : 'no'}'/>`,
  );
  return `<domaincheckpoint><name>${escape(name)}</name>${time}<disks>${lines.join('')}</disks></domaincheckpoint>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;');
}
