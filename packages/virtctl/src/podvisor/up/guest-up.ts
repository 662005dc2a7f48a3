/** When a guest that runs counts as up, and what it is that says so. Pure. */
import type { VirtualMachineInstance } from '@podvisor/api';

/** What is waited for after a VMI runs: its readiness probe where it has one, else its agent. */
export interface GuestSign {
  /** `its readiness probe`, `its guest agent`. */
  readonly what: string;
  readonly seen: boolean;
  /** Whether it comes for certain, once the guest is well; an agent is there only if somebody installed it. */
  readonly certain: boolean;
}

export function guestSign(vmi: VirtualMachineInstance | undefined): GuestSign {
  const isTrue = (type: string): boolean =>
    vmi?.status?.conditions?.some((c) => c.type === type && c.status === 'True') ?? false;
  return vmi?.spec.readinessProbe === undefined
    ? { what: 'its guest agent', seen: isTrue('AgentConnected'), certain: false }
    : { what: 'its readiness probe', seen: isTrue('Ready'), certain: true };
}
