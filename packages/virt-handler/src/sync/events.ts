/** The Kubernetes events that virt-handler writes: each tells of one change of a VM's life. */
import type { EventType } from '@podvisor/kube';

export interface EventText {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

export const EVENTS = {
  created: { type: 'Normal', reason: 'Created', message: 'VirtualMachineInstance defined.' },
  started: { type: 'Normal', reason: 'Started', message: 'VirtualMachineInstance started.' },
  shuttingDown: { type: 'Normal', reason: 'ShuttingDown', message: 'Signaled Graceful Shutdown' },
  stopping: { type: 'Normal', reason: 'Stopped', message: 'VirtualMachineInstance stopping' },
  stopped: { type: 'Normal', reason: 'Stopped', message: 'The VirtualMachineInstance was shut down.' },
  crashed: { type: 'Warning', reason: 'Stopped', message: 'The VirtualMachineInstance crashed.' },
  deleted: { type: 'Normal', reason: 'Deleted', message: 'Signaled Deletion' },
} as const satisfies Record<string, EventText>;

export function syncFailed(message: string): EventText {
  return { type: 'Warning', reason: 'SyncFailed', message };
}

/** The event that belongs to a change of phase, if any. */
export function phaseEvent(before: string | undefined, after: string | undefined): EventText | undefined {
  if (before === after) return undefined;
  if (after === 'Running') return EVENTS.started;
  if (after === 'Succeeded') return EVENTS.stopped;
  if (after === 'Failed') return EVENTS.crashed;
  return undefined;
}
