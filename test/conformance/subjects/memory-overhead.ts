/** Recorded memory overheads, exact with KubeVirt's table of constants. */
import type { VMISpec } from '@podvisor/api';
import { kubevirtOverhead, memoryOverheadBytes } from '@podvisor/translate';
import { differences } from '../differences.ts';
import { jsonLines } from '../records.ts';
import { subject } from '../subject.ts';

interface OverheadRecord {
  readonly id: string;
  readonly arch: string;
  readonly additionalGuestMemoryOverheadRatio: string | null;
  readonly vmiSpec: VMISpec;
  readonly bytes: number;
}

export const memoryOverhead = subject<OverheadRecord>('memory overhead', /^memory-overhead\.jsonl$/, {
  load: jsonLines,
  check: ({ vmiSpec, arch, additionalGuestMemoryOverheadRatio: ratio, bytes }) => {
    const ours = memoryOverheadBytes(vmiSpec, { table: kubevirtOverhead, architecture: arch, ratio });
    return differences(bytes, ours, 'bytes');
  },
});
