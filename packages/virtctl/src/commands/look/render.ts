/** `virtctl render`: what the system makes of a manifest, or of a machine of a cluster, without starting anything. */
import { readFileSync } from 'node:fs';
import { messageOf } from '@podvisor/base';
import type { ConverterContext } from '@podvisor/translate';
import { type Command, Option } from 'commander';
import { type AccessFlags, connect, namespaceOf } from '../../kube-access.ts';
import { readMachine, readRunning } from '../../render/cluster-input.ts';
import { InputError, type ManifestDocument, parseDocuments } from '../../render/documents.ts';
import { hostOf, type RenderHost } from '../../render/host.ts';
import { inputOf, objectsOf, type RenderInput } from '../../render/input.ts';
import { learned, liveDomain, withTargets } from '../../render/live-domain.ts';
import { type OutputFormat, outputOf } from '../../render/output.ts';
import { qemuCommandLine } from '../../render/qemu-argv.ts';
import { renderVmi } from '../../render/render.ts';
import { asRestarted, restartDiff } from '../../render/restart-diff.ts';
import { toVmi } from '../../render/to-vmi.ts';

interface RenderFlags extends AccessFlags {
  readonly filename: readonly string[];
  readonly output: OutputFormat;
  readonly qemu: boolean;
  readonly explain: boolean;
  readonly diff: boolean;
  readonly arch?: string;
  readonly kvm: boolean;
  readonly config?: string;
}

const collect = (value: string, all: readonly string[]): readonly string[] => [...all, value];

export function addRenderCommand(program: Command): void {
  program
    .command('render [vm]')
    .description('Show what a VM becomes: the defaulted VMI, the launcher Pod and the libvirt domain.')
    .option(
      '-f, --filename <file>',
      'manifest with the VM or VMI, "-" for stdin; repeat it for what it refers to',
      collect,
      [],
    )
    .addOption(
      new Option('-o, --output <format>', 'what to print')
        .choices(['all', 'xml', 'pod', 'vmi', 'json'])
        .default('all'),
    )
    .option('--qemu', "also QEMU's command line, made by the libvirt of this machine", false)
    .option('--explain', 'say beside each device and Pod resource where it comes from', false)
    .option('--diff', 'what a restart of the running VM would change', false)
    .addOption(
      new Option('--arch <arch>', 'render for this architecture').choices(['amd64', 'arm64', 's390x']),
    )
    .option('--no-kvm', 'render for a host without hardware virtualisation')
    .option('--config <file>', 'KubeVirt object to take the configuration from')
    .action(async (target: string | undefined, _flags: unknown, self: Command) => {
      process.stdout.write(await render(target, self.optsWithGlobals<RenderFlags>()));
    });
}

async function render(target: string | undefined, flags: RenderFlags): Promise<string> {
  if ((target === undefined) === (flags.filename.length === 0)) {
    throw new Error('give either the name of a VM of the cluster or manifests with -f');
  }
  const signal = AbortSignal.timeout(60_000);
  if (target === undefined) {
    if (flags.diff) throw new Error('--diff compares with a running VM: virtctl render vm/NAME --diff');
    const input = inputOf(flags.filename.flatMap(readDocuments));
    return renderInput(input, hostFor(flags, input), flags, signal);
  }
  const client = connect(flags);
  const { input, running } = await readMachine(client, namespaceOf(flags), target, signal);
  const host = hostFor(flags, input);
  if (!flags.diff) return renderInput(input, host, flags, signal);
  if (running === undefined) throw new Error(`${target} does not run: there is nothing to compare with`);
  const found = await readRunning(client, running, signal);
  const live = liveDomain(found.domain);
  const image = found.pod.spec.containers[0]?.image;
  const there = {
    ...host,
    ...(image === undefined ? {} : { launcherImage: image }),
    learn: (assumed: ConverterContext) => learned(assumed, live),
  };
  const next = asRestarted(toVmi(input, host.config, chance()), running);
  return restartDiff(
    found,
    renderVmi(withTargets(running, live), there, input.claims, target),
    renderVmi(next, there, input.claims, target),
  );
}

async function renderInput(
  input: RenderInput,
  host: RenderHost,
  flags: RenderFlags,
  signal: AbortSignal,
): Promise<string> {
  const rendering = renderVmi(toVmi(input, host.config, chance()), host, input.claims, input.subject.where);
  const qemu = flags.qemu ? await qemuCommandLine(rendering.xml, signal) : undefined;
  return outputOf(rendering, {
    format: flags.output,
    explain: flags.explain,
    ...(qemu === undefined ? {} : { qemu }),
  });
}

function hostFor({ arch, kvm, config }: RenderFlags, input: RenderInput): RenderHost {
  const given = config === undefined ? [] : readDocuments(config).map(({ object }) => object);
  const { kubevirt = input.kubevirt } = objectsOf(given);
  if (config !== undefined && kubevirt === undefined)
    throw new InputError(config, 'holds no KubeVirt object');
  return hostOf(kubevirt, { kvm, ...(arch === undefined ? {} : { architecture: arch }) });
}

function readDocuments(file: string): readonly ManifestDocument[] {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new InputError(file, `cannot be read: ${messageOf(error)}`);
  }
  return parseDocuments(text, file === '-' ? 'stdin' : file);
}

/** Identities are placeholders that count up, so that one input always gives one output. */
function chance(): { readonly now: string; newUuid(): string } {
  let count = 0;
  return {
    now: new Date().toISOString(),
    newUuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
  };
}
