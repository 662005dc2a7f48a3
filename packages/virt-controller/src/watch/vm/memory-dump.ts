/** Dumps of guest memory are not built yet: a request ends at once and says so, and its removal works. Pure. */
import type { VMMemoryDumpRequest } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';

export const MEMORY_DUMP_UNAVAILABLE =
  'Memory dumps are not available yet in this version; nothing was written.';

/** What is left of a request after a pass. */
export function settledMemoryDump(
  request: VMMemoryDumpRequest | undefined,
  nowMs: number,
): VMMemoryDumpRequest | undefined {
  if (request === undefined || request.remove === true || request.phase === 'Dissociating') return undefined;
  if (request.phase === 'Failed' || request.phase === 'Completed') return request;
  return { ...request, phase: 'Failed', message: MEMORY_DUMP_UNAVAILABLE, endTimestamp: rfc3339(nowMs) };
}
