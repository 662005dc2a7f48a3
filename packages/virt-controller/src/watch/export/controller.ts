/** Serves the volumes of a claim, a stopped VM or a snapshot to whoever has the token, until its time is over. */
import type { PersistentVolumeClaim, VirtualMachineExport, VolumeSnapshot } from '@podvisor/api';
import { type Clock, deepEqual } from '@podvisor/base';
import {
  type ControllerSteps,
  type KubeClient,
  type ReconcileResult,
  resources,
  ignoreAlreadyExists,
} from '@podvisor/kube';
import { vmBackups, vmBackupTrackers, vmExports, vmSnapshotContents, vmSnapshots } from '../../resources.ts';
import { sourceName } from '../backup/decide.ts';
import type { Recorder } from '../recorder.ts';
import { exportName } from './plan.ts';
import {
  exportedClaims,
  type ExportObservation,
  type ExportPlan,
  type ExportSources,
  planExport,
} from './reconcile.ts';
import { createServerPod, ensureTokenAndService } from './server.ts';

export interface ExportControllerOptions {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'updateStatus' | 'delete'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly image: string;
  export(key: string): VirtualMachineExport | undefined;
  /** Names of running VMIs that use a claim (`namespace/name`). */
  usersOf(claim: string): readonly string[];
}

export class ExportController implements ControllerSteps<ExportObservation, ExportPlan> {
  readonly #options: ExportControllerOptions;

  constructor(options: ExportControllerOptions) {
    this.#options = options;
  }

  async observe(key: string, signal: AbortSignal): Promise<ExportObservation | undefined> {
    const { client, clock, usersOf } = this.#options;
    const cached = this.#options.export(key);
    if (cached === undefined || cached.metadata?.deletionTimestamp !== undefined) return undefined;
    const { namespace, name = '' } = cached.metadata ?? {};
    const found = await client.find(vmExports, { namespace, name }, signal);
    if (found === undefined) return undefined;
    const sources = await this.#sources(found, signal);
    const claims = new Map<string, PersistentVolumeClaim>();
    for (const claimName of exportedClaims(found, sources)) {
      const at = { namespace, name: claimName };
      const claim = await client.find(resources.persistentVolumeClaims, at, signal);
      if (claim !== undefined) claims.set(claimName, claim);
    }
    const taken = new Map<string, VolumeSnapshot>();
    for (const { volumeSnapshotName: of = '' } of sources.content?.spec.volumeBackups ?? []) {
      const one = await client.find(resources.volumeSnapshots, { namespace, name: of }, signal);
      if (one !== undefined) taken.set(of, one);
    }
    return {
      found,
      sources,
      claims,
      taken,
      pod: await client.find(resources.pods, { namespace, name: exportName(found) }, signal),
      nowMs: clock.now(),
      userOf: (claim) => usersOf(`${namespace}/${claim}`)[0],
    };
  }

  plan(observed: ExportObservation): ExportPlan {
    return planExport(observed);
  }

  async apply(plan: ExportPlan, { found }: ExportObservation, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, recorder } = this.#options;
    const { namespace, name = '' } = found.metadata ?? {};
    if (plan.kind === 'expire') return client.delete(vmExports, { namespace, name }, {}, signal);
    for (const claim of plan.createClaims)
      await ignoreAlreadyExists(client.create(resources.persistentVolumeClaims, claim, {}, signal));
    if (plan.serve !== undefined) {
      await ensureTokenAndService(found, this.#options, signal);
      if (plan.serve.createsPod) {
        await createServerPod(found, plan.serve.source, this.#options, signal);
        recorder.event(found, 'Normal', 'ExporterPodCreated', `Created exporter pod ${exportName(found)}`);
      }
    }
    if (!deepEqual(JSON.parse(JSON.stringify(plan.status)), found.status ?? {}))
      await client.updateStatus(vmExports, { ...found, status: plan.status }, {}, signal);
    return { requeueAfterMs: plan.requeueAfterMs };
  }

  async #sources({ metadata, spec }: VirtualMachineExport, signal: AbortSignal): Promise<ExportSources> {
    const { client } = this.#options;
    const { kind, name } = spec.source;
    const at = (of: string) => ({ namespace: metadata?.namespace, name: of });
    switch (kind) {
      case 'VirtualMachine':
        return {
          vm: await client.find(resources.virtualMachines, at(name), signal),
          vmi: await client.find(resources.virtualMachineInstances, at(name), signal),
        };
      case 'VirtualMachineSnapshot': {
        const snapshot = await client.find(vmSnapshots, at(name), signal);
        const content = snapshot?.status?.virtualMachineSnapshotContentName;
        if (content === undefined) return { snapshot };
        return { snapshot, content: await client.find(vmSnapshotContents, at(content), signal) };
      }
      case 'VirtualMachineBackup': {
        const backup = await client.find(vmBackups, at(name), signal);
        if (backup === undefined) return {};
        const { source } = backup.spec;
        const tracker =
          source.kind === 'VirtualMachineBackupTracker'
            ? await client.find(vmBackupTrackers, at(source.name), signal)
            : undefined;
        const vm = at(sourceName({ backup, tracker }));
        return { backup, tracker, vmi: await client.find(resources.virtualMachineInstances, vm, signal) };
      }
      default:
        return {};
    }
  }
}
