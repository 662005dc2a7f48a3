/** Recorded objects after the mutating webhook. */
import { defaultVm, defaultVmi } from '@podvisor/api';
import { differences } from '../differences.ts';
import { jsonLines } from '../records.ts';
import { subject } from '../subject.ts';
import { type RecordedConfig, recordedDefaults, stable } from './recorded-defaults.ts';

interface DefaultingRecord {
  readonly id: string;
  readonly kind: string;
  readonly clusterConfig: RecordedConfig | null;
  /** An object of the kind. */
  readonly input: never;
  readonly output: unknown;
}

export const defaulting = subject<DefaultingRecord>('defaulting', /^defaulting\.jsonl$/, {
  load: jsonLines,
  check: ({ kind, clusterConfig, input, output }) => {
    const context = recordedDefaults(clusterConfig);
    const ours =
      kind === 'VirtualMachine'
        ? // The CRD schema, not the webhook, makes the empty status.
          { ...defaultVm(input, context), status: {} }
        : defaultVmi(input, context);
    return differences(stable(output, input), stable(ours, input));
  },
});
