/** Recorded feature gates: every name, in its state. */
import { featureGates as ours } from '@podvisor/api';
import { differences } from '../differences.ts';
import { subject } from '../subject.ts';

interface GateRecord {
  /** Name of the gate. */
  readonly id: string;
  readonly state: string;
}

export const featureGates = subject<GateRecord>('feature gates', /^feature-gates\.json$/, {
  load: (text) => {
    const list: readonly { readonly name: string; readonly state: string }[] = JSON.parse(text);
    return list.map(({ name, state }) => ({ id: name, state }));
  },
  check: ({ id, state }) =>
    differences(state, new Map<string, string>(Object.entries(ours)).get(id), 'state'),
});
