/** virtctl: the commands of a VM's daily life. */
import { Command } from 'commander';
import { addConsoleCommand } from './commands/console.ts';
import { addGuestInfoCommands } from './commands/guest-info.ts';
import { addLifecycleCommands } from './commands/lifecycle.ts';
import { addRenderCommand } from './commands/render.ts';
import { addVersionCommand } from './commands/version.ts';
import { addWhyCommand } from './commands/why.ts';
import { runCommand } from './run-command.ts';

const program = new Command('virtctl')
  .description('virtctl controls virtual machine related operations on your Kubernetes cluster.')
  .option('--kubeconfig <file>', 'kubeconfig file ($KUBECONFIG, ~/.kube/config, or that of `podvisor up`)')
  .option('-n, --namespace <namespace>', 'namespace of the object (default "default")')
  .showHelpAfterError()
  .exitOverride((error) => process.exit(error.exitCode));
addLifecycleCommands(program);
addConsoleCommand(program);
addGuestInfoCommands(program);
addWhyCommand(program);
addRenderCommand(program);
addVersionCommand(program);
await runCommand(program, process.argv);
