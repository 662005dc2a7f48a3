/** Recorded memory overheads, exact with KubeVirt's table of constants. */
import type { VMISpec } from '@podvisor/api';
import { kubevirtOverhead, memoryOverheadBytes } from '@podvisor/translate';
import { differences } from '../differences.ts';
import { jsonCases } from '../records.ts';
import { subject } from '../subject.ts';

interface Input {
  readonly arch: string;
  readonly additionalGuestMemoryOverheadRatio: string | null;
  readonly vmiSpec: VMISpec;
}
interface Expected {
  readonly bytes: number;
}

export const memoryOverhead = subject<Input, Expected, number>(
  'memory overhead',
  /^memory-overhead\.jsonl$/,
  {
    load: jsonCases<Input, Expected>(
      { arch: 'input', additionalGuestMemoryOverheadRatio: 'input', vmiSpec: 'input', bytes: 'expected' },
      ['test', 'quantity'],
    ),
    answer: ({ vmiSpec, arch, additionalGuestMemoryOverheadRatio: ratio }) =>
      memoryOverheadBytes(vmiSpec, { table: kubevirtOverhead, architecture: arch, ratio }),
    compare: ({ bytes }, ours) => differences(bytes, ours, 'bytes'),
  },
);
