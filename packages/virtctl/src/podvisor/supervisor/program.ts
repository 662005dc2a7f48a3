/** The command line of `podvisor`: what there is, and who does it. */
import { KubeClient } from '@podvisor/kube';
import { defaultHome, instancePaths } from '@podvisor/sys';
import { Command, InvalidArgumentError } from 'commander';
import { addCompletionCommands } from '../../commands/completion.ts';
import { addUiCommand } from '../../commands/ui.ts';
import { shortUsageAfterErrors } from '../../output/short-usage.ts';
import { processShell } from '../../process-shell.ts';
import { type ProgressMode, progressOption } from '../../progress.ts';
import { VERSION } from '../../version.ts';
import { addClusterCommands } from '../cluster/commands.ts';
import { backupHome, restoreHome } from '../home-backup/backup-command.ts';
import { doctor } from '../doctor/doctor.ts';
import { neededHome } from '../home/home-access.ts';
import { homeNames } from '../home/home-names.ts';
import { embeddedFacts } from '../home/embedded-facts.ts';
import { fixMachine } from '../doctor/doctor-fix.ts';
import { down } from '../up/down.ts';
import { buildImage, importImage, listImages, removeImage } from '../images/image-command.ts';
import { addImagesCommand } from '../images/command.ts';
import { cutNode, cutNodeStorage, healNode, killNode, listNodes } from '../nodes/node-command.ts';
import { type RunFlags, runImage } from '../run-command.ts';
import { installService, removeService } from '../service.ts';
import { startMonitoring } from '../monitoring/start.ts';
import { status } from '../status.ts';
import { up } from '../up/up.ts';
import { type AddUserFlags, addUser, listUsers, removeUser } from '../users/user-command.ts';
import { addWatchingCommands } from '../watching-commands.ts';

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

/** Commands about a home that is there; others make one, or say themselves what they do without. */
const NEED_HOME: ReadonlySet<string> = new Set(['logs', 'slo', 'node', 'user', 'ui']);

/** `node` of `podvisor node cut`. */
function topLevel(command: Command): Command {
  const above = command.parent;
  return above === null || above.parent === null ? command : topLevel(above);
}

/** `root`: the checkout whose programs a home runs. */
export function buildPodvisor(root: string): Command {
  const program = new Command('podvisor')
    .description('Virtual machines on Kubernetes Pods, on this machine, with one command.')
    .version(VERSION)
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nMore:\n  test [AREA]   run all tests, or those of one area\n  fuzz [NAME]   feed hostile input to the parsers, for longer than the tests do\n  bench [WHAT]  measure\n\nEnvironment:\n  PODVISOR_HOME  where the embedded cluster keeps its data (default /var/lib/podvisor)',
    );
  addHomeCommands(program, root);
  addWatchingCommands(program);
  addImageCommands(program, root);
  addImagesCommand(program, root);
  addNodeCommands(program);
  addUserCommands(program);
  addRunCommand(program, root);
  addUiCommand(
    program,
    processShell(),
    () => ({
      client: KubeClient.fromKubeconfig(instancePaths(defaultHome()).kubeconfig, 'podvisor'),
      namespace: 'default',
    }),
    embeddedFacts(defaultHome),
  );
  addClusterCommands(program, wholeNumber);
  const service = program
    .command('service')
    .description('Let systemd keep the home running: after a crash, and from boot on.');
  service
    .command('install')
    .description('Write and start a unit for the home; VMs keep running.')
    .action(() => installService(defaultHome()));
  service
    .command('remove')
    .description('Remove the unit; the home runs on until `podvisor down`, and is not started at boot.')
    .action(() => removeService(defaultHome()));
  addCompletionCommands(program, processShell(), homeNames(defaultHome));
  shortUsageAfterErrors(program);
  program.hook('preAction', (_program, action) => {
    if (NEED_HOME.has(topLevel(action).name())) neededHome(defaultHome());
  });
  return program;
}

interface UpCommandFlags {
  readonly bare?: boolean;
  readonly apiPort?: number;
  readonly podCidr?: string;
  readonly nodes?: number;
  readonly launcherImage?: string;
  readonly timeout: number;
  readonly wait: boolean;
  readonly monitoring: boolean;
}

function addHomeCommands(program: Command, root: string): void {
  program
    .command('up [manifest]')
    .description(
      'Start the embedded cluster; with a manifest, apply it and follow its VMs until their guests are up.',
    )
    .option(
      '--api-port <port>',
      'port of the API server on 127.0.0.1; the next ones serve the components',
      wholeNumber,
    )
    .option(
      '--pod-cidr <cidr>',
      'network of all Pods: an IPv4 /16, an IPv6 /64, or both with a comma between',
    )
    .option(
      '--nodes <n>',
      'nodes on this machine, 1 to 8; on an existing home adds nodes, or removes the last ones when empty',
      wholeNumber,
    )
    .option(
      '--bare',
      'a cluster and nothing that runs VMs: that is installed as on any cluster (cluster install)',
    )
    .option(
      '--launcher-image <name>',
      'image that VMs run from, of a registry or loaded with `image import`; "embedded": programs of this machine, as from the start',
    )
    .option('--no-wait', 'end when the VMs run, without waiting until their guests are up')
    .option('--timeout <seconds>', 'give up after', wholeNumber, 300)
    .option(
      '--monitoring',
      "start Debian's Prometheus and Alertmanager with our rules beside it, until `down`",
      false,
    )
    .action(async (manifest: string | undefined, flags: UpCommandFlags) => {
      await up(root, manifest, { ...flags, timeoutSeconds: flags.timeout });
      if (flags.monitoring) await startMonitoring(root);
    });
  program
    .command('down')
    .description('Stop all VMs and processes; data is kept.')
    .option('--purge', 'remove everything: objects, images, volumes, configuration', false)
    .option('--timeout <seconds>', 'time for guests to shut down before they are ended', wholeNumber, 120)
    .action((flags: { purge: boolean; timeout: number }) => down(root, flags));
  program
    .command('status')
    .description('Show processes, nodes and VMs.')
    .action(async () => {
      if (!(await status())) process.exitCode = 1;
    });
  program
    .command('doctor')
    .description('Check whether this machine can run VMs, with the fix for each problem.')
    .option('--fix', 'install missing packages, load modules and close what is open, then check again', false)
    .action(async ({ fix }: { fix: boolean }) => {
      if (fix) await fixMachine(defaultHome());
      if (!(await doctor(defaultHome()))) process.exitCode = 1;
    });
  program
    .command('backup <file>')
    .description('Put the state of the home into a file: objects, keys and settings; VMs keep running.')
    .option('--disks', 'with the disks of all claims, while no VM runs', false)
    .action((file: string, flags: { disks: boolean }) => backupHome(file, flags));
  program
    .command('restore <file>')
    .description('Make a home of a backup, or put its state in place of that of a home that is down.')
    .option('--replace', 'there is a home: what it has is kept beside it', false)
    .action((file: string, flags: { replace: boolean }) => restoreHome(file, flags));
}

function addImageCommands(program: Command, root: string): void {
  const image = program
    .command('image')
    .description('Images of this machine, for container disks and DataVolumes.');
  image
    .command('list')
    .description('Show names, sizes and who uses them.')
    .action(() => listImages());
  image
    .command('build <name>')
    .description('Make a container disk of a disk image; `build hello` makes the image of the examples.')
    .option('--disk <file>', 'disk image: qcow2 and raw as they are, vmdk, vdi, vhd and vhdx as qcow2')
    .addOption(progressOption())
    .action((name: string, { disk, progress }: { disk?: string; progress: ProgressMode }) =>
      buildImage(root, name, disk, progress),
    );
  image
    .command('import <file> <name>')
    .description(
      'Load an OCI layout, an OCI archive or a docker archive under a name; of a disk image, a container disk is made.',
    )
    .addOption(progressOption())
    .action((file: string, name: string, { progress }: { progress: ProgressMode }) =>
      importImage(file, name, progress),
    );
  image
    .command('remove <image>')
    .description('Remove an image that nobody uses.')
    .action((name: string) => removeImage(name));
}

function addNodeCommands(program: Command): void {
  const node = program
    .command('node')
    .description('Show the nodes of this machine, and try faults on them (with --nodes 2 or more).');
  node.command('list').description('Show the nodes.').action(listNodes);
  node
    .command('cut <node>')
    .description('Unplug a node from the network: its Pods go on, the API server cannot reach it.')
    .option('--storage', 'its Pods from the storage of their claims instead; other nodes reach that', false)
    .action((name: string, { storage }: { storage: boolean }) =>
      storage ? cutNodeStorage(name) : cutNode(name),
    );
  node
    .command('kill <node>')
    .description('Cut the power of a node: its kubelet, virt-handler and all its containers end at once.')
    .action((name: string) => killNode(name));
  node
    .command('heal <node>')
    .description('Plug a node in again and turn it on; returns when it is ready.')
    .option('--storage', 'give its Pods their storage back, and nothing else', false)
    .action((name: string, { storage }: { storage: boolean }) => healNode(name, storage));
}

function addRunCommand(program: Command, root: string): void {
  const collect = (value: string, all: readonly string[]): readonly string[] => [...all, value];
  program
    .command('run [image] [command...]')
    .description(
      'From nothing to a shell: a VM of a distribution by its name; without a name, those that there are.',
    )
    .option('--name <name>', 'name of the VM (default: that of the image)')
    .option('-n, --namespace <name>', 'where', 'default')
    .option('--user <name>', 'user of the guest (default: that of the distribution)')
    .option('--ssh-key <file>', 'public key of the user (default: yours, or one that the home makes)')
    .option('--cpu <n>', 'virtual CPUs', wholeNumber, 1)
    .option('--memory <size>', 'memory of the guest, such as 2Gi')
    .option('--disk <size>', 'size of the root disk, such as 20Gi')
    .option('--port <[port:]guest>', 'make a port of the guest reachable; may be repeated', collect, [])
    .option(
      '--volume <name[:size[:/path]]>',
      'a claim, or a new disk and where to mount it; may be repeated',
      collect,
      [],
    )
    .option('--from-iso <file>', 'install from an ISO image instead')
    .option('--preference <name>', 'cluster preference (docs/catalogue.md)')
    .option('--dry-run', 'print the YAML and do nothing', false)
    .option('-o, --output <format>', 'with --dry-run: yaml', 'yaml')
    .option('-d, --detach', 'do not sign in', false)
    .option('--timeout <seconds>', 'give up after', wholeNumber, 1800)
    .action((image: string | undefined, command: readonly string[], flags: RunFlags) =>
      runImage(root, image, command, flags),
    );
}

function addUserCommands(program: Command): void {
  const user = program.command('user').description('People who may use a namespace of this home.');
  user
    .command('add <name>')
    .description(
      'Let somebody work in a namespace, and print his kubeconfig; again: a new one, the old one ends.',
    )
    .requiredOption('-n, --namespace <name>', 'where')
    .option('--create-namespace', 'make the namespace when it is not there', false)
    .option('--role <role>', 'view, edit, admin or another ClusterRole', 'edit')
    .option('--expires <time>', 'how long the certificate counts: 12h, 30d, 1y', '1y')
    .option('--server <url>', 'address of the API server in the kubeconfig (default: this machine)')
    .option('-o, --output <file>', 'write the kubeconfig to a new file that only you can read')
    .action((name: string, flags: AddUserFlags) => addUser(name, flags));
  user.command('list').description('Show who may do what, where and until when.').action(listUsers);
  user
    .command('remove <user>')
    .description('Take all rights of a user away, or those in one namespace.')
    .option('-n, --namespace <name>', 'only there')
    .action((name: string, flags: { namespace?: string }) => removeUser(name, flags));
}
