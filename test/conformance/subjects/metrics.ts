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

interface Family {
  readonly kind: string;
  readonly type: string;
}

// That each component serves exactly its part is the business of its own tests.
const ours = new Map<string, Family>([
  ...[ALL_METRICS, API_METRICS, CONTROLLER_METRICS, HANDLER_METRICS, QUEUE_METRICS].flatMap((group) =>
    Object.values(group).map(({ name, type }) => [name, { kind: 'metric', type }] as const),
  ),
  ...RECORDING_RULES.map(({ name, type }) => [name, { kind: 'recording rule', type }] as const),
]);

export const metrics = subject<string, Family, Family | undefined>('metrics', /^metrics\.json$/, {
  load: (text) => {
    const list: readonly (Family & { readonly name: string })[] = JSON.parse(text);
    return list.map(({ name, kind, type }) => ({
      id: name,
      input: name,
      expected: { kind: kind.toLowerCase(), type: type.toLowerCase() },
    }));
  },
  answer: (name) => ours.get(name),
  compare: (expected, family) => differences(expected, family, 'metric'),
});
