/** Puts together what is known about one VMI from its parts. Pure. */
import type { DomainState, Pod, VirtualMachineInstance } from '@podvisor/api';
import type { GhostRecord } from '../ghost-records/record.ts';
import type { DomainView } from '../launcher-client/domain-view.ts';
import { specFingerprint } from './fingerprint.ts';
import { isFinal, podEnd, type ShutdownMemory, type Situation, type VmiKnowledge } from './situation.ts';

export interface Parts {
  readonly vmi: VmiKnowledge;
  readonly record: GhostRecord | undefined;
  readonly launcher: {
    readonly view: DomainView;
    readonly connected: boolean;
    readonly sinceMs: number;
    /** The state in which the guest's run ended, if the launcher told it before it went. */
    readonly final: DomainState | undefined;
  };
  readonly pod: Pod | undefined;
  /** The kubelet still has a directory for the Pod; it removes it only after the containers are dead. */
  readonly hasPodDirectory: boolean;
  readonly mayRunOnTarget: boolean;
  readonly shutdown: ShutdownMemory;
  readonly lacksHostModel?: boolean;
  readonly seLinuxContext?: string | undefined;
  readonly addressPromise?: string | undefined;
  readonly syncNotBeforeMs: number;
  readonly nowMs: number;
}

export function observe(parts: Parts): Situation {
  const { vmi, record, launcher, pod, shutdown, syncNotBeforeMs, nowMs } = parts;
  const scheduledMs = vmi.kind === 'ours' ? scheduledAt(vmi.vmi) : 0;
  return {
    vmi,
    view: viewOf(parts),
    connected: launcher.connected,
    // Before the hand-over nobody expected the launcher to be ready: images may still have been on their way.
    linkSinceMs: Math.max(launcher.sinceMs, scheduledMs),
    pod,
    mayRunOnTarget: parts.mayRunOnTarget,
    shutdown,
    isSpecSynced: vmi.kind === 'ours' && record?.syncedSpec === specFingerprint(vmi.vmi),
    ...(record?.changeFailure === undefined ? {} : { changeFailure: record.changeFailure }),
    podInterfaces: new Map(record?.attachments?.map(({ name, podInterface }) => [name, podInterface])),
    plugged: new Set(record?.plugged?.map(({ volume }) => volume)),
    lacksHostModel: parts.lacksHostModel ?? false,
    ...(parts.addressPromise === undefined ? {} : { addressPromise: parts.addressPromise }),
    ...(parts.seLinuxContext === undefined ? {} : { seLinuxContext: parts.seLinuxContext }),
    syncNotBeforeMs,
    nowMs,
  };
}

/** The launcher's word while it speaks; its last word until that is reported; then proof that it is gone. */
function viewOf({ vmi, launcher, pod, hasPodDirectory }: Parts): DomainView {
  if (launcher.connected) return launcher.view;
  if (launcher.final !== undefined && vmi.kind === 'ours' && !isFinal(vmi.vmi))
    return { kind: 'present', domain: launcher.final };
  const isRemoved = pod === undefined && !hasPodDirectory;
  return podEnd(pod) !== undefined || isRemoved ? { kind: 'absent', proof: 'pod-ended' } : launcher.view;
}

function scheduledAt(vmi: VirtualMachineInstance): number {
  const entry = vmi.status?.phaseTransitionTimestamps?.find((t) => t.phase === 'Scheduled');
  return entry?.phaseTransitionTimestamp === undefined ? 0 : Date.parse(entry.phaseTransitionTimestamp) || 0;
}
