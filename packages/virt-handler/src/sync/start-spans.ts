/**
 * The start of a guest as its node saw it, as spans: what virt-handler did, and from the launcher's own stages what
 * launcher, libvirt and QEMU did. Launchers have no way out of their Pod, so virt-handler sends for them. Pure. The
 * launcher's numbers are a stranger's: only names that are known and times that can be are taken.
 */
import type { VirtualMachineInstance } from '@podvisor/api';
import { type Span, startTrace } from '@podvisor/kube';

/** Milliseconds since the epoch. */
export interface SyncTimes {
  readonly beganMs: number;
  /** The Pod's network and devices were ready, and the launcher was asked. */
  readonly askedMs: number;
  readonly answeredMs: number;
}

/** Service, name, part of; from stage, to stage. */
const LAUNCHER_SPANS = [
  ['virt-launcher', 'launcher-process', 'launcher-ready', 'process-start', 'ready'],
  ['libvirt', 'start-libvirtd', 'launcher-process', 'libvirtd-started', 'libvirt-connected'],
  ['virt-launcher', 'start-domain', 'sync-launcher', 'sync-received', 'domain-running'],
  ['virt-launcher', 'prepare-disks', 'start-domain', 'sync-received', 'disks-prepared'],
  ['libvirt', 'define-domain', 'start-domain', 'disks-prepared', 'domain-defined'],
  ['libvirt', 'start-qemu', 'start-domain', 'domain-defined', 'domain-started'],
  ['libvirt', 'resume-guest', 'start-domain', 'domain-started', 'domain-running'],
] as const;

/** No start takes longer. */
const MAX_AGE_MS = 86_400_000;

export function startSpans(
  { metadata }: VirtualMachineInstance,
  { beganMs, askedMs, answeredMs }: SyncTimes,
  stages: Readonly<Record<string, number>>,
): readonly Span[] {
  const { namespace = '', name: object = '', uid = '' } = metadata ?? {};
  const common = { trace: startTrace(uid), namespace, object };
  const at = (stage: string): number | undefined => {
    const ms = Object.hasOwn(stages, stage) ? stages[stage] : undefined;
    return ms !== undefined && ms > answeredMs - MAX_AGE_MS && ms <= answeredMs ? ms : undefined;
  };
  const own: readonly Span[] = [
    { service: 'virt-handler', name: 'set-up-pod', parent: 'network-ready', fromMs: beganMs, toMs: askedMs },
    {
      service: 'virt-handler',
      name: 'sync-launcher',
      parent: 'domain-running',
      fromMs: askedMs,
      toMs: answeredMs,
    },
  ].map((span) => ({ ...common, ...span }));
  const told = LAUNCHER_SPANS.flatMap(([service, name, parent, from, to]): readonly Span[] => {
    const [fromMs, toMs] = [at(from), at(to)];
    return fromMs === undefined || toMs === undefined
      ? []
      : [{ ...common, service, name, parent, fromMs, toMs }];
  });
  return [...own, ...told];
}
