/** start, stop, restart, pause, unpause, soft-reboot, reset: one PUT each, in virtctl's words. */
import type { Command } from 'commander';
import { type AccessFlags, connect, namespaceOf } from '../kube-access.ts';
import { subresourcePath } from '../subresource-path.ts';

interface Verb {
  readonly name: string;
  readonly resource: 'virtualmachines' | 'virtualmachineinstances';
  readonly subresource: string;
  readonly summary: string;
  readonly done: (name: string) => string;
}

const VERBS: readonly Verb[] = [
  verb('start', 'virtualmachines', 'start', 'Start a virtual machine.', 'scheduled to start'),
  verb('stop', 'virtualmachines', 'stop', 'Stop a virtual machine.', 'scheduled to stop'),
  verb('restart', 'virtualmachines', 'restart', 'Restart a virtual machine.', 'scheduled to restart'),
  verb(
    'soft-reboot',
    'virtualmachineinstances',
    'softreboot',
    'Ask the guest to reboot.',
    'scheduled to soft reboot',
  ),
  verb('reset', 'virtualmachineinstances', 'reset', 'Hard reset of a running guest.', 'scheduled to reset'),
];

function verb(
  name: string,
  resource: Verb['resource'],
  subresource: string,
  summary: string,
  done: string,
): Verb {
  const kind = resource === 'virtualmachines' ? 'VM' : 'VMI';
  return { name, resource, subresource, summary, done: (object) => `${kind} ${object} was ${done}` };
}

interface LifecycleFlags {
  readonly gracePeriod?: string;
  readonly force?: boolean;
  readonly paused?: boolean;
  readonly dryRun?: boolean;
}

/** Adds the lifecycle commands to `program`. */
export function addLifecycleCommands(program: Command): void {
  for (const entry of VERBS) {
    const command = program.command(`${entry.name} <name>`).description(entry.summary);
    if (entry.name === 'stop' || entry.name === 'restart') {
      command.option('--grace-period <seconds>', 'seconds the guest has to shut down; needs --force for 0');
      command.option('--force', 'end the guest at once', false);
    }
    if (entry.name === 'start') command.option('--paused', 'start with the guest paused', false);
    command.option('--dry-run', 'check only, change nothing', false);
    command.action(async (name: string, flags: LifecycleFlags, self: Command) => {
      await put(self, entry.resource, name, entry.subresource, bodyOf(entry.name, flags));
      console.log(entry.done(name));
    });
  }
  for (const name of ['pause', 'unpause']) {
    program
      .command(`${name} <kind> <name>`)
      .description(`${name === 'pause' ? 'Pause' : 'Resume'} a guest: vm NAME or vmi NAME.`)
      .option('--dry-run', 'check only, change nothing', false)
      .action(async (kind: string, object: string, flags: LifecycleFlags, self: Command) => {
        if (!['vm', 'virtualmachine', 'vmi', 'virtualmachineinstance'].includes(kind))
          throw new Error(`unsupported resource type "${kind}": use vm or vmi`);
        await put(self, 'virtualmachineinstances', object, name, bodyOf(name, flags));
        console.log(`VMI ${object} was scheduled to ${name}`);
      });
  }
}

function bodyOf(name: string, flags: LifecycleFlags): Record<string, unknown> {
  const grace = flags.gracePeriod === undefined ? (flags.force ? 0 : undefined) : Number(flags.gracePeriod);
  if (grace !== undefined && !(Number.isInteger(grace) && grace >= 0))
    throw new Error(`--grace-period must be a number of seconds, not "${flags.gracePeriod}"`);
  return {
    ...(flags.dryRun ? { dryRun: ['All'] } : {}),
    ...(flags.paused ? { paused: true } : {}),
    ...(grace === undefined ? {} : { [name === 'restart' ? 'gracePeriodSeconds' : 'gracePeriod']: grace }),
  };
}

async function put(
  self: Command,
  resource: Verb['resource'],
  name: string,
  subresource: string,
  body: Record<string, unknown>,
): Promise<void> {
  const flags = self.optsWithGlobals<AccessFlags>();
  await connect(flags).request({
    method: 'PUT',
    path: subresourcePath(resource, namespaceOf(flags), name, subresource),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
