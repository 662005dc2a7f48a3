/** memory-dump get|download|remove: the guest's memory into a claim. */
import { parseQuantity } from '@podvisor/base';
import type { Command } from 'commander';
import { openSession, type Session } from '../../kube-access.ts';
import { at, textOf } from '../../plain.ts';
import { Progress, type ProgressMode, progressOption } from '../../progress.ts';
import { findJson, getJson, objectPath, post, put } from '../../requests.ts';
import { failure } from '../../run-program.ts';
import { say, type Shell } from '../../shell.ts';
import { subresourcePath } from '../../subresource-path.ts';
import { downloadExport } from '../../vmexport/download.ts';

interface DumpFlags {
  readonly claimName?: string;
  readonly createClaim: boolean;
  readonly storageClass?: string;
  readonly accessMode?: string;
  readonly output?: string;
  readonly format?: string;
  readonly portForward: boolean;
  readonly insecure: boolean;
  readonly localPort: string;
  readonly progress: ProgressMode;
}

const MIB = 1024 * 1024;
/** What a dump needs beside the guest's memory. */
const DUMP_OVERHEAD_BYTES = 100 * MIB;
const DEFAULT_FS_OVERHEAD = 0.055;

export function addMemoryDumpCommand(program: Command, shell: Shell): void {
  program
    .command('memory-dump <action> <vm>')
    .description('Dump the memory of a running guest: get, download or remove.')
    .option('--claim-name <name>', 'PersistentVolumeClaim for the dump')
    .option('--create-claim', 'create the claim', false)
    .option('--storage-class <class>', 'storage class of the claim')
    .option('--access-mode <mode>', 'ReadWriteOnce or ReadWriteMany')
    .option('--output <file>', 'file to download the dump to')
    .option('--format <format>', 'gzip or raw')
    .option('--port-forward', 'download through a port-forward', false)
    .option('--insecure', "do not check the certificate of the export's server", false)
    .option('--local-port <port>', 'local port of the port-forward', '0')
    .addOption(progressOption())
    .action(async (action: string, name: string, flags: DumpFlags, self: Command) => {
      const session = openSession(self, shell);
      switch (action) {
        case 'get':
          await dump(session, shell, name, flags);
          if (flags.output !== undefined) await download(session, shell, name, flags);
          return;
        case 'download':
          return download(session, shell, name, flags);
        case 'remove':
          await put(
            session.client,
            subresourcePath('virtualmachines', session.namespace, name, 'removememorydump'),
          ).catch((error: unknown) => {
            throw failure('error removing memory dump association,', error);
          });
          return say(shell, `Successfully submitted remove memory dump association of VM ${name}`);
        default:
          throw new Error(`invalid action type ${action}`);
      }
    });
}

async function dump(session: Session, shell: Shell, name: string, flags: DumpFlags): Promise<void> {
  if (flags.createClaim) {
    if (flags.claimName === undefined) throw new Error('missing claim name');
    await createClaim(session, shell, name, flags.claimName, flags);
  }
  const body = { claimName: flags.claimName ?? '', phase: '' };
  await put(
    session.client,
    subresourcePath('virtualmachines', session.namespace, name, 'memorydump'),
    body,
  ).catch((error: unknown) => {
    throw failure('error dumping vm memory,', error);
  });
  say(shell, `Successfully submitted memory dump request of VM ${name}`);
}

async function createClaim(
  { client, namespace }: Session,
  shell: Shell,
  name: string,
  claimName: string,
  flags: DumpFlags,
): Promise<void> {
  const accessMode = flags.accessMode ?? 'ReadWriteOnce';
  if (accessMode === 'ReadOnlyMany')
    throw new Error(
      'cannot dump memory to a readonly pvc, use either ReadWriteOnce or ReadWriteMany if supported',
    );
  if (accessMode !== 'ReadWriteOnce' && accessMode !== 'ReadWriteMany')
    throw new Error('invalid access mode, use either ReadWriteOnce or ReadWriteMany if supported');
  const vm = await getJson(client, objectPath('kubevirt.io/v1', namespace, 'virtualmachines', name));
  if (at(vm, 'status', 'memoryDumpRequest') !== undefined)
    throw new Error(
      'please remove current memory dump association before creating a new claim for a new memory dump',
    );
  if (
    (await findJson(client, objectPath('v1', namespace, 'persistentvolumeclaims', claimName))) !== undefined
  )
    throw new Error(
      `PVC ${namespace}/${claimName} already exists, check if it should be created if not remove create flag`,
    );
  const vmi = await getJson(client, objectPath('kubevirt.io/v1', namespace, 'virtualmachineinstances', name));
  const config = await findJson(client, '/apis/cdi.kubevirt.io/v1beta1/cdiconfigs/config');
  if (config === undefined) say(shell, 'Using default 5.5% filesystem overhead for pvc size');
  const claim = {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    metadata: { name: claimName, namespace, labels: { 'cdi.kubevirt.io/applyStorageProfile': 'true' } },
    spec: {
      accessModes: [accessMode],
      resources: { requests: { storage: claimSize(vmi, config, flags.storageClass) } },
      ...(flags.storageClass === undefined ? {} : { storageClassName: flags.storageClass }),
    },
    status: {},
  };
  await post(client, objectPath('v1', namespace, 'persistentvolumeclaims'), claim);
  say(shell, `PVC ${namespace}/${claimName} created`);
}

/** Memory of the guest and of the dump's own data, and what a file system takes, in whole MiB. Pure. */
export function claimSize(vmi: unknown, config: unknown, storageClass: string | undefined): string {
  const domain = at(vmi, 'spec', 'domain');
  const memory =
    textOf(at(domain, 'memory', 'guest')) ?? textOf(at(domain, 'resources', 'requests', 'memory')) ?? '0';
  const overhead = at(config, 'status', 'filesystemOverhead');
  const share =
    (storageClass === undefined ? undefined : textOf(at(overhead, 'storageClass', storageClass))) ??
    textOf(at(overhead, 'global')) ??
    String(DEFAULT_FS_OVERHEAD);
  const bytes = (parseQuantity(memory).value() + DUMP_OVERHEAD_BYTES) * (1 + Number(share));
  return `${Math.ceil(bytes / MIB)}Mi`;
}

const POLL_MS = 2000;
const PROGRESS_MS = 500;
const COMPLETE_TIMEOUT_MS = 10 * 60_000;

async function download(session: Session, shell: Shell, name: string, flags: DumpFlags): Promise<void> {
  const { client, namespace } = session;
  if (flags.output === undefined) throw new Error('missing outputFile to download the memory dump');
  const over = shell.now() + COMPLETE_TIMEOUT_MS;
  const bar = new Progress({
    what: 'memory dump',
    mode: flags.progress,
    out: flags.progress === 'json' ? shell.stderr : shell.stdout,
    now: () => shell.now(),
  });
  for (;;) {
    const vm = await getJson(client, objectPath('kubevirt.io/v1', namespace, 'virtualmachines', name));
    const request = at(vm, 'status', 'memoryDumpRequest');
    const phase = textOf(at(request, 'phase'));
    const claim = textOf(at(request, 'claimName'));
    if (phase === 'Completed' && claim !== undefined) {
      bar.all();
      say(shell, 'Memory dump completed successfully');
      const source = { apiGroup: '', kind: 'PersistentVolumeClaim', name: claim };
      await downloadExport(session, shell, {
        name: `export-${name}-${claim}`,
        source,
        output: flags.output,
        raw: flags.format === 'raw',
        insecure: flags.insecure,
        portForward: flags.portForward,
        readinessTimeoutMs: 120_000,
        waitForUse: false,
        keep: false,
        progress: flags.progress,
      });
      return;
    }
    if (phase === 'Failed')
      throw new Error(
        `the memory dump of VM ${name} failed: ${textOf(at(request, 'message')) ?? 'no reason is given'}`,
      );
    if (shell.now() > over)
      throw new Error(`the memory dump of VM ${name} did not complete within 10 minutes`);
    const written = await dumpProgress(session, name);
    if (written !== undefined) bar.at(written.bytes, written.total);
    else if (phase !== undefined)
      say(shell, `Waiting for memorydump ${claim ?? ''} to complete, current phase: ${phase}...`);
    await new Promise((resolve) => setTimeout(resolve, written === undefined ? POLL_MS : PROGRESS_MS));
  }
}

/** How far the launcher is, while it writes; a launcher that does not say is not waited for in another way. */
async function dumpProgress(
  { client, namespace }: Session,
  name: string,
): Promise<{ readonly bytes: number; readonly total: number } | undefined> {
  const path = subresourcePath('virtualmachineinstances', namespace, name, 'domainstats');
  return dumpShare(await getJson(client, path).catch(() => undefined));
}

/** Of what libvirt and the launcher count; libvirt tells KiB. Pure. */
export function dumpShare(stats: unknown): { readonly bytes: number; readonly total: number } | undefined {
  const [bytes, memory] = [Number(at(stats, 'dump.bytes')), Number(at(stats, 'balloon.maximum'))];
  return Number.isNaN(bytes) || Number.isNaN(memory) ? undefined : { bytes, total: memory * 1024 };
}
