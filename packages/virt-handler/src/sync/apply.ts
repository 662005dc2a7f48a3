/** Carries out one decision. Each branch is a few calls; whatever fails is tried again by the queue. */
import { assertNever } from '@podvisor/base';
import type { VirtualMachineInstance } from '@podvisor/api';
import type { LauncherConnection } from '../launcher-client/connection.ts';
import type { Decision } from './reconcile.ts';

/** What a decision may reach. */
export interface DecisionEffects {
  /** Network, devices, and the call that starts or updates the domain. */
  syncDomain(vmi: VirtualMachineInstance, connection: LauncherConnection): Promise<void>;
  /** Remembers that the guest was asked, and tells people the first time. */
  noteShutdownAsked(): void;
  forget(): void;
}

/** `vmi` is the object, or what is known of one that is gone (its metadata). */
export async function apply(
  decision: Decision,
  vmi: VirtualMachineInstance,
  connection: LauncherConnection | undefined,
  effects: DecisionEffects,
  signal: AbortSignal,
): Promise<void> {
  switch (decision.kind) {
    case 'wait':
    case 'nothing':
      return;
    case 'forget':
      effects.forget();
      return;
    default:
      break;
  }
  if (connection === undefined) throw new Error('the launcher is not connected');
  switch (decision.kind) {
    case 'ask-shutdown':
      await connection.do('shutdownVirtualMachine', vmi, signal);
      effects.noteShutdownAsked();
      return;
    case 'kill':
      await connection.do('killVirtualMachine', vmi, signal);
      return;
    case 'delete-domain':
      await connection.do('deleteVirtualMachine', vmi, signal);
      return;
    case 'sync':
      await effects.syncDomain(vmi, connection);
      return;
    default:
      assertNever(decision);
  }
}
