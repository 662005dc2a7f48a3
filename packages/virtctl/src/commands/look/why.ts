/** `virtctl why vm/x`: the pipeline of one VM, handoff by handoff, and the evidence where it stopped. */
import { type Command, Option } from 'commander';
import { watchPipeline } from '../../handoffs/pipeline-watch.ts';
import { handoffsOf } from '../../handoffs/handoffs.ts';
import { handoffLine, troubleLine } from '../../handoffs/render.ts';
import { troubleOf } from '../../handoffs/trouble.ts';
import { openSession, type Session } from '../../kube-access.ts';
import { noSuchVm, vmNames } from '../../no-such-vm.ts';
import { toYaml } from '../../output/yaml.ts';
import { ExitCode } from '../../run-program.ts';
import { say, sayJson, type Shell } from '../../shell.ts';
import { kindOf } from '../../target.ts';
import { gather } from '../../why/gather.ts';
import { plainTexts } from '../../output/plain-text.ts';
import { type Report, reportLines, reportOf } from '../../why/report.ts';

interface WhyFlags {
  readonly watch: boolean;
  readonly output: 'text' | 'json' | 'yaml';
}

export function addWhyCommand(program: Command, shell: Shell): void {
  program
    .command('why <vm>')
    .description('Which handoff of the pipeline a VM has reached, why it goes no further, and what to do.')
    .option('-w, --watch', 'follow a start live', false)
    .addOption(
      new Option('-o, --output <format>', 'text, json or yaml')
        .choices(['text', 'json', 'yaml'])
        .default('text'),
    )
    .action(async (target: string, flags: WhyFlags, self: Command) => {
      const session = openSession(self, shell);
      const { name, namespace } = targetOf(target, session.namespace);
      const place = { ...session, namespace };
      if (flags.watch) await follow(place, name, shell);
      const report = await readReport(place, name, shell);
      if (flags.output === 'json') sayJson(shell, report);
      else if (flags.output === 'yaml') shell.stdout.write(toYaml(report));
      // What was shown live is not shown again.
      else for (const line of reportLines(plainTexts(report), !flags.watch)) say(shell, line);
      // Scripts can ask: 0 runs or is meant to be stopped, 2 it is on its way or stuck.
      if (report.waitingFor !== undefined) throw new ExitCode(2);
    });
}

/** `vm/name[/namespace]`, `vmi/name` or the name alone. */
function targetOf(text: string, namespace: string): { readonly name: string; readonly namespace: string } {
  const [first = '', second, third] = text.split('/');
  if (second === undefined) return { name: first, namespace };
  if (kindOf(first) === undefined) throw new Error(`unsupported resource type '${first}': use vm or vmi`);
  return { name: second, namespace: third ?? namespace };
}

async function readReport({ client, namespace }: Session, name: string, shell: Shell): Promise<Report> {
  const observed = await gather(client, namespace, name, shell.now());
  if (observed.vm === undefined && observed.vmi === undefined)
    throw new Error(noSuchVm(name, namespace, await vmNames(client, namespace)));
  return reportOf(observed);
}

/** Prints handoffs and troubles as they come; ends when all are done, the VMI failed, or at Ctrl+C. */
async function follow({ client, namespace }: Session, name: string, shell: Shell): Promise<void> {
  const said = new Set<string>();
  const once = (line: string): void => {
    if (!said.has(line)) say(shell, line);
    said.add(line);
  };
  const interrupted = shell.interrupted();
  await watchPipeline(
    client,
    namespace,
    name,
    (objects) => {
      let last: number | undefined;
      const handoffs = handoffsOf(objects);
      for (const handoff of handoffs) {
        if (!handoff.done) break;
        const since =
          last === undefined || handoff.atMs === undefined ? undefined : Math.max(0, handoff.atMs - last);
        last = handoff.atMs ?? last;
        const key = `${objects.vmi?.metadata?.uid}/${handoff.number}`;
        if (said.has(key)) continue;
        said.add(key);
        say(shell, handoffLine(handoff, since));
      }
      troubleOf(objects).map(troubleLine).forEach(once);
      return handoffs.every(({ done }) => done) || objects.vmi?.status?.phase === 'Failed';
    },
    interrupted,
  ).catch((error: unknown) => {
    if (!interrupted.aborted) throw error;
  });
  say(shell, '');
}
