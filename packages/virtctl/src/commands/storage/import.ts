/** import: a machine of another system (OVA, OVF, libvirt) or a bare disk becomes a VM with its disks. */
import { parseQuantity, quantityMeant } from '@podvisor/base';
import type { Command } from 'commander';
import type { SourceMachine } from '../../import/machine.ts';
import { type ImportPlan, planImport } from '../../import/plan.ts';
import { readMachine } from '../../import/read-machine.ts';
import { accessFlags, accessWords } from '../../access/flags.ts';
import { openSession } from '../../kube-access.ts';
import { table } from '../../output/table.ts';
import { toYaml } from '../../output/yaml.ts';
import { type ProgressMode, progressOption } from '../../progress.ts';
import { objectPath, post } from '../../requests.ts';
import { say, type Shell } from '../../shell.ts';

interface ImportFlags {
  readonly name?: string;
  readonly virtio: boolean;
  readonly network: readonly string[];
  readonly start: boolean;
  readonly efi: boolean;
  readonly cpu?: string;
  readonly memory?: string;
  readonly size?: string;
  readonly os: SourceMachine['os'];
  readonly allowPaths: boolean;
  readonly dryRun: boolean;
  readonly progress: ProgressMode;
}

/** `runWords` runs another command of this program. */
export function addImportCommand(
  program: Command,
  shell: Shell,
  runWords: (words: readonly string[]) => Promise<unknown>,
): void {
  program
    .command('import <file>')
    .description(
      'Make a VM of an OVA, an OVF, a libvirt domain XML or a disk image (VMDK, VHD, VHDX, VDI, qcow2, raw).',
    )
    .option('--name <name>', 'name of the VM (default: that of the machine)')
    .option('--virtio', 'the guest has virtio drivers: use them for disks and network', false)
    .option(
      '--network <n=name>',
      'network attachment for card N; may be repeated',
      (one, all: readonly string[]) => [...all, one],
      [],
    )
    .option('--no-start', 'make the VM and do not start it')
    .option('--efi', 'the disk boots by EFI (a bare disk does not tell)', false)
    .option('--cpu <n>', 'virtual CPUs, where the file does not tell or you want others')
    .option('--memory <size>', 'memory, likewise, such as 2Gi')
    .option('--size <size>', 'size of the disk, where its file does not tell (VHDX)')
    .option('--os <kind>', 'linux, windows or other, for a bare disk', 'other')
    .option('--allow-paths', 'open disks where the domain XML says, not only beside it', false)
    .addOption(progressOption())
    .option('--dry-run', 'show what would become of it, and the YAML', false)
    .action(async (file: string, flags: ImportFlags, self: Command) => {
      const { client, namespace } = openSession(self, shell);
      const machine = adjusted(
        readMachine(file, {
          allowPaths: flags.allowPaths,
          os: flags.os,
          ...(flags.size === undefined ? {} : { sizeBytes: bytesOf('size', flags.size) }),
        }),
        flags,
      );
      const plan = planImport(machine, {
        namespace,
        virtio: flags.virtio,
        networks: flags.network,
        start: flags.start,
        ...(flags.name === undefined ? {} : { name: flags.name }),
      });
      show(plan, shell);
      if (flags.dryRun) return void shell.stdout.write(`\n${toYaml(plan.vm)}`);
      await post(client, objectPath('kubevirt.io/v1', namespace, 'virtualmachines'), plan.vm);
      for (const { volume, source } of plan.uploads)
        await runWords([
          ...['image-upload', 'dv', volume, '--no-create', '-n', namespace, '--image-path', source.file],
          ...accessWords(accessFlags(self)),
          ...['--progress', flags.progress],
          ...['--image-offset', String(source.offset), '--image-bytes', String(source.bytes)],
        ]);
      const name = plan.vm.metadata?.name ?? '';
      say(shell, `VM ${namespace}/${name} is there${flags.start ? ' and starts' : ''}: virtctl why ${name}`);
    });
}

function adjusted(machine: SourceMachine, { cpu, memory, efi }: ImportFlags): SourceMachine {
  return {
    ...machine,
    ...(cpu === undefined ? {} : { cpus: cpusOf(cpu) }),
    ...(memory === undefined ? {} : { memoryMib: Math.ceil(bytesOf('memory', memory) / 2 ** 20) }),
    ...(efi ? { firmware: 'efi' as const } : {}),
  };
}

function cpusOf(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`--cpu "${text}": write a whole number of virtual CPUs`);
  return Number(text);
}

function bytesOf(flag: string, text: string): number {
  try {
    return parseQuantity(text).value();
  } catch (error) {
    throw new Error(`--${flag} "${text}"${quantityMeant(text) || ': write a size such as 512Mi or 20Gi'}`, {
      cause: error,
    });
  }
}

function show({ rows }: ImportPlan, shell: Shell): void {
  say(
    shell,
    table(
      ['device', 'was', 'becomes', 'note'],
      rows.map((row) => [row.device, row.was, row.becomes, row.note]),
    ),
  );
}
