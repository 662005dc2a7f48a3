/** migrate, migrate-cancel, evacuate-cancel: where a guest runs. */
import type { VirtualMachineInstanceMigration } from '@podvisor/api';
import type { Command } from 'commander';
import { openSession, type Session } from '../kube-access.ts';
import { followMigration, migrationNames } from '../migration/follow.ts';
import { at, textOf } from '../plain.ts';
import { type ProgressMode, progressOption } from '../progress.ts';
import { deleteObject, getJson, objectPath, put } from '../requests.ts';
import { failure } from '../run-program.ts';
import { say, type Shell } from '../shell.ts';
import { subresourcePath } from '../subresource-path.ts';
import { kindOf } from '../target.ts';
import { addWaitFlags, type WaitFlags, waitSignal } from '../wait-flags.ts';
import { dryRunBody } from './lifecycle.ts';

interface MigrateFlags extends WaitFlags {
  readonly dryRun?: boolean;
  readonly addedNodeSelector?: readonly string[];
  readonly follow?: boolean;
  readonly progress: ProgressMode;
}

const API = 'kubevirt.io/v1';

export function addMigrateCommands(program: Command, shell: Shell): void {
  const migrate = program
    .command('migrate <vm>')
    .description('Move a running virtual machine to another node.')
    .option(
      '--addedNodeSelector <key=value...>',
      'only to nodes with this label, beside what the VM asks for',
    )
    .addOption(progressOption())
    .option('--follow', 'start nothing: tell of the migration that runs, or comes next', false)
    .option('--dry-run', 'check only, change nothing', false);
  addWaitFlags(migrate, 'wait until the migration has ended').action(
    async (name: string, flags: MigrateFlags, self: Command) => {
      const session = openSession(self, shell);
      if (flags.follow) {
        const ended = await migrationNames(session, name, true);
        return await followMigration(session, shell, name, ended, flags.progress, waitSignal(flags, shell));
      }
      const selector = nodeSelector(flags.addedNodeSelector ?? []);
      const known = flags.wait ? await migrationNames(session, name) : new Set<string>();
      const body = { ...selector, ...dryRunBody(flags, shell) };
      await put(
        session.client,
        subresourcePath('virtualmachines', session.namespace, name, 'migrate'),
        body,
      ).catch((error: unknown) => {
        throw failure('Error migrating VirtualMachine', error);
      });
      say(shell, `VM ${name} was scheduled to migrate`);
      if (flags.wait)
        await followMigration(session, shell, name, known, flags.progress, waitSignal(flags, shell));
    },
  );
  program
    .command('migrate-cancel <vm>')
    .description('Cancel the migration of a virtual machine.')
    .option('--dry-run', 'check only, change nothing', false)
    .action(async (name: string, flags: MigrateFlags, self: Command) =>
      cancel(openSession(self, shell), shell, name, flags),
    );
  program
    .command('evacuate-cancel <kind> <name>')
    .description('Take back the request to leave its node: vm NAME or vmi NAME.')
    .option('--dry-run', 'check only, change nothing', false)
    .action(async (kind: string, name: string, flags: MigrateFlags, self: Command) =>
      cancelEvacuation(openSession(self, shell), shell, kind, name, flags),
    );
}

/** `key=value` words as the request's field; nothing without words. */
export function nodeSelector(words: readonly string[]): { addedNodeSelector?: Record<string, string> } {
  const pairs = words
    .flatMap((word) => word.split(','))
    .map((word) => {
      const [, key, value] = /^([^=]+)=(.*)$/.exec(word) ?? [];
      if (key === undefined || value === undefined)
        throw new Error(`--addedNodeSelector must be key=value, not "${word}"`);
      return [key, value] as const;
    });
  return pairs.length === 0 ? {} : { addedNodeSelector: Object.fromEntries(pairs) };
}

async function cancel(
  { client, namespace }: Session,
  shell: Shell,
  name: string,
  flags: MigrateFlags,
): Promise<void> {
  const dryRun = dryRunBody(flags, shell).dryRun !== undefined;
  const list = await client.request<{ items?: VirtualMachineInstanceMigration[] }>({
    method: 'GET',
    path: objectPath(API, namespace, 'virtualmachineinstancemigrations'),
    query: { labelSelector: `kubevirt.io/vmi-name==${name}` },
  });
  const open = (list.items ?? []).find(
    ({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed',
  );
  if (open?.metadata?.name === undefined) throw new Error(`Found no migration to cancel for ${name}`);
  const path = objectPath(API, namespace, 'virtualmachineinstancemigrations', open.metadata.name);
  await deleteObject(client, path, API, dryRun).catch((error: unknown) => {
    throw failure(`Error canceling migration ${open.metadata?.name} of a VirtualMachine ${name}:`, error);
  });
  say(shell, `VM ${name} was scheduled to migrate-cancel`);
}

async function cancelEvacuation(
  { client, namespace }: Session,
  shell: Shell,
  kindText: string,
  name: string,
  flags: MigrateFlags,
): Promise<void> {
  const kind = kindOf(kindText);
  if (kind === undefined) throw new Error(`unsupported resource type '${kindText}'`);
  const vmi = await getJson(client, objectPath(API, namespace, 'virtualmachineinstances', name));
  const evacuationNodeName = textOf(at(vmi, 'status', 'evacuationNodeName'));
  if (evacuationNodeName === undefined) throw new Error(`VMI ${namespace}/${name} is not being evacuated`);
  const resource = kind === 'vm' ? 'virtualmachines' : 'virtualmachineinstances';
  const body = { ...dryRunBody(flags, shell), evacuationNodeName };
  await put(client, subresourcePath(resource, namespace, name, 'evacuate/cancel'), body);
  say(shell, `${kind.toUpperCase()} ${namespace}/${name} was canceled evacuation`);
}
