/** The kinds of snapshots, restores, clones, pools and backups, as the tests ask for them, and the versions they are served in. */
export {
  pools,
  vmBackups,
  vmBackupTrackers,
  vmClones,
  vmRestores,
  vmSnapshots,
} from '../../packages/virt-controller/src/resources.ts';

export const SNAPSHOT_API = 'snapshot.kubevirt.io/v1beta1';
export const CLONE_API = 'clone.kubevirt.io/v1beta1';
export const BACKUP_API = 'backup.kubevirt.io/v1alpha1';
