/** Recorded feature gates: every name, in its state. */
import { featureGates as ours } from '@podvisor/api';
import { differences } from '../differences.ts';
import { subject } from '../subject.ts';

interface GateRecord {
  readonly name: string;
  readonly state: string;
}

export const featureGates = subject<string, string, string | undefined>(
  'feature gates',
  /^feature-gates\.json$/,
  {
    load: (text) => {
      const list: readonly GateRecord[] = JSON.parse(text);
      return list.map(({ name, state }) => ({ id: name, input: name, expected: state }));
    },
    answer: (name) => new Map<string, string>(Object.entries(ours)).get(name),
    compare: (expected, state) => differences(expected, state, 'state'),
  },
);
