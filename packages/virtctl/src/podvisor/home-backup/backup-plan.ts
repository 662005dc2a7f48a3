/** What a backup of a home holds, and what may be restored where. Pure. */
import { messageOf } from '@podvisor/base';

/** The state: small, and all that cannot be made again. */
export const STATE = ['config.json', 'kubeconfig', 'pki', 'ssh', 'admission.yaml', 'audit-policy.yaml'];
/** The disks of claims and their snapshots. */
export const DISKS = ['volumes', 'snapshots'];
/** What is taken from a copy beside the home. */
export const COPIED = ['control-plane/store.db'];
export const LABEL = 'backup.json';

export interface BackupLabel {
  readonly kind: 'podvisor-home';
  readonly version: 1;
  readonly takenAt: string;
  /** Version of the programs that took it. */
  readonly podvisor: string;
  readonly hasDisks: boolean;
}

/** Names below the home that an archive may hold, by their first part. */
export function isExpected(path: string): boolean {
  const top = path.replace(/^\.\//, '').split('/')[0] ?? '';
  return [...STATE, ...DISKS, 'control-plane', LABEL].includes(top) && !path.split('/').includes('..');
}

export function readLabel(text: string): BackupLabel {
  let label: Partial<BackupLabel>;
  try {
    label = JSON.parse(text) as Partial<BackupLabel>;
  } catch (error) {
    throw new Error('the file is no backup of a home: its label cannot be read', { cause: error });
  }
  if (label.kind !== 'podvisor-home') throw new Error('the file is no backup of a home');
  if (label.version !== 1)
    throw new Error(
      `the backup is of a newer form (${String(label.version)}): restore it with the podvisor that took it`,
    );
  return label as BackupLabel;
}

export interface RestoreFacts {
  readonly isRunning: boolean;
  readonly isThere: boolean;
  readonly replace: boolean;
}

/** Why not, or undefined. */
export function restoreRefusal(
  { isRunning, isThere, replace }: RestoreFacts,
  home: string,
): string | undefined {
  if (isRunning) return `the home in ${home} is up: \`podvisor down\` first`;
  if (isThere && !replace)
    return `there is a home in ${home}: --replace puts the backup's state in its place (what is there is kept beside it), or choose another PODVISOR_HOME`;
  return undefined;
}

/** What kept tar from writing the backup; its own words only where they are no known ones. */
export function notWritten(file: string, cause: unknown): Error {
  if (/No space left on device/.test(messageOf(cause)))
    return new Error(`${file} was not written: the disk is full there, df -h shows it`);
  return new Error(`${file} was not written`, { cause });
}
