/** All commands of virtctl, put together. */
import { Command } from 'commander';
import { addGlobalFlags, GLOBAL_FLAGS } from './access/flags.ts';
import { addAdmCommands } from './commands/adm.ts';
import { addCompletionCommands, clusterNames } from './commands/completion.ts';
import { addConsoleCommand } from './commands/streams/console.ts';
import { addCreateCommands } from './commands/create.ts';
import { addCredentialsCommands } from './commands/credentials.ts';
import { addExportCommand } from './commands/storage/export.ts';
import { addExposeCommand } from './commands/expose.ts';
import { addGuestInfoCommands } from './commands/look/guest-info.ts';
import { addGuestfsCommand } from './commands/storage/guestfs.ts';
import { addImageUploadCommand } from './commands/storage/image-upload.ts';
import { addImportCommand } from './commands/storage/import.ts';
import { addInspectCommands } from './commands/look/inspect.ts';
import { addLifecycleCommands } from './commands/lifecycle.ts';
import { addMemoryDumpCommand } from './commands/storage/memory-dump.ts';
import { addMigrateCommands } from './commands/migrate.ts';
import { addNetCommand } from './commands/look/net.ts';
import { addNodeLossCommands } from './commands/node-loss.ts';
import { addPortForwardCommand } from './commands/streams/port-forward.ts';
import { addRenderCommand } from './commands/look/render.ts';
import { addSshCommands } from './commands/streams/ssh.ts';
import { addTemplateCommands } from './commands/template.ts';
import { addTopCommand } from './commands/look/top.ts';
import { addUiCommand } from './commands/ui.ts';
import { addUsbredirCommand } from './commands/streams/usbredir.ts';
import { addVersionCommand } from './commands/version.ts';
import { addVmexportCommand } from './commands/storage/vmexport.ts';
import { addVncCommand } from './commands/streams/vnc.ts';
import { addVolumeCommands } from './commands/storage/volumes.ts';
import { addWhyCommand } from './commands/look/why.ts';
import { shortUsageAfterErrors } from './output/short-usage.ts';
import { say, type Shell } from './shell.ts';

/** A fresh program whose commands talk to `shell`. `name` is what people typed (`kubectl virt` for the plugin). */
export function buildProgram(shell: Shell, name = 'virtctl'): Command {
  const program = new Command(name)
    .description('virtctl controls virtual machine related operations on your Kubernetes cluster.')
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void shell.stdout.write(text),
      writeErr: (text) => void shell.stderr.write(text),
    })
    .exitOverride();
  addLifecycleCommands(program, shell);
  addMigrateCommands(program, shell);
  addConsoleCommand(program, shell);
  addVncCommand(program, shell);
  addSshCommands(program, shell);
  addPortForwardCommand(program, shell);
  addExposeCommand(program, shell);
  addUsbredirCommand(program, shell);
  addGuestInfoCommands(program, shell);
  addVolumeCommands(program, shell);
  addMemoryDumpCommand(program, shell);
  addImageUploadCommand(program, shell);
  addVmexportCommand(program, shell);
  const runWords = (words: readonly string[]): Promise<unknown> =>
    buildProgram(shell, name).parseAsync([...words], { from: 'user' });
  addImportCommand(program, shell, runWords);
  addExportCommand(program, shell, runWords);
  addCreateCommands(program, shell);
  addCredentialsCommands(program, shell);
  addInspectCommands(program, shell);
  addTopCommand(program, shell);
  addWhyCommand(program, shell);
  addNetCommand(program, shell);
  addUiCommand(program, shell);
  addRenderCommand(program);
  addNodeLossCommands(program, shell);
  addAdmCommands(program, shell);
  addGuestfsCommand(program, shell);
  addTemplateCommands(program, shell);
  addCompletionCommands(program, shell, clusterNames(shell));
  addVersionCommand(program, shell);
  program
    .command('options')
    .description('Flags that every command takes.')
    .action(() => GLOBAL_FLAGS.forEach(([flag, summary]) => say(shell, `  ${flag.padEnd(34)} ${summary}`)));
  addGlobalFlags(program);
  shortUsageAfterErrors(program);
  return program;
}
