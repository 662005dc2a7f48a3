/** Recorded objects after the mutating webhooks. */
import type { KubernetesObject } from '@podvisor/api';
import { differences } from '../differences.ts';
import { jsonCases } from '../records.ts';
import { subject } from '../subject.ts';
import { stable } from './recorded-defaults.ts';
import { ask, type RecordedConfig, type Verdict } from './recorded-webhooks.ts';

interface Input {
  readonly kind: string;
  readonly clusterConfig: RecordedConfig | null;
  readonly input: KubernetesObject;
}
interface Expected {
  readonly output: unknown;
}

export const defaulting = subject<Input, Expected, Verdict>('defaulting', /^defaulting\.jsonl$/, {
  load: jsonCases<Input, Expected>(
    { kind: 'input', clusterConfig: 'input', input: 'input', output: 'expected' },
    ['nondeterministic'],
  ),
  answer: ({ kind, clusterConfig, input }, assumed) =>
    ask({ kind, operation: 'CREATE', clusterConfig, object: input }, assumed, 'Mutating'),
  compare: ({ output }, { allowed, message, object }, { kind, input }) => {
    if (!allowed) return [`refused: ${message}`];
    // The CRD schema, not the webhook, makes the empty status of a VM.
    const complete = kind === 'VirtualMachine' ? { ...object, status: {} } : object;
    return differences(stable(output, input), stable(complete, input));
  },
});
