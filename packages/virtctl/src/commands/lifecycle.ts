/** start, stop, restart, hibernate, pause, unpause, soft-reboot, reset: one PUT each, in virtctl's words. */
import type { Command } from 'commander';
import { followHibernation, isBeingHibernated } from '../handoffs/hibernation.ts';
import { readPipeline } from '../handoffs/pipeline-watch.ts';
import { followStart, followStop } from '../handoffs/progress.ts';
import { openSession, type Session } from '../kube-access.ts';
import { put } from '../requests.ts';
import { failure } from '../run-program.ts';
import { say, type Shell } from '../shell.ts';
import { type SubresourceKind, subresourcePath } from '../subresource-path.ts';
import { kindOf } from '../target.ts';
import { addWaitFlags, type WaitFlags, waitSignal } from '../wait-flags.ts';

interface LifecycleFlags extends WaitFlags {
  readonly gracePeriod?: string;
  readonly force?: boolean;
  readonly paused?: boolean;
  readonly dryRun?: boolean;
  readonly discardState?: boolean;
}

/** Adds the lifecycle commands to `program`. */
export function addLifecycleCommands(program: Command, shell: Shell): void {
  addStart(program, shell);
  addStop(program, shell);
  addRestart(program, shell);
  addHibernate(program, shell);
  addPause(program, shell, 'pause', 'Pause a guest: its virtual CPUs stand still.', 'pausing');
  addPause(program, shell, 'unpause', 'Let a paused guest run again.', 'unpausing');
  addVmiVerb(program, shell, 'soft-reboot', 'Ask the guest to reboot.', 'soft rebooting');
  addVmiVerb(program, shell, 'reset', 'Reset a running guest, as its reset button would.', 'resetting');
}

function addStart(program: Command, shell: Shell): void {
  const command = program
    .command('start <vm>')
    .description('Start a virtual machine.')
    .option('--paused', 'start with the guest paused', false)
    .option('--discard-state', 'of a hibernated VM: give its memory up and boot', false)
    .option('--dry-run', 'check only, change nothing', false);
  addWaitFlags(command, 'wait until the guest runs').action(
    async (name: string, flags: LifecycleFlags, self: Command) => {
      const session = openSession(self, shell);
      const body = {
        ...(flags.paused === true ? { paused: true } : {}),
        ...(flags.discardState === true ? { discardState: true } : {}),
        ...dryRunBody(flags, shell),
      };
      if (flags.wait && flags.dryRun !== true) await outlastHibernation(session, shell, name, flags);
      await putVerb(session, 'virtualmachines', name, 'start', body, 'Error starting VirtualMachine');
      say(shell, `VM ${name} was scheduled to start`);
      if (flags.wait) await waitForStart(session, shell, name, flags);
    },
  );
}

/**
 * Whoever waits for a start waits for the hibernation before it as well: until that has ended the server refuses the
 * start, as it does for every VM that runs.
 */
async function outlastHibernation(
  session: Session,
  shell: Shell,
  name: string,
  flags: WaitFlags,
): Promise<void> {
  const objects = await readPipeline(session.client, session.namespace, name);
  if (!isBeingHibernated(objects)) return;
  say(shell, `VM ${name} is being hibernated; it is started when that has ended`);
  await followHibernation({ ...session, name }, waitSignal(flags, shell));
}

function addStop(program: Command, shell: Shell): void {
  const command = graceFlags(program.command('stop <vm>').description('Stop a virtual machine.'));
  addWaitFlags(command, 'wait until nothing of it runs').action(
    async (name: string, flags: LifecycleFlags, self: Command) => {
      const session = openSession(self, shell);
      const seconds = gracePeriod(flags);
      const body = {
        ...(seconds === undefined ? {} : { gracePeriod: seconds }),
        ...dryRunBody(flags, shell),
      };
      const trouble =
        seconds === undefined ? 'Error stopping VirtualMachine' : 'Error force stopping VirtualMachine:';
      await putVerb(session, 'virtualmachines', name, 'stop', body, trouble);
      say(shell, `VM ${name} was scheduled to stop`);
      if (!flags.wait) return;
      await followStop({ ...session, name, say: (line) => say(shell, line) }, waitSignal(flags, shell));
      say(shell, `VM ${name} has stopped`);
    },
  );
}

function addRestart(program: Command, shell: Shell): void {
  const command = graceFlags(program.command('restart <vm>').description('Restart a virtual machine.'));
  addWaitFlags(command, 'wait until the new guest runs').action(
    async (name: string, flags: LifecycleFlags, self: Command) => {
      const session = openSession(self, shell);
      const seconds = gracePeriod(flags);
      const body = {
        ...(seconds === undefined ? {} : { gracePeriodSeconds: seconds }),
        ...dryRunBody(flags, shell),
      };
      const before = flags.wait ? await currentUid(session, name) : undefined;
      const trouble =
        seconds === undefined ? 'Error restarting VirtualMachine' : 'Error force restarting VirtualMachine:';
      await putVerb(session, 'virtualmachines', name, 'restart', body, trouble);
      say(shell, `VM ${name} was scheduled to restart`);
      if (flags.wait) await waitForStart(session, shell, name, flags, before);
    },
  );
}

function addHibernate(program: Command, shell: Shell): void {
  const command = program
    .command('hibernate <vm>')
    .description('Save the memory of a running virtual machine and end it; start lets it go on.')
    .option('--dry-run', 'check only, change nothing', false);
  addWaitFlags(command, 'wait until it is hibernated').action(
    async (name: string, flags: LifecycleFlags, self: Command) => {
      const session = openSession(self, shell);
      const trouble = 'Error hibernating VirtualMachine';
      await putVerb(session, 'virtualmachines', name, 'hibernate', dryRunBody(flags, shell), trouble);
      say(shell, `VM ${name} was scheduled to hibernate`);
      if (!flags.wait) return;
      await followHibernation({ ...session, name }, waitSignal(flags, shell));
      say(shell, `VM ${name} is hibernated`);
    },
  );
}

function addPause(program: Command, shell: Shell, verb: string, summary: string, doing: string): void {
  program
    .command(`${verb} <kind> <name>`)
    .description(`${summary} vm NAME or vmi NAME.`)
    .option('--dry-run', 'check only, change nothing', false)
    .action(async (kindText: string, name: string, flags: LifecycleFlags, self: Command) => {
      const kind = kindOf(kindText);
      if (kind === undefined) throw new Error(`unsupported resource type '${kindText}'`);
      const session = openSession(self, shell);
      if (kind === 'vm') {
        const path = `/apis/kubevirt.io/v1/namespaces/${session.namespace}/virtualmachines/${name}`;
        await session.client.request({ method: 'GET', path }).catch((error: unknown) => {
          throw failure(`Error getting VirtualMachine ${name}:`, error);
        });
      }
      const trouble = `Error ${doing} VirtualMachineInstance ${name}:`;
      await putVerb(session, 'virtualmachineinstances', name, verb, dryRunBody(flags, shell), trouble);
      say(shell, `VMI ${name} was scheduled to ${verb}`);
    });
}

function addVmiVerb(program: Command, shell: Shell, verb: string, summary: string, doing: string): void {
  program
    .command(`${verb} <vmi>`)
    .description(summary)
    .action(async (name: string, _flags: unknown, self: Command) => {
      const trouble = `Error ${doing} VirtualMachineInstance ${name}:`;
      const subresource = verb.replace('-', '');
      await putVerb(
        openSession(self, shell),
        'virtualmachineinstances',
        name,
        subresource,
        undefined,
        trouble,
      );
      say(shell, `VMI ${name} was scheduled to ${verb}`);
    });
}

function graceFlags(command: Command): Command {
  return command
    .option('--grace-period <seconds>', 'seconds the guest has to shut down; only together with --force')
    .option('--force', 'do not wait for the guest; only together with --grace-period', false)
    .option('--dry-run', 'check only, change nothing', false);
}

function gracePeriod({ gracePeriod: text, force }: LifecycleFlags): number | undefined {
  if ((text !== undefined) !== (force === true))
    throw new Error('Must both use --force=true and set --grace-period.');
  if (text === undefined) return undefined;
  if (!/^-?\d+$/.test(text)) throw new Error(`--grace-period must be a number of seconds, not "${text}"`);
  return Number(text);
}

/** The body's part for a dry run, which is announced as it is in virtctl. */
export function dryRunBody(
  flags: { readonly dryRun?: boolean },
  shell: Shell,
): { dryRun?: readonly string[] } {
  if (flags.dryRun !== true) return {};
  say(shell, 'Dry Run execution');
  return { dryRun: ['All'] };
}

async function putVerb(
  { client, namespace }: Session,
  kind: SubresourceKind,
  name: string,
  verb: string,
  body: unknown,
  trouble: string,
): Promise<void> {
  try {
    await put(client, subresourcePath(kind, namespace, name, verb), body);
  } catch (error) {
    throw failure(trouble, error);
  }
}

async function currentUid({ client, namespace }: Session, name: string): Promise<string | undefined> {
  const vmi = await client
    .request<{ metadata?: { uid?: string } }>({
      method: 'GET',
      path: `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}`,
    })
    .catch(() => undefined);
  return vmi?.metadata?.uid;
}

async function waitForStart(
  session: Session,
  shell: Shell,
  name: string,
  flags: WaitFlags,
  notUid?: string,
): Promise<void> {
  const follow = { ...session, name, now: shell.now, say: (line: string) => say(shell, line) };
  const { vmi } = await followStart(
    { ...follow, ...(notUid === undefined ? {} : { notUid }) },
    waitSignal(flags, shell),
  );
  say(shell, `VM ${name} runs on ${vmi?.status?.nodeName ?? 'its node'}`);
}
