/** Recorded memory overheads, exact with KubeVirt's table of constants. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VMISpec } from '@podvisor/api';
import { memoryOverheadBytes } from '../pod/memory-overhead.ts';
import { kubevirtOverhead } from '../pod/overhead-tables.ts';
import { recordsOf, skipReason } from './testing/recordings.ts';

interface OverheadRecord {
  readonly id: string;
  readonly arch: string;
  readonly additionalGuestMemoryOverheadRatio: string | null;
  readonly vmiSpec: VMISpec;
  readonly bytes: number;
}

describe('recorded memory overheads', { skip: skipReason }, () => {
  for (const record of recordsOf<OverheadRecord>('memory-overhead.jsonl')) {
    test(record.id, () => {
      const bytes = memoryOverheadBytes(record.vmiSpec, {
        table: kubevirtOverhead,
        architecture: record.arch,
        ratio: record.additionalGuestMemoryOverheadRatio,
      });
      assert.equal(bytes, record.bytes);
    });
  }
});
