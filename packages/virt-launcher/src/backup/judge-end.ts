/** How a backup has ended, from libvirt's last words about its job. Pure. */
import type { BackupOptions, DomainBackup } from '@podvisor/api';

export interface JobEnd {
  /** libvirt calls a job that was cancelled a success as well. */
  readonly isSuccess: boolean;
  /** Given for every end but a plain one. */
  readonly message?: string;
}

const CANCELLED = /cancel/i;

/** A copy that was stopped is none; one that a client reads ends by being stopped. */
export function judgeEnd(
  mode: BackupOptions['mode'],
  { isSuccess, message }: JobEnd,
  isAborting: boolean,
): Pick<DomainBackup, 'failed' | 'message'> {
  const isCancelled = message !== undefined && CANCELLED.test(message);
  if (mode === 'Pull') {
    if (isAborting && (message === undefined || isCancelled)) return {};
    return { failed: true, message: message ?? 'the disks were not served any more' };
  }
  if (isSuccess && message === undefined) return {};
  if (isCancelled || isAborting) return { failed: true, message: 'backup aborted' };
  return { failed: true, message: message ?? 'the copy ended without saying why' };
}
