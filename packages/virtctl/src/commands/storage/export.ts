/** export: a VM that is off as an OVA, or its disks as qcow2, for other systems. */
import { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { resources } from '@podvisor/kube';
import { run } from '@podvisor/sys';
import type { Command } from 'commander';
import { accessFlags, accessWords } from '../../access/flags.ts';
import { exportedMachine } from '../../export/machine-of-vm.ts';
import { type ExportedDisk, ovfText } from '../../export/ovf-text.ts';
import { openSession } from '../../kube-access.ts';
import { type ProgressMode, progressOption } from '../../progress.ts';
import { say, type Shell } from '../../shell.ts';

const CONVERT_MS = 12 * 3_600_000;

interface ExportFlags {
  readonly format: string;
  readonly output?: string;
  readonly progress: ProgressMode;
}

/** `runWords` runs another command of this program. */
export function addExportCommand(
  program: Command,
  shell: Shell,
  runWords: (words: readonly string[]) => Promise<unknown>,
): void {
  program
    .command('export <vm>')
    .description('Write a VM that is off as an OVA, or its disks as qcow2 (needs qemu-img here).')
    .option('--format <format>', 'ova or qcow2', 'ova')
    .addOption(progressOption())
    .option('-o, --output <file>', 'file to write (default: VM.ova, or VM-DISK.qcow2 for each disk)')
    .action(async (name: string, flags: ExportFlags, self: Command) => {
      if (flags.format !== 'ova' && flags.format !== 'qcow2')
        throw new Error(`--format "${flags.format}": use ova or qcow2`);
      const { client, namespace } = openSession(self, shell);
      const machine = exportedMachine(await client.get(resources.virtualMachines, { namespace, name }));
      if (machine.disks.length === 0)
        throw new Error(`${name} has no disk with a claim: there is nothing to export`);
      if (flags.format === 'qcow2' && flags.output !== undefined && machine.disks.length > 1)
        throw new Error(`${name} has ${machine.disks.length} disks: leave --output out, each gets a file`);
      for (const line of machine.leftOut) say(shell, `left out: ${line}`);
      const target = resolve(flags.output ?? `${name}.ova`);
      const work = mkdtempSync(join(dirname(target), `${name}.export.`));
      try {
        const disks: ExportedDisk[] = [];
        for (const [index, { claim, name: diskName }] of machine.disks.entries()) {
          const raw = join(work, 'disk.raw');
          await runWords([
            ...['vmexport', 'download', `${name}-export-${shell.random(5)}`, '--vm', name, '--volume', claim],
            ...['--output', raw, '--format', 'raw', '--port-forward', '-n', namespace],
            ...['--progress', flags.progress],
            ...accessWords(accessFlags(self)),
          ]);
          const capacityBytes = statSync(raw).size;
          const isOva = flags.format === 'ova';
          const file = isOva
            ? `${name}-disk${index + 1}.vmdk`
            : basename(flags.output ?? `${name}-${diskName}.qcow2`);
          const shape = isOva ? ['-O', 'vmdk', '-o', 'subformat=streamOptimized'] : ['-O', 'qcow2', '-c'];
          await run('qemu-img', ['convert', '-f', 'raw', ...shape, raw, join(work, file)], {
            timeoutMs: CONVERT_MS,
          });
          rmSync(raw);
          disks.push({ file, fileBytes: statSync(join(work, file)).size, capacityBytes });
          if (!isOva) {
            renameSync(join(work, file), join(dirname(target), file));
            say(shell, `${join(dirname(target), file)} is written`);
          }
        }
        if (flags.format === 'ova') {
          writeFileSync(join(work, `${name}.ovf`), ovfText(machine, disks));
          const members = [`${name}.ovf`, ...disks.map(({ file }) => file)];
          // In a directory that nobody else can write to: no name of a stranger's is filled with a disk.
          const whole = join(work, 'whole');
          await run('tar', ['--format=ustar', '-cf', whole, '-C', work, ...members], {
            timeoutMs: CONVERT_MS,
          });
          renameSync(whole, target);
          say(shell, `${target} is written`);
        }
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    });
}
