/**
 * Annotations by which Velero freezes the guest's file systems while it takes its snapshots, in
 * `options.annotations` of the launcher Pod. A VMI opts out by `kubevirt.io/skip-backup-hooks: "true"`.
 */
import { annotations, type VirtualMachineInstance } from '@podvisor/api';

const FREEZER = '/usr/lib/podvisor/virt-freezer';
/** A guest that does not freeze in this time is backed up as it is. */
const TIMEOUT = '60s';

/** The annotations; none for a VMI that opted out. */
export function backupAnnotations(vmi: VirtualMachineInstance): Readonly<Record<string, string>> {
  if (vmi.metadata?.annotations?.[annotations.skipBackupHooks] === 'true') return {};
  return {
    'pre.hook.backup.velero.io/container': 'compute',
    'pre.hook.backup.velero.io/command': command(vmi, '--freeze'),
    'pre.hook.backup.velero.io/timeout': TIMEOUT,
    'post.hook.backup.velero.io/container': 'compute',
    'post.hook.backup.velero.io/command': command(vmi, '--unfreeze'),
  };
}

function command({ metadata }: VirtualMachineInstance, verb: string): string {
  const words = [FREEZER, verb, '--name', metadata?.name ?? '', '--namespace', metadata?.namespace ?? ''];
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
}
