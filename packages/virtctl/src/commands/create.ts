/** create vm|instancetype|preference|clone: prints a manifest, creates nothing. */
import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { accessFlags } from '../access/flags.ts';
import {
  type CloneFlags,
  cloneManifest,
  type InstancetypeFlags,
  instancetypeManifest,
  type PreferenceFlags,
  preferenceManifest,
} from '../create/others.ts';
import { flagError } from '../create/params.ts';
import { type CreateVmFlags, vmManifest } from '../create/vm.ts';
import { toYaml } from '../output/yaml.ts';
import type { Shell } from '../shell.ts';

const collect = (value: string, all: readonly string[]): readonly string[] => [...all, value];

export function addCreateCommands(program: Command, shell: Shell): void {
  const create = program.command('create').description('Print a manifest for a VM or what belongs to it.');
  addCreateVm(create, shell);
  addCreateInstancetype(create, shell);
  addCreateClone(create, shell);
}

const print = (shell: Shell, manifest: unknown): void => void shell.stdout.write(toYaml(manifest));

function addCreateVm(create: Command, shell: Shell): void {
  create
    .command('vm')
    .description('Print a manifest for a VirtualMachine.')
    .option('--name <name>', 'name of the VM (default: a random one)')
    .option('--run-strategy <strategy>', 'Always, Manual, Halted, Once or RerunOnFailure', 'Always')
    .option('--termination-grace-period <seconds>', 'time the guest has to shut down', '180')
    .option('--memory <quantity>', 'memory of the guest (default 512Mi)')
    .option('--instancetype <[kind/]name>', 'instance type of the VM')
    .option('--infer-instancetype', 'take the instance type from the boot volume')
    .option('--no-infer-instancetype', 'do not take the instance type from the boot volume')
    .option('--infer-instancetype-from <volume>', 'take the instance type from this volume')
    .option('--preference <[kind/]name>', 'preference of the VM')
    .option('--infer-preference', 'take the preference from the boot volume')
    .option('--no-infer-preference', 'do not take the preference from the boot volume')
    .option('--infer-preference-from <volume>', 'take the preference from this volume')
    .option(
      '--volume-containerdisk <params>',
      'src:IMAGE[,name:NAME][,bootorder:N]; may be repeated',
      collect,
      [],
    )
    .option('--volume-pvc <params>', 'src:CLAIM[,name:NAME][,bootorder:N]; may be repeated', collect, [])
    .option(
      '--volume-import <params>',
      'type:blank|ds|gcs|http|imageio|pvc|registry|s3|snapshot|vddk,…; may be repeated',
      collect,
      [],
    )
    .option('--volume-datasource <params>', 'older name of --volume-import type:ds,…', collect, [])
    .option('--volume-clone-pvc <params>', 'older name of --volume-import type:pvc,…', collect, [])
    .option('--volume-blank <params>', 'older name of --volume-import type:blank,…', collect, [])
    .option('--volume-sysprep <params>', 'src:NAME[,type:configmap|secret]', collect, [])
    .option('--user <name>', 'user of the guest (cloud-init)')
    .option('--password-file <file>', "file with the user's password (cloud-init)")
    .option('--ssh-key <key>', 'public key of the user (cloud-init); may be repeated', collect, [])
    .option('--ga-manage-ssh', 'let the guest agent manage ssh keys (cloud-init)', false)
    .option(
      '--access-cred <params>',
      'src:SECRET[,type:ssh|password][,method:ga|nocloud|configdrive][,user:NAME]; may be repeated',
      collect,
      [],
    )
    .option('--cloud-init <type>', 'nocloud, configdrive or none')
    .option('--cloud-init-user-data <base64>', 'user data')
    .option('--cloud-init-network-data <base64>', 'network data')
    .action((flags: CreateVmFlags & { readonly passwordFile?: string }, self: Command) => {
      for (const [old, given] of Object.entries({
        'volume-datasource': flags.volumeDatasource,
        'volume-clone-pvc': flags.volumeClonePvc,
        'volume-blank': flags.volumeBlank,
      }))
        if (given !== undefined && given.length > 0)
          shell.stderr.write(`Flag --${old} has been deprecated, use flag --volume-import instead\n`);
      const namespace = accessFlags(self).namespace;
      const all = { ...flags, ...passwordOf(flags.passwordFile, shell) };
      print(
        shell,
        vmManifest({ ...all, ...(namespace === undefined ? {} : { namespace }) }, () => shell.random(5)),
      );
    });
}

function passwordOf(file: string | undefined, shell: Shell): { readonly password?: string } {
  if (file === undefined) return {};
  shell.stderr.write('WARNING: --password-file: The password is stored in cleartext in the VM definition!\n');
  if (!existsSync(file)) throw flagError('password-file', `there is no file ${file}`);
  return { password: readFileSync(file, 'utf8').trim() };
}

function addCreateInstancetype(create: Command, shell: Shell): void {
  const given = (self: Command): { namespace?: string } => {
    const { namespace } = accessFlags(self);
    return namespace === undefined ? {} : { namespace };
  };
  create
    .command('instancetype')
    .description('Print a manifest for an instance type.')
    .option('--name <name>', 'name (default: a random one)')
    .requiredOption('--cpu <count>', 'virtual CPUs')
    .requiredOption('--memory <quantity>', 'memory of the guest')
    .option('--gpu <params>', 'name:NAME,devicename:DEVICE; may be repeated', collect, [])
    .option('--hostdevice <params>', 'name:NAME,devicename:DEVICE; may be repeated', collect, [])
    .option('--iothreadspolicy <policy>', 'auto or shared')
    .option('--namespaced', 'for one namespace instead of the cluster', false)
    .action((flags: InstancetypeFlags, self: Command) =>
      print(
        shell,
        instancetypeManifest({ ...flags, ...given(self) }, () => shell.random(5)),
      ),
    );
  create
    .command('preference')
    .description('Print a manifest for a preference.')
    .option('--name <name>', 'name (default: a random one)')
    .option('--cpu-topology <topology>', 'preferSockets, preferCores, preferThreads, …')
    .option('--machine-type <type>', 'machine type')
    .option('--volume-storage-class <class>', 'storage class')
    .option('--namespaced', 'for one namespace instead of the cluster', false)
    .action((flags: PreferenceFlags, self: Command) =>
      print(
        shell,
        preferenceManifest({ ...flags, ...given(self) }, () => shell.random(5)),
      ),
    );
}

function addCreateClone(create: Command, shell: Shell): void {
  create
    .command('clone')
    .description('Print a manifest for a clone.')
    .option('--name <name>', 'name (default: a random one)')
    .requiredOption('--source-name <name>', 'what to clone')
    .option('--source-type <type>', 'vm or vmsnapshot', 'vm')
    .option('--target-name <name>', 'name of the clone')
    .option('--target-type <type>', 'vm', 'vm')
    .option('--label-filter <filter>', 'labels to take; may be repeated', collect, [])
    .option('--annotation-filter <filter>', 'annotations to take; may be repeated', collect, [])
    .option('--template-label-filter <filter>', "the template's labels to take; may be repeated", collect, [])
    .option(
      '--template-annotation-filter <filter>',
      "the template's annotations to take; may be repeated",
      collect,
      [],
    )
    .option('--new-mac-address <interface:address>', 'new MAC address; may be repeated', collect, [])
    .option('--new-smbios-serial <serial>', 'new serial number')
    .option('--warm', 'the clone goes on from the memory of the snapshot instead of booting')
    .option('--identityless', 'a warm clone keeps the host name, machine id and keys of the guest')
    .action((flags: CloneFlags, self: Command) => {
      const { namespace } = accessFlags(self);
      const where = namespace === undefined ? {} : { namespace };
      print(
        shell,
        cloneManifest({ ...flags, ...where }, () => shell.random(5)),
      );
    });
}
