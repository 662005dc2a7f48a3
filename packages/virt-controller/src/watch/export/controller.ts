/** Serves the volumes of a claim, a stopped VM or a snapshot to whoever has the token, until its time is over. */
import { randomBytes } from 'node:crypto';
import type {
  KubernetesObject,
  PersistentVolumeClaim,
  VirtualMachine,
  VirtualMachineExport,
  VirtualMachineExportStatus,
  VirtualMachineRestore,
} from '@podvisor/api';
import { type Clock, deepEqual, isStatus, rfc3339 } from '@podvisor/base';
import {
  createCa,
  defineResource,
  issueCertificate,
  type KubeClient,
  type ReconcileResult,
  resources,
} from '@podvisor/kube';
import { vmBackups, vmBackupTrackers, vmExports, vmSnapshotContents, vmSnapshots } from '../../resources.ts';
import { isPulled, sourceName } from '../backup/decide.ts';
import { isTerminal } from '../backup/status.ts';
import { setCondition } from '../conditions.ts';
import { restoredClaim } from '../restore/plan.ts';
import { claimsOf } from '../snapshot/content.ts';
import { durationMs } from '../snapshot/status.ts';
import { isFinal } from '../vmi-phase.ts';
import type { Recorder } from '../recorder.ts';
import { nameSuffix } from '../vmi/pod-name.ts';
import { backupLinks, backupSettings, disksOf, type ServedDisk } from './backup.ts';
import {
  CA_ANNOTATION,
  exportName,
  exportPod,
  exportService,
  internalLinks,
  manifests,
  metaOf,
  serverNames,
  serverSettings,
  tokenSecretName,
} from './plan.ts';

interface SecretObject extends KubernetesObject {
  readonly stringData?: Readonly<Record<string, string>>;
}
interface ServiceObject extends KubernetesObject {
  readonly spec?: { readonly clusterIP?: string };
}
const secrets = defineResource<SecretObject>('Secret', 'secrets', 'v1');
const services = defineResource<ServiceObject>('Service', 'services', 'v1');

const DEFAULT_TTL_MS = 2 * 3_600_000;

export interface ExportControllerOptions {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'updateStatus' | 'delete'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly image: string;
  export(key: string): VirtualMachineExport | undefined;
  /** Names of running VMIs that use a claim (`namespace/name`). */
  usersOf(claim: string): readonly string[];
}

type Source =
  | {
      readonly kind: 'ready';
      readonly claims: readonly PersistentVolumeClaim[];
      readonly vm?: VirtualMachine;
      /** Disks of a backup that is pulled, at the only node where they can be. */
      readonly backup?: { readonly disks: readonly ServedDisk[]; readonly nodeName: string };
    }
  | { readonly kind: 'waits'; readonly reason: string; readonly message: string }
  | { readonly kind: 'skipped' };

const waits = (reason: string, message: string): Source => ({ kind: 'waits', reason, message });

export class ExportController {
  readonly #options: ExportControllerOptions;

  constructor(options: ExportControllerOptions) {
    this.#options = options;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { client, clock } = this.#options;
    const cached = this.#options.export(key);
    if (cached === undefined || cached.metadata?.deletionTimestamp !== undefined) return;
    const { namespace, name = '' } = cached.metadata ?? {};
    const found = await client.find(vmExports, { namespace, name }, signal);
    if (found === undefined) return;
    const ttlMs = found.spec.ttlDuration === undefined ? DEFAULT_TTL_MS : durationMs(found.spec.ttlDuration);
    const endsMs = Date.parse(found.metadata?.creationTimestamp ?? '') + ttlMs;
    if (clock.now() >= endsMs) return client.delete(vmExports, { namespace, name }, {}, signal);
    const source = await this.#source(found, signal);
    const step = source.kind === 'ready' ? await this.#serve(found, source, signal) : source;
    const status = statusAfter(found, step, rfc3339(endsMs), clock.now());
    if (!deepEqual(JSON.parse(JSON.stringify(status)), found.status ?? {}))
      await client.updateStatus(vmExports, { ...found, status }, {}, signal);
    return { requeueAfterMs: endsMs - clock.now() };
  }

  async #source(of: VirtualMachineExport, signal: AbortSignal): Promise<Source> {
    const { client } = this.#options;
    const { kind, name } = of.spec.source;
    const namespace = of.metadata?.namespace;
    switch (kind) {
      case 'PersistentVolumeClaim':
        return this.#claims(namespace, [name], undefined, signal);
      case 'VirtualMachine': {
        const vm = await client.find(resources.virtualMachines, { namespace, name }, signal);
        if (vm === undefined) return waits('NotFound', `VirtualMachine ${name} does not exist`);
        const vmi = await client.find(resources.virtualMachineInstances, { namespace, name }, signal);
        if (vmi !== undefined && !isFinal(vmi))
          return waits('InUse', `VirtualMachine ${name} is running: stop it, or export a snapshot of it`);
        const names = claimsOf(vm).map(({ claimName }) => claimName);
        return names.length === 0 ? { kind: 'skipped' } : this.#claims(namespace, names, vm, signal);
      }
      case 'VirtualMachineSnapshot':
        return this.#ofSnapshot(of, signal);
      case 'VirtualMachineBackup':
        return this.#ofBackup(namespace, name, signal);
      default:
        return waits('NotAvailable', `Exports of ${kind} are not available yet in this version`);
    }
  }

  async #claims(
    namespace: string | undefined,
    names: readonly string[],
    vm: VirtualMachine | undefined,
    signal: AbortSignal,
  ): Promise<Source> {
    const { client, usersOf } = this.#options;
    const claims: PersistentVolumeClaim[] = [];
    for (const name of names) {
      const claim = await client.find(resources.persistentVolumeClaims, { namespace, name }, signal);
      if (claim === undefined) return waits('NotFound', `PVC ${name} does not exist`);
      if (claim.status?.phase !== 'Bound') return waits('NotBound', `PVC ${name} is not bound`);
      const [user] = usersOf(`${namespace}/${name}`);
      if (user !== undefined) return waits('InUse', `PVC ${name} is in use by the running guest ${user}`);
      claims.push(claim);
    }
    return { kind: 'ready', claims, ...(vm === undefined ? {} : { vm }) };
  }

  /** QEMU serves the disks at a socket in the claim, which its node has. */
  async #ofBackup(namespace: string | undefined, name: string, signal: AbortSignal): Promise<Source> {
    const { client } = this.#options;
    const backup = await client.find(vmBackups, { namespace, name }, signal);
    if (backup === undefined) return waits('NotFound', `VirtualMachineBackup ${name} does not exist`);
    const tracker =
      backup.spec.source.kind === 'VirtualMachineBackupTracker'
        ? await client.find(vmBackupTrackers, { namespace, name: backup.spec.source.name }, signal)
        : undefined;
    const vmName = sourceName({ backup, tracker });
    const vmi = await client.find(resources.virtualMachineInstances, { namespace, name: vmName }, signal);
    const claimName = backup.spec.pvcName ?? '';
    const claim = await client.find(resources.persistentVolumeClaims, { namespace, name: claimName }, signal);
    const nodeName = vmi?.status?.nodeName;
    const isReady = isPulled(backup) && backup.status?.type !== undefined && !isTerminal(backup);
    const runtime = vmi?.status?.changedBlockTracking?.backupStatus ?? undefined;
    if (!isReady || claim === undefined || nodeName === undefined || runtime?.volumes === undefined)
      return waits('NotReady', `VirtualMachineBackup ${name} cannot be read`);
    return {
      kind: 'ready',
      claims: [claim],
      backup: { disks: disksOf(backup, tracker, runtime.volumes), nodeName },
    };
  }

  /** Claims of the export's own, filled from the snapshot; they go with it. */
  async #ofSnapshot(of: VirtualMachineExport, signal: AbortSignal): Promise<Source> {
    const { client } = this.#options;
    const namespace = of.metadata?.namespace;
    const { name } = of.spec.source;
    const snapshot = await client.find(vmSnapshots, { namespace, name }, signal);
    const contentName = snapshot?.status?.virtualMachineSnapshotContentName;
    if (snapshot?.status?.readyToUse !== true || contentName === undefined)
      return waits('NotReady', `VirtualMachineSnapshot ${name} is not ready`);
    const content = await client.find(vmSnapshotContents, { namespace, name: contentName }, signal);
    const backups = content?.spec.volumeBackups ?? [];
    if (backups.length === 0) return { kind: 'skipped' };
    const names: string[] = [];
    for (const backup of backups) {
      const claimed = `${of.metadata?.name}-${backup.volumeName}`;
      names.push(claimed);
      const restore: VirtualMachineRestore = {
        apiVersion: 'snapshot.kubevirt.io/v1beta1',
        kind: 'VirtualMachineRestore',
        metadata: { name: of.metadata?.name, namespace },
        spec: { target: snapshot.spec.source, virtualMachineSnapshotName: name },
      };
      const wish = {
        volumeName: backup.volumeName,
        persistentVolumeClaim: claimed,
        volumeSnapshotName: backup.volumeSnapshotName ?? '',
      };
      const taken = await client.find(
        resources.volumeSnapshots,
        { namespace, name: wish.volumeSnapshotName },
        signal,
      );
      const claim = restoredClaim(restore, backup, wish, taken);
      const metadata = { ...claim.metadata, ...metaOf(of, claimed) };
      await this.#create(client.create(resources.persistentVolumeClaims, { ...claim, metadata }, {}, signal));
    }
    const source = content?.spec.source.virtualMachine;
    const vm: VirtualMachine | undefined =
      source?.spec === undefined
        ? undefined
        : {
            apiVersion: 'kubevirt.io/v1',
            kind: 'VirtualMachine',
            metadata: { name: source.metadata?.name, labels: source.metadata?.labels },
            spec: source.spec,
          };
    return this.#claims(namespace, names, vm, signal);
  }

  async #serve(
    of: VirtualMachineExport,
    source: Extract<Source, { readonly kind: 'ready' }>,
    signal: AbortSignal,
  ): Promise<Source | Served> {
    const { client, recorder } = this.#options;
    const namespace = of.metadata?.namespace;
    const tokenName = tokenSecretName(of);
    if (of.spec.tokenSecretRef === undefined)
      await this.#create(
        client.create(
          secrets,
          {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: metaOf(of, tokenName),
            stringData: { token: newToken() },
          },
          {},
          signal,
        ),
      );
    await this.#create(client.create(services, exportService(of), {}, signal));
    const pod = await client.find(resources.pods, { namespace, name: exportName(of) }, signal);
    if (pod === undefined) {
      await this.#createPod(of, source, signal);
      recorder.event(of, 'Normal', 'ExporterPodCreated', `Created exporter pod ${exportName(of)}`);
    }
    const isReady = pod?.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') === true;
    if (!isReady) return waits('Initializing', 'The exporter pod is starting');
    const cert = pod?.metadata.annotations?.[CA_ANNOTATION] ?? '';
    return { ...source, kind: 'served', cert };
  }

  /** Secrets are made and never read: each Pod gets one of its own, and the authority's certificate as a note. */
  async #createPod(
    of: VirtualMachineExport,
    source: Extract<Source, { readonly kind: 'ready' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, clock, image } = this.#options;
    const key = { namespace: of.metadata?.namespace, name: exportName(of) };
    const service = await client.find(services, key, signal);
    const ca = createCa({ commonName: `export-ca-${of.metadata?.name}`, now: clock.now() });
    const names = serverNames(of, service?.spec?.clusterIP);
    const pair = issueCertificate(ca, {
      commonName: names[0] ?? '',
      names,
      usages: ['server'],
      now: clock.now(),
    });
    const secret = `export-secret-${of.metadata?.name}-${nameSuffix(pair.certificate)}`;
    await client.create(
      secrets,
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: metaOf(of, secret),
        stringData: {
          'tls.crt': pair.certificate,
          'tls.key': pair.key,
          'config.json':
            source.backup === undefined
              ? serverSettings(source.claims, manifests(of, source.vm, source.claims, ca.certificate))
              : backupSettings(source.claims, source.backup.disks),
        },
      },
      {},
      signal,
    );
    const pod = exportPod(of, source.claims, {
      image,
      secret,
      ca: ca.certificate,
      nodeName: source.backup?.nodeName,
    });
    await this.#create(client.create(resources.pods, pod, {}, signal));
  }

  async #create(creation: Promise<unknown>): Promise<void> {
    await creation.catch((error: unknown) => {
      if (!isStatus(error, 'AlreadyExists')) throw error;
    });
  }
}

interface Served {
  readonly kind: 'served';
  readonly claims: readonly PersistentVolumeClaim[];
  readonly backup?: { readonly disks: readonly ServedDisk[] };
  readonly cert: string;
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

function statusAfter(
  of: VirtualMachineExport,
  step: Source | Served,
  ttlExpirationTime: string,
  nowMs: number,
): VirtualMachineExportStatus {
  const old = of.status ?? {};
  const condition = (type: string, status: string, reason: string, message?: string) => ({
    type,
    status,
    reason,
    ...(message === undefined ? {} : { message }),
  });
  const base = {
    ...old,
    ttlExpirationTime,
    tokenSecretRef: tokenSecretName(of),
    serviceName: exportName(of),
  };
  const with2 = (ready: ReturnType<typeof condition>, claims: ReturnType<typeof condition>) =>
    setCondition(setCondition(old.conditions ?? [], ready, nowMs), claims, nowMs);
  switch (step.kind) {
    case 'served':
      return {
        ...base,
        phase: 'Ready',
        links: {
          internal:
            step.backup === undefined
              ? internalLinks(of, step.claims, step.cert)
              : backupLinks(of, step.backup.disks, step.cert),
        },
        conditions: with2(condition('Ready', 'True', 'PodReady'), condition('PVCReady', 'True', 'PVCBound')),
      };
    case 'skipped':
      return {
        ...base,
        phase: 'Skipped',
        conditions: with2(
          condition('Ready', 'False', 'NoVolumes', 'The source has no volume that can be exported'),
          condition('PVCReady', 'False', 'NoVolumes'),
        ),
      };
    default: {
      const { reason, message } = step.kind === 'waits' ? step : { reason: 'Initializing', message: '' };
      const claimsReady = reason === 'Initializing' ? 'True' : 'False';
      return {
        ...base,
        phase: old.phase === 'Ready' ? 'Ready' : 'Pending',
        conditions: with2(
          condition('Ready', 'False', reason, message),
          condition('PVCReady', claimsReady, reason),
        ),
      };
    }
  }
}
