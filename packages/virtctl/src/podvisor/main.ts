/** podvisor: the embedded home on this machine. */
import { defaultHome } from '@podvisor/sys';
import { Command, InvalidArgumentError } from 'commander';
import { runCommand } from '../run-command.ts';
import { VERSION } from '../version.ts';
import { doctor } from './doctor.ts';
import { down } from './down.ts';
import { importImage } from './image-command.ts';
import { cutNode, healNode, killNode, listNodes } from './node-command.ts';
import { status } from './status.ts';
import { up } from './up.ts';
import { type AddUserFlags, addUser, listUsers, removeUser } from './user-command.ts';

const root = process.env['PODVISOR_ROOT'] ?? '';

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

const program = new Command('podvisor')
  .description('Virtual machines on Kubernetes Pods, on this machine, with one command.')
  .version(VERSION)
  .showHelpAfterError()
  .exitOverride((error) => process.exit(error.exitCode))
  .addHelpText(
    'after',
    '\nMore:\n  test [AREA]   run all tests, or those of one area\n  fuzz [NAME]   feed hostile input to the parsers, for longer than the tests do\n  bench [WHAT]  measure\n\nEnvironment:\n  PODVISOR_HOME  where the embedded cluster keeps its data (default /var/lib/podvisor)',
  );
program
  .command('up [manifest]')
  .description('Start the embedded cluster; with a manifest, apply it and follow its VMs until they run.')
  .option(
    '--api-port <port>',
    'port of the API server on 127.0.0.1; the next ones serve the components',
    wholeNumber,
  )
  .option('--pod-cidr <cidr>', 'network of all Pods: an IPv4 /16, an IPv6 /64, or both with a comma between')
  .option(
    '--nodes <n>',
    'nodes on this machine, 1 to 8; on an existing home adds nodes, or removes the last ones when empty',
    wholeNumber,
  )
  .option('--timeout <seconds>', 'give up after', wholeNumber, 300)
  .action(
    (
      manifest: string | undefined,
      flags: { apiPort?: number; podCidr?: string; nodes?: number; timeout: number },
    ) => up(root, manifest, { ...flags, timeoutSeconds: flags.timeout }),
  );
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
  .action(async () => {
    if (!(await doctor(defaultHome()))) process.exitCode = 1;
  });
program
  .command('image')
  .description('Images of this machine, for container disks and DataVolumes.')
  .command('import <archive> <name>')
  .description('Load an OCI layout, an OCI archive or a docker archive under a name.')
  .action((archive: string, name: string) => importImage(archive, name));
const node = program
  .command('node')
  .description('Show the nodes of this machine, and try faults on them (with --nodes 2 or more).');
node.command('list').description('Show the nodes.').action(listNodes);
node
  .command('cut <name>')
  .description('Unplug a node from the network: its Pods go on, the API server cannot reach it.')
  .action((name: string) => cutNode(name));
node
  .command('kill <name>')
  .description('Cut the power of a node: its kubelet, virt-handler and all its containers end at once.')
  .action((name: string) => killNode(name));
node
  .command('heal <name>')
  .description('Plug a node in again and turn it on; returns when it is ready.')
  .action((name: string) => healNode(name));
const user = program.command('user').description('People who may use a namespace of this home.');
user
  .command('add <name>')
  .description(
    'Let somebody work in a namespace, and print his kubeconfig; again: a new one, the old one ends.',
  )
  .requiredOption('-n, --namespace <name>', 'where; it is made when it is not there')
  .option('--role <role>', 'view, edit, admin or another ClusterRole', 'edit')
  .option('--expires <time>', 'how long the certificate counts: 12h, 30d, 1y', '1y')
  .option('--server <url>', 'address of the API server in the kubeconfig (default: this machine)')
  .option('-o, --output <file>', 'write the kubeconfig to a new file that only you can read')
  .action((name: string, flags: AddUserFlags) => addUser(name, flags));
user.command('list').description('Show who may do what, where and until when.').action(listUsers);
user
  .command('remove <name>')
  .description('Take all rights of a user away, or those in one namespace.')
  .option('-n, --namespace <name>', 'only there')
  .action((name: string, flags: { namespace?: string }) => removeUser(name, flags));
await runCommand(program, process.argv);
