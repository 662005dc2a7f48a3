/** Recorded mutating webhooks, each called alone. */
import type { KubernetesObject } from '@podvisor/api';
import { differences } from '../differences.ts';
import { messageDifferences } from '../messages.ts';
import { jsonCases } from '../records.ts';
import { subject } from '../subject.ts';
import { stable } from './recorded-defaults.ts';
import { ask, type RecordedConfig, type Verdict } from './recorded-webhooks.ts';

interface Input {
  readonly mutator: string;
  readonly operation: string;
  readonly clusterConfig: RecordedConfig | null;
  readonly user: string | null;
  readonly input: KubernetesObject;
  readonly oldObject: KubernetesObject | null;
}
interface Expected {
  readonly allowed: boolean;
  readonly output?: unknown;
  readonly message?: string;
  readonly warnings?: readonly string[];
}

/** The kind that a recorded mutator is for. */
const KINDS: Readonly<Record<string, string>> = {
  MigrationCreateMutator: 'VirtualMachineInstanceMigration',
  CloneCreateMutator: 'VirtualMachineClone',
  VMsMutator: 'VirtualMachine',
  VMIsMutator: 'VirtualMachineInstance',
};

export const mutation = subject<Input, Expected, Verdict>('mutation', /^mutation\.jsonl$/, {
  load: jsonCases<Input, Expected>(
    {
      mutator: 'input',
      operation: 'input',
      clusterConfig: 'input',
      user: 'input',
      input: 'input',
      oldObject: 'input',
      allowed: 'expected',
      output: 'expected',
      message: 'expected',
      warnings: 'expected',
    },
    ['test'],
  ),
  answer: ({ mutator, input, user, ...request }, assumed) => {
    const kind = KINDS[mutator];
    if (kind === undefined) throw new Error(`no webhook is known as ${mutator}`);
    // Recorded without the kind that the API server knows from the path.
    const asked = { ...request, kind, object: { kind, ...input }, user: user ?? assumed.user };
    return ask(asked, assumed, 'Mutating');
  },
  compare: ({ allowed, output, message, warnings }, answer, { input }) =>
    allowed && answer.allowed
      ? [
          ...differences(comparable(output, input), comparable(answer.object, input)),
          ...differences(warnings ?? [], answer.warnings, 'warnings'),
        ]
      : [
          ...differences(allowed, answer.allowed, 'allowed'),
          ...messageDifferences(message ?? '', answer.message),
        ],
});

/**
 * Without the kind, which was not recorded. Some recordings come from a KubeVirt object whose status names no
 * architecture; then it stays open.
 */
function comparable(object: unknown, input: unknown): unknown {
  const { kind: _kind, ...rest } = object as KubernetesObject;
  return JSON.parse(JSON.stringify(stable(rest, input)), (key, part: unknown) =>
    key === 'spec' && typeof part === 'object' && part !== null && 'domain' in part
      ? { architecture: 'amd64', ...part }
      : part,
  );
}
