/** What libvirt is told for a backup, and where its files go. Pure. */
import { type BackupOptions, checkpointNameOf } from '@podvisor/api';

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
    fullFiles: included.filter(isFull).map(fileOf),
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
