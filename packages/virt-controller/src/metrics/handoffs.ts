/**
 * Hears starts, stops, migrations, plugs and snapshots go from handoff to handoff, from the caches, as it happens. An
 * operation that was under way before this process led is not timed: its beginning is not known.
 */
import {
  HANDOFFS_ANNOTATION,
  type KubernetesObject,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VirtualMachineSnapshot,
} from '@podvisor/api';
import type { Informer } from '@podvisor/kube';
import type { Caches } from '../caches.ts';
import { controllerOfKind, ownerKinds } from '../watch/ownership.ts';
import { isFinal } from '../watch/vmi-phase.ts';
import { objectLabels } from './labels.ts';
import type { Operation, OperationTimes } from './operation-times.ts';

/** What the node saw of a start, in order: number in the annotation → name. */
const NODE_HANDOFFS = [
  ['6', 'launcher-ready'],
  ['8', 'network-ready'],
  ['9', 'launcher-asked'],
  ['10', 'domain-running'],
  ['11', 'running'],
] as const;

export class Handoffs {
  readonly #times: OperationTimes;
  /** Plugs under way, by VMI: an unplug in between ends them. */
  readonly #plugs = new Map<string, Set<string>>();

  constructor(times: OperationTimes) {
    this.#times = times;
  }

  /** Hears until the caches end. */
  follow(caches: Pick<Caches, 'vmis' | 'pods' | 'migrations'>): void {
    caches.vmis.on({
      add: (vmi, initial) => (initial === true ? undefined : this.onVmiCreated(vmi)),
      update: (vmi, before) => this.onVmi(vmi, before),
      delete: (vmi) => this.onVmiGone(vmi),
    });
    caches.pods.on({
      add: (pod) => this.onPod(pod, undefined),
      update: (pod, before) => this.onPod(pod, before),
      delete: (pod) => this.#times.reached('stop', ownerOf(pod), 'pod-gone', 'vmi-gone'),
    });
    caches.migrations.on({
      add: (migration, initial) =>
        initial === true ? undefined : this.#begin('migration', migration, 'Pending'),
      update: (migration, before) => this.onMigration(migration, before),
      delete: ({ metadata }) => this.#times.end('migration', metadata?.uid ?? ''),
    });
  }

  followSnapshots(snapshots: Informer<VirtualMachineSnapshot>): void {
    snapshots.on({
      add: (snapshot, initial) =>
        initial === true ? undefined : this.#begin('snapshot', snapshot, 'in-progress'),
      update: (snapshot, before) => this.onSnapshot(snapshot, before),
      delete: ({ metadata }) => this.#times.end('snapshot', metadata?.uid ?? ''),
    });
  }

  onVmiCreated(vmi: VirtualMachineInstance): void {
    this.#begin('start', vmi, 'pod-created');
  }

  onVmi(vmi: VirtualMachineInstance, before: VirtualMachineInstance): void {
    const uid = vmi.metadata?.uid ?? '';
    const phase = vmi.status?.phase;
    const changed = phase !== before.status?.phase;
    if (changed && phase === 'Scheduled') this.#times.reached('start', uid, 'scheduled', 'running');
    if (changed && phase === 'Running') this.#running(vmi, uid);
    if (changed && isFinal(vmi)) this.#times.end('start', uid, phase === 'Failed' ? 'failed' : undefined);
    if (vmi.metadata?.deletionTimestamp !== undefined && before.metadata?.deletionTimestamp === undefined)
      this.#begin('stop', vmi, 'guest-ended');
    if (changed && isFinal(vmi)) this.#times.reached('stop', uid, 'guest-ended', 'pod-gone');
    this.#volumes(vmi, before, uid);
  }

  onVmiGone({ metadata }: VirtualMachineInstance): void {
    const uid = metadata?.uid ?? '';
    this.#times.reached('stop', uid, 'vmi-gone', '');
    this.#times.end('stop', uid, 'succeeded');
    this.#times.end('start', uid);
    for (const plug of this.#plugs.get(uid) ?? []) this.#times.end('plug', plug);
    this.#plugs.delete(uid);
  }

  onPod(pod: Pod, before: Pod | undefined): void {
    const uid = ownerOf(pod);
    if (before === undefined) this.#times.reached('start', uid, 'pod-created', 'pod-running');
    if (pod.status?.phase === 'Running' && before?.status?.phase !== 'Running')
      this.#times.reached('start', uid, 'pod-running', 'scheduled');
  }

  onMigration(migration: VirtualMachineInstanceMigration, before: VirtualMachineInstanceMigration): void {
    const phase = migration.status?.phase ?? '';
    if (phase === '' || phase === before.status?.phase) return;
    const uid = migration.metadata?.uid ?? '';
    const isEnd = phase === 'Succeeded' || phase === 'Failed';
    this.#times.reached('migration', uid, phase, `after-${phase}`);
    if (isEnd) this.#times.end('migration', uid, phase === 'Succeeded' ? 'succeeded' : 'failed');
  }

  onSnapshot(snapshot: VirtualMachineSnapshot, before: VirtualMachineSnapshot): void {
    const uid = snapshot.metadata?.uid ?? '';
    const { status } = snapshot;
    if (status?.phase === 'InProgress' && before.status?.phase === undefined)
      this.#times.reached('snapshot', uid, 'in-progress', 'content-made');
    if (
      status?.virtualMachineSnapshotContentName !== undefined &&
      before.status?.virtualMachineSnapshotContentName === undefined
    )
      this.#times.reached('snapshot', uid, 'content-made', 'ready');
    if (status?.phase === before.status?.phase) return;
    if (status?.phase === 'Succeeded') {
      this.#times.reached('snapshot', uid, 'ready', '');
      this.#times.end('snapshot', uid, 'succeeded');
    } else if (status?.phase === 'Failed') this.#times.end('snapshot', uid, 'failed');
  }

  /** The node wrote its own times down; without them, as after a restart of virt-handler, now is the time. */
  #running(vmi: VirtualMachineInstance, uid: string): void {
    const times = nodeTimes(vmi);
    for (const [number, handoff] of NODE_HANDOFFS) {
      const atMs = times[number];
      if (typeof atMs === 'number' && Number.isFinite(atMs))
        this.#times.reached('start', uid, handoff, '', atMs);
      else if (handoff === 'running') this.#times.reached('start', uid, handoff, '');
    }
    this.#times.end('start', uid, 'succeeded');
  }

  #volumes(vmi: VirtualMachineInstance, before: VirtualMachineInstance, uid: string): void {
    const was = new Map((before.status?.volumeStatus ?? []).map(({ name, phase }) => [name, phase]));
    const known = this.#plugs.get(uid) ?? new Set<string>();
    for (const { name, phase = '', hotplugVolume } of vmi.status?.volumeStatus ?? []) {
      const plug = `${uid}/${name}`;
      if (hotplugVolume !== undefined && !was.has(name)) {
        this.#begin('plug', vmi, 'attached', plug);
        known.add(plug);
      }
      if (!known.has(plug) || phase === was.get(name)) continue;
      if (phase === 'AttachedToNode') this.#times.reached('plug', plug, 'attached', 'mounted');
      if (phase === 'MountedToPod') this.#times.reached('plug', plug, 'mounted', 'ready');
      if (phase === 'Ready') {
        this.#times.reached('plug', plug, 'ready', '');
        this.#times.end('plug', plug, 'succeeded');
        known.delete(plug);
      }
    }
    const there = new Set((vmi.status?.volumeStatus ?? []).map(({ name }) => `${uid}/${name}`));
    for (const plug of known) {
      if (there.has(plug)) continue;
      this.#times.end('plug', plug);
      known.delete(plug);
    }
    if (known.size > 0) this.#plugs.set(uid, known);
    else this.#plugs.delete(uid);
  }

  #begin(
    operation: Operation,
    object: KubernetesObject,
    awaited: string,
    id = object.metadata?.uid ?? '',
  ): void {
    const { namespace, name } = objectLabels(object);
    this.#times.begin(operation, id, { namespace, name }, awaited);
  }
}

/** UID of the VMI that a launcher Pod is of. */
function ownerOf(pod: Pod): string {
  return controllerOfKind(pod, ownerKinds.vmi)?.uid ?? '';
}

function nodeTimes({ metadata }: VirtualMachineInstance): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(metadata?.annotations?.[HANDOFFS_ANNOTATION] ?? '{}');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {}; // somebody else's annotation: the times are a help, not a need
  }
}
