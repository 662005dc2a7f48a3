/** What follows from each new state of the domain for the launcher's other parts, and when the launcher ends. */
import { trimMemory } from '@podvisor/sys';
import { sealAtEnd } from '../backup/tracked-disks.ts';
import type { DomainContext, RunState } from '../domain-manager/context.ts';
import { kill } from '../domain-manager/kill.ts';
import { shutdown } from '../domain-manager/shutdown.ts';
import type { DomainKnowledge } from '../domain/domain-observer.ts';
import { isActive } from '../domain/domain-state.ts';
import { Termination } from '../termination.ts';
import type { LauncherParts } from './parts.ts';

type Present = Extract<DomainKnowledge, { kind: 'present' }>;

/** The garbage of a start is collected when the start is surely over, without waiting for a look (keepSmall). */
const TRIM_AFTER_MS = 3_000;

export function newRunState(): RunState {
  return {
    userPaused: false,
    started: false,
    startedAs: undefined,
    incoming: undefined,
    seenActive: false,
    terminating: false,
    shutdownRequestedAt: undefined,
    memoryDump: undefined,
    hibernation: undefined,
    memorySnapshot: undefined,
    stoppedAtMs: undefined,
    builtAs: undefined,
    cancelThaw: undefined,
  };
}

export function launcherTermination(parts: LauncherParts): Termination {
  const { flags, clock, log } = parts.options;
  return new Termination({
    runState: parts.runState,
    gracePeriodSeconds: flags.gracePeriodSeconds,
    keepAfterFailure: flags.keepAfterFailure,
    shutdown: () => shutdown(parts.context),
    kill: () => kill(parts.context),
    startEnded: () => parts.context.mutex.run(async () => {}),
    clock,
    log,
  });
}

/** Call once, when all parts are made. */
export function followDomain(parts: LauncherParts): void {
  const { context, leases, runState, metrics, termination } = parts;
  const { terminate } = parts.options;
  parts.observer.subscribe((known) => {
    parts.ioErrors.observed(known);
    if (known.kind === 'present') leases.observed(known.facts.pluggedVolumes);
    endLease(parts, known);
    follow(context, known);
    takeOver(context, known);
    if (known.kind === 'present' && runState.seenActive) sealBitmaps(known, parts);
    if (known.kind !== 'unknown') {
      const isRunning = known.kind === 'present' && isActive(known.state.state);
      metrics.follow(isRunning);
    }
    termination.observed(known);
  });
  parts.watchers.onDelivered((known) => termination.delivered(known));
  if (terminate.aborted) void termination.requested();
  terminate.addEventListener('abort', () => void termination.requested(), { once: true });
}

/** QEMU has ended: nobody need wait for the end of its lease. */
function endLease({ guestLease, runState }: LauncherParts, known: DomainKnowledge): void {
  if (known.kind === 'unknown' || !runState.seenActive) return;
  if (known.kind === 'present' && isActive(known.state.state)) return;
  const hasMoved = known.kind === 'present' && known.state.reason === 'Migrated';
  void guestLease.end({ isGivenBack: !hasMoved });
}

/** Level-triggered: safe to repeat. */
function follow(context: DomainContext, known: DomainKnowledge): void {
  if (known.kind === 'unknown') return;
  const active = known.kind === 'present' && isActive(known.state.state);
  const runs = known.kind === 'present' && known.state.state === 'Running';
  if (active && !context.runState.seenActive) context.clock.after(TRIM_AFTER_MS, trimMemory);
  if (active) context.runState.seenActive = context.runState.started = true;
  if (known.kind === 'present' && known.state.agentConnected) context.stages.reached('guest-agent-connected');
  if (runs || !active) context.agent.setConnected(runs && known.state.agentConnected);
  else context.agent.suspend();
  context.credentials.setConnected(runs && known.state.agentConnected);
  if (!active) context.console.end('');
  else if (known.facts.serialSocket !== undefined)
    context.console.connect(known.facts.serialSocket).catch((error: unknown) => {
      context.log.warn({ error }, 'the serial console cannot be read');
    });
}

/** Without waiting for virt-handler: from its first instruction here on, what the guest's TPM remembers is here. */
function takeOver({ builder, runState, log }: DomainContext, known: DomainKnowledge): void {
  const { incoming, startedAs } = runState;
  const arrived =
    known.kind === 'present' && known.state.migration?.role === 'target' && known.state.migration;
  if (!arrived || arrived.stage !== 'arrived' || incoming === undefined || startedAs === undefined) return;
  if (!isActive(known.state.state) || runState.tookOver) return;
  runState.tookOver = true;
  builder.arrived(startedAs, incoming).catch((error: unknown) => {
    log.warn({ error }, 'what the TPM remembers could not be taken over yet');
  });
}

function sealBitmaps({ state }: Present, { options }: LauncherParts): void {
  try {
    sealAtEnd(state, options.flags.paths);
  } catch (error) {
    options.log.warn(
      { error },
      'bitmaps of changed blocks will not be used again: the next backup copies everything',
    );
  }
}
