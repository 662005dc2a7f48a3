/** Recorded admissions of VMs, VMIs and migrations: all webhooks in order, and the validating ones alone. */
import type { KubernetesObject, VirtualMachineInstance } from '@podvisor/api';
import type { Assumed } from '../assumed.ts';
import { differences, setDifferences } from '../differences.ts';
import { messageDifferences } from '../messages.ts';
import { jsonCases } from '../records.ts';
import { subject } from '../subject.ts';
import { admit, ask, type RecordedConfig, type Verdict } from './recorded-webhooks.ts';

interface Input {
  readonly kind: string;
  readonly operation: string;
  readonly clusterConfig: RecordedConfig | null;
  readonly object: KubernetesObject;
  readonly user?: string;
  /** Objects that exist before, in words: `{"vmi": "status.phase=Succeeded"}`. */
  readonly preconditions?: readonly Readonly<Record<string, string>>[];
}

interface Expected {
  readonly allowed: boolean;
  readonly fields?: readonly (string | null)[];
  readonly message?: string;
  readonly code?: number;
  readonly warnings?: readonly string[];
  readonly webhookOnly?: { readonly allowed: boolean; readonly fields?: readonly (string | null)[] };
}

interface Answer {
  readonly whole: Verdict;
  readonly validatingOnly: Verdict;
}

export const admission = subject<Input, Expected, Answer>('admission', /^admission(-vm-wrapped)?\.jsonl$/, {
  load: jsonCases<Input, Expected>(
    {
      kind: 'input',
      operation: 'input',
      clusterConfig: 'input',
      object: 'input',
      user: 'input',
      preconditions: 'input',
      allowed: 'expected',
      fields: 'expected',
      message: 'expected',
      code: 'expected',
      warnings: 'expected',
      webhookOnly: 'expected',
    },
    ['test', 'completed', 'field', 'deniedBy', 'causes', 'crdSchemaErrors', 'note', 'rawWebhookOnly'],
  ),
  answer: async (input, assumed) => {
    const state: Assumed = { ...assumed, objects: [...(assumed.objects ?? []), ...objectsBefore(input)] };
    return { whole: await admit(input, state), validatingOnly: await ask(input, state, 'Validating') };
  },
  compare: (expected, { whole, validatingOnly }) => [
    ...verdictDifferences(expected, whole),
    ...validatingDifferences(expected, validatingOnly),
  ],
});

/** The VMI of a migration, in the phase that the recording tells of. */
function objectsBefore({ object, preconditions = [] }: Input): readonly KubernetesObject[] {
  const { vmiName } = (object as { readonly spec?: { readonly vmiName?: string } }).spec ?? {};
  return preconditions.flatMap(({ vmi }) => {
    if (vmi === undefined || vmiName === undefined) return [];
    const existing: VirtualMachineInstance = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { name: vmiName },
      spec: { domain: { devices: {} } },
      status: { phase: vmi.replace('status.phase=', '') },
    };
    return [existing];
  });
}

function validatingDifferences({ webhookOnly }: Expected, verdict: Verdict): readonly string[] {
  // Objects that only the schema refuses never reach the rules.
  if (webhookOnly === undefined || webhookOnly.fields?.includes(null)) return [];
  return verdictDifferences(webhookOnly, verdict).map((line) => `validating webhook alone: ${line}`);
}

/** Allowed or not, the set of fields that are blamed, and what the message is about. */
export function verdictDifferences(
  expected: { readonly [K in keyof Omit<Expected, 'webhookOnly'>]: Expected[K] | undefined },
  { allowed, fields, message, code, warnings }: Verdict,
): readonly string[] {
  return [
    ...differences(expected.allowed, allowed, 'allowed'),
    ...setDifferences(
      'field',
      (expected.fields ?? []).flatMap((field) => field ?? []),
      fields,
    ),
    ...(expected.message === undefined ? [] : messageDifferences(expected.message, message)),
    ...(expected.code === undefined ? [] : differences(expected.code, code, 'code')),
    ...(expected.warnings === undefined ? [] : differences(expected.warnings, warnings, 'warnings')),
  ];
}
