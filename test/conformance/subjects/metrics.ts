/** Recorded metrics and recording rules: every name, with its kind and type. */
import {
  ALL_METRICS,
  API_METRICS,
  CONTROLLER_METRICS,
  HANDLER_METRICS,
  QUEUE_METRICS,
  RECORDING_RULES,
} from '@podvisor/api';
import { differences } from '../differences.ts';
import { subject } from '../subject.ts';

interface MetricRecord {
  /** Name of the metric. */
  readonly id: string;
  readonly kind: string;
  readonly type: string;
}

// That each component serves exactly its part is the business of its own tests.
const ours = new Map<string, Omit<MetricRecord, 'id'>>([
  ...[ALL_METRICS, API_METRICS, CONTROLLER_METRICS, HANDLER_METRICS, QUEUE_METRICS].flatMap((group) =>
    Object.values(group).map(({ name, type }) => [name, { kind: 'metric', type }] as const),
  ),
  ...RECORDING_RULES.map(({ name, type }) => [name, { kind: 'recording rule', type }] as const),
]);

export const metrics = subject<MetricRecord>('metrics', /^metrics\.json$/, {
  load: (text) => {
    const list: readonly { readonly name: string; readonly kind: string; readonly type: string }[] =
      JSON.parse(text);
    return list.map(({ name, kind, type }) => ({ id: name, kind, type }));
  },
  check: ({ id, kind, type }) =>
    differences({ kind: kind.toLowerCase(), type: type.toLowerCase() }, ours.get(id), 'metric'),
});
