/** vmexport create|delete|download: a VM's volumes for use elsewhere. */
import type { Command } from 'commander';
import { durationMs } from '../../access/command-client.ts';
import { openSession } from '../../kube-access.ts';
import { type ProgressMode, progressOption } from '../../progress.ts';
import type { Shell } from '../../shell.ts';
import { createExport, deleteExport, type ExportSource } from '../../vmexport/create.ts';
import { downloadExport } from '../../vmexport/download.ts';

interface ExportFlags {
  readonly progress: ProgressMode;
  readonly vm?: string;
  readonly snapshot?: string;
  readonly pvc?: string;
  readonly output?: string;
  readonly volume?: string;
  readonly format?: string;
  readonly manifest: boolean;
  readonly manifestOutputFormat?: string;
  readonly includeSecret: boolean;
  readonly serviceUrl?: string;
  readonly portForward: boolean;
  readonly localPort: string;
  readonly ttl?: string;
  readonly keepVme: boolean;
  readonly deleteVme: boolean;
  readonly insecure: boolean;
  readonly retry: string;
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
  readonly readinessTimeout: string;
  readonly wait: boolean;
}

const collect = (value: string, all: readonly string[]): readonly string[] => [...all, ...value.split(',')];

export function addVmexportCommand(program: Command, shell: Shell): void {
  program
    .command('vmexport <function> <name>')
    .description('Export volumes: create, delete or download NAME.')
    .option('--vm <name>', 'export the volumes of this VirtualMachine')
    .option('--snapshot <name>', 'export the volumes of this VirtualMachineSnapshot')
    .option('--pvc <name>', 'export this PersistentVolumeClaim')
    .option('--output <file>', 'file to download to; "-" is standard output')
    .option('--volume <name>', 'volume to download')
    .option('--format <format>', 'gzip or raw')
    .option('--manifest', 'download the manifest instead of a volume', false)
    .option('--manifest-output-format <format>', 'yaml or json')
    .option('--include-secret', 'with the secret that an import needs', false)
    .option('--service-url <host:port>', 'reach the server here instead of at its external address')
    .option('--port-forward', 'reach the server through the API server', false)
    .option('--local-port <port>', 'not needed: no local port is used', '0')
    .option('--ttl <time>', 'the export ends by itself after this time')
    .option('--keep-vme', 'keep the export after the download', false)
    .option('--delete-vme', 'delete the export after the download', false)
    .option('--insecure', "do not check the server's certificate", false)
    .option('--retry <count>', 'tries after a passing error', '0')
    .option('--labels <key=value>', 'labels of the export; may be repeated', collect, [])
    .option('--annotations <key=value>', 'annotations of the export; may be repeated', collect, [])
    .option('--wait', 'wait also while the volumes are in use by a running guest', false)
    .addOption(progressOption())
    .option('--readiness-timeout <time>', 'how long to wait for the export', '2m')
    .action(async (verb: string, name: string, flags: ExportFlags, self: Command) => {
      const source = sourceOf(flags);
      const word = verb.toLowerCase();
      if (word !== 'create' && word !== 'delete' && word !== 'download')
        throw new Error(`invalid function '${verb}'`);
      checkFlags(word, flags, source);
      const session = openSession(self, shell);
      if (word === 'delete') return deleteExport(session, shell, name);
      if (word === 'create' && source !== undefined)
        return createExport(session, shell, { name, source, ...extras(flags) });
      const manifest = flags.manifest ? (flags.manifestOutputFormat === 'json' ? 'json' : 'yaml') : undefined;
      return downloadExport(session, shell, {
        name,
        ...(source === undefined ? {} : { source }),
        output: flags.output ?? '-',
        ...(flags.volume === undefined ? {} : { volume: flags.volume }),
        raw: flags.format === 'raw',
        ...(manifest === undefined ? {} : { manifest }),
        includeSecret: flags.includeSecret,
        ...(flags.serviceUrl === undefined ? {} : { serviceUrl: flags.serviceUrl }),
        insecure: flags.insecure,
        portForward: flags.portForward,
        readinessTimeoutMs: durationMs(flags.readinessTimeout, '--readiness-timeout'),
        waitForUse: flags.wait,
        progress: flags.progress,
        keep: flags.keepVme || (source === undefined && !flags.deleteVme),
      });
    });
}

function sourceOf(flags: ExportFlags): ExportSource | undefined {
  const sources: ExportSource[] = [];
  if (flags.vm !== undefined)
    sources.push({ apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: flags.vm });
  if (flags.snapshot !== undefined)
    sources.push({ apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: flags.snapshot });
  if (flags.pvc !== undefined) sources.push({ apiGroup: '', kind: 'PersistentVolumeClaim', name: flags.pvc });
  if (sources.length > 1) throw new Error('only one of --vm, --snapshot and --pvc can be given');
  return sources[0];
}

function checkFlags(
  verb: 'create' | 'delete' | 'download',
  flags: ExportFlags,
  source: ExportSource | undefined,
): void {
  const incompatible = (flag: string): Error =>
    new Error(`the '--${flag}' flag is incompatible with '${verb}'`);
  if (verb === 'create' && source === undefined)
    throw new Error(
      'need to specify export kind when attempting to create a VirtualMachineExport [--pvc|--vm|--snapshot]',
    );
  if (verb === 'delete' && source !== undefined) throw new Error('should not specify export kind');
  if (verb !== 'download') {
    if (flags.output !== undefined) throw incompatible('output');
    if (flags.volume !== undefined) throw incompatible('volume');
    if (flags.manifest) throw incompatible('manifest');
    if (flags.keepVme) throw incompatible('keep-vme');
    if (flags.deleteVme) throw incompatible('delete-vme');
    return;
  }
  if (flags.keepVme && flags.deleteVme)
    throw new Error('only one of --keep-vme and --delete-vme can be given');
  if (flags.manifest && source?.kind === 'PersistentVolumeClaim')
    throw new Error('cannot get manifest for PVC export');
  if (!flags.manifest && flags.output === undefined)
    throw new Error("need to specify the '--output' flag when using 'download'");
  if (flags.format !== undefined && flags.format !== 'gzip' && flags.format !== 'raw')
    throw new Error(`${flags.format} is not a valid value, acceptable values are gzip,raw`);
}

function extras(flags: ExportFlags): {
  ttl?: string;
  labels?: Readonly<Record<string, string>>;
  annotations?: Readonly<Record<string, string>>;
} {
  const pairs = (words: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(
      words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
    );
  return {
    ...(flags.ttl === undefined ? {} : { ttl: flags.ttl }),
    ...(flags.labels.length === 0 ? {} : { labels: pairs(flags.labels) }),
    ...(flags.annotations.length === 0 ? {} : { annotations: pairs(flags.annotations) }),
  };
}
