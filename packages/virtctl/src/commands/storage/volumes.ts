/** addvolume, removevolume: disks that come and go while the guest runs. */
import type { KubeClient } from '@podvisor/kube';
import type { Command } from 'commander';
import { openSession } from '../../kube-access.ts';
import { findJson, isNotFound, objectPath, put } from '../../requests.ts';
import { failure } from '../../run-program.ts';
import { say, type Shell } from '../../shell.ts';
import { subresourcePath } from '../../subresource-path.ts';
import { dryRunBody } from '../lifecycle.ts';

interface AddFlags {
  readonly volumeName: string;
  readonly diskName?: string;
  readonly serial?: string;
  readonly cache?: string;
  readonly diskType: string;
  readonly bus: string;
  readonly dryRun?: boolean;
}

const MAX_NAME = 63;

export function addVolumeCommands(program: Command, shell: Shell): void {
  program
    .command('addvolume <vm>')
    .description('Plug a volume into a running guest.')
    .requiredOption('--volume-name <name>', 'DataVolume or PersistentVolumeClaim')
    .option('--disk-name <name>', "name of the disk in the VM's spec (default: the volume's)")
    .option('--serial <serial>', 'serial number that the guest sees')
    .option('--cache <mode>', 'none, writethrough or writeback')
    .option('--disk-type <type>', 'disk or lun', 'disk')
    .option('--bus <bus>', 'scsi or virtio', 'scsi')
    .option('--persist', 'no effect: volumes are always kept', false)
    .option('--dry-run', 'check only, change nothing', false)
    .action(async (name: string, flags: AddFlags, self: Command) => {
      const disk = hotplugDisk(flags);
      const { client, namespace } = openSession(self, shell);
      const volumeSource = await volumeSourceOf(client, namespace, flags.volumeName);
      const body = { ...disk, volumeSource, ...dryRunBody(flags, shell) };
      await putToVmOrVmi(client, namespace, name, 'addvolume', body, 'error adding volume,');
      say(shell, `Successfully submitted add volume request to VM ${name} for volume ${flags.volumeName}`);
    });
  program
    .command('removevolume <vm>')
    .description('Unplug a volume from a running guest.')
    .requiredOption('--volume-name <name>', 'volume to unplug')
    .option('--persist', 'no effect: the VM forgets the volume as well', false)
    .option('--dry-run', 'check only, change nothing', false)
    .action(async (name: string, flags: { volumeName: string; dryRun?: boolean }, self: Command) => {
      const { client, namespace } = openSession(self, shell);
      const body = { name: flags.volumeName, ...dryRunBody(flags, shell) };
      await putToVmOrVmi(client, namespace, name, 'removevolume', body, 'error removing volume,');
      say(shell, `Successfully submitted remove volume request to VM ${name} for volume ${flags.volumeName}`);
    });
}

/** Name and disk of the request. Pure. */
export function hotplugDisk(flags: AddFlags): { readonly name: string; readonly disk: unknown } {
  const name = flags.diskName ?? flags.volumeName;
  if (name.length > MAX_NAME)
    throw new Error(
      flags.diskName === undefined
        ? `Invalid volume name ${name}, must not exceed ${MAX_NAME} characters. Use in conjunction with --disk-name to specify a shorter name`
        : `Invalid disk name ${name}, must not exceed ${MAX_NAME} characters`,
    );
  if (flags.cache !== undefined && !['none', 'writethrough', 'writeback'].includes(flags.cache))
    throw new Error(`error adding volume, invalid cache value ${flags.cache}`);
  const rest = { serial: flags.serial ?? name, ...(flags.cache === undefined ? {} : { cache: flags.cache }) };
  switch (flags.diskType) {
    case 'disk':
      if (flags.bus !== 'scsi' && flags.bus !== 'virtio')
        throw new Error(`Invalid bus type '${flags.bus}' for disk. Only 'scsi' and 'virtio' are supported.`);
      return { name, disk: { name: '', disk: { bus: flags.bus }, ...rest } };
    case 'lun':
      if (flags.bus !== 'scsi')
        throw new Error(`Invalid bus type '${flags.bus}' for LUN disk. Only 'scsi' bus is supported.`);
      return { name, disk: { name: '', lun: { bus: flags.bus }, ...rest } };
    default:
      throw new Error(`Invalid disk type '${flags.diskType}'. Only LUN and Disk are supported.`);
  }
}

async function volumeSourceOf(client: KubeClient, namespace: string, name: string): Promise<unknown> {
  const dataVolume = objectPath('cdi.kubevirt.io/v1beta1', namespace, 'datavolumes', name);
  if ((await findJson(client, dataVolume)) !== undefined) return { dataVolume: { name, hotpluggable: true } };
  const claim = objectPath('v1', namespace, 'persistentvolumeclaims', name);
  if ((await findJson(client, claim)) !== undefined)
    return { persistentVolumeClaim: { claimName: name, hotpluggable: true } };
  throw new Error(`error adding volume, Volume ${name} is not a DataVolume or PersistentVolumeClaim`);
}

/** To the VM, so that it lasts; to the VMI where there is no VM. */
async function putToVmOrVmi(
  client: KubeClient,
  namespace: string,
  name: string,
  verb: string,
  body: unknown,
  trouble: string,
): Promise<void> {
  try {
    await put(client, subresourcePath('virtualmachines', namespace, name, verb), body).catch(
      (error: unknown) => {
        if (!isNotFound(error)) throw error;
        return put(client, subresourcePath('virtualmachineinstances', namespace, name, verb), body);
      },
    );
  } catch (error) {
    throw failure(trouble, error);
  }
}
