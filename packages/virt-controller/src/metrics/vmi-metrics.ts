/** Metrics of VMIs and their migrations, read from the caches when somebody asks. Pure. */
import {
  annotations,
  CONTROLLER_METRICS as M,
  labels as labelNames,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { type MetricDefinition, type MetricFamily, parseQuantity, type Sample } from '@podvisor/base';
import { epochSeconds, NONE, objectLabels, vnicLabels, workloadLabels } from './labels.ts';

export function vmiFamilies(
  vmis: readonly VirtualMachineInstance[],
  podsOf: (vmi: VirtualMachineInstance) => readonly Pod[],
): readonly MetricFamily[] {
  const each = (
    definition: MetricDefinition,
    samples: (vmi: VirtualMachineInstance, own: ReturnType<typeof ownLabels>) => readonly Sample[],
  ): MetricFamily => ({ definition, samples: vmis.flatMap((vmi) => samples(vmi, ownLabels(vmi))) });
  const outdated = vmis.filter((vmi) => isOutdated(vmi)).length;
  return [
    each(M.vmiInfo, (vmi, own) => [{ labels: { ...own, ...infoLabels(vmi, podsOf(vmi)) }, value: 1 }]),
    each(M.vmiStatusAddresses, (vmi, own) => addressSamples(vmi, own)),
    each(M.vmiVnicInfo, (vmi, own) =>
      (vmi.spec.domain.devices.interfaces ?? []).map((nic) => ({
        labels: { ...own, ...vnicLabels(nic, vmi.spec.networks) },
        value: 1,
      })),
    ),
    each(M.vmiGpuInfo, (vmi, own) =>
      (vmi.spec.domain.devices.gpus ?? []).map(({ name, deviceName }) => ({
        labels: { ...own, gpu_name: name, device_name: deviceName ?? NONE },
        value: 1,
      })),
    ),
    each(M.vmiNonEvictable, (vmi, own) => [{ labels: own, value: isNonEvictable(vmi) ? 1 : 0 }]),
    { definition: M.vmiNumberOfOutdated, samples: [{ value: outdated }] },
    each(M.vmiLauncherMemoryOverheadBytes, (vmi, own) => {
      const bytes = podsOf(vmi)[0]?.metadata.annotations?.[annotations.memoryOverheadBytes];
      return bytes === undefined ? [] : [{ labels: own, value: parseQuantity(bytes).value() }];
    }),
  ];
}

export function migrationFamilies(
  migrations: readonly VirtualMachineInstanceMigration[],
): readonly MetricFamily[] {
  const inPhase = (definition: MetricDefinition, ...phases: readonly string[]): MetricFamily => ({
    definition,
    samples: [{ value: migrations.filter(({ status }) => phases.includes(status?.phase ?? '')).length }],
  });
  const each = (
    definition: MetricDefinition,
    value: (migration: VirtualMachineInstanceMigration) => number | undefined,
  ): MetricFamily => ({
    definition,
    samples: migrations.flatMap((migration) => {
      const { name: vmim, namespace } = objectLabels(migration);
      const found = value(migration);
      const state = migration.status?.migrationState;
      const labels = {
        vmi: migration.spec.vmiName ?? '',
        vmim,
        namespace,
        source: state?.sourceNode ?? '',
        target: state?.targetNode ?? '',
      };
      return found === undefined ? [] : [{ labels, value: found }];
    }),
  });
  const time = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : epochSeconds(text);
  return [
    inPhase(M.vmiMigrationsInUnsetPhase, ''),
    inPhase(M.vmiMigrationsInPendingPhase, 'Pending'),
    inPhase(M.vmiMigrationsInSchedulingPhase, 'Scheduling', 'Scheduled'),
    inPhase(M.vmiMigrationsInRunningPhase, 'PreparingTarget', 'TargetReady', 'Running'),
    each(M.vmiMigrationStartTimeSeconds, (m) => time(m.status?.migrationState?.startTimestamp)),
    each(M.vmiMigrationEndTimeSeconds, (m) => time(m.status?.migrationState?.endTimestamp)),
    each(M.vmiMigrationSucceeded, (m) => (m.status?.phase === 'Succeeded' ? 1 : undefined)),
    each(M.vmiMigrationFailed, (m) => (m.status?.phase === 'Failed' ? 1 : undefined)),
  ];
}

function ownLabels(vmi: VirtualMachineInstance): {
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
} {
  const { name, namespace } = objectLabels(vmi);
  return { node: vmi.status?.nodeName ?? '', namespace, name };
}

function infoLabels(vmi: VirtualMachineInstance, pods: readonly Pod[]): Readonly<Record<string, string>> {
  const own = vmi.metadata?.annotations ?? {};
  const named = (kind: string): string =>
    own[`kubevirt.io/${kind}-name`] ?? own[`kubevirt.io/cluster-${kind}-name`] ?? NONE;
  const guest = vmi.status?.guestOSInfo;
  const paused = vmi.status?.conditions?.some(({ type, status }) => type === 'Paused' && status === 'True');
  const phase = (vmi.status?.phase ?? 'Pending').toLowerCase();
  return {
    phase,
    ...workloadLabels(own),
    instance_type: named('instancetype'),
    preference: named('preference'),
    guest_os_kernel_release: guest?.kernelRelease ?? '',
    guest_os_machine: vmi.status?.machine?.type ?? '',
    guest_os_arch: guest?.machine ?? '',
    guest_os_name: guest?.name ?? '',
    guest_os_version_id: guest?.versionId ?? '',
    evictable: String(!isNonEvictable(vmi)),
    outdated: String(isOutdated(vmi)),
    vmi_pod: pods[0]?.metadata.name ?? NONE,
    status: paused === true ? 'paused' : phase,
  };
}

function addressSamples(
  vmi: VirtualMachineInstance,
  own: Readonly<Record<string, string>>,
): readonly Sample[] {
  return (vmi.status?.interfaces ?? []).flatMap((nic) =>
    (nic.ipAddresses ?? []).map((address) => ({
      labels: { ...own, network_name: nic.name ?? '', address, type: 'ExternalInterface' },
      value: 1,
    })),
  );
}

function isOutdated({ metadata }: VirtualMachineInstance): boolean {
  return metadata?.labels?.[labelNames.outdatedLauncherImage] !== undefined;
}

/** It wants to migrate on eviction, and cannot. */
function isNonEvictable({ spec, status }: VirtualMachineInstance): boolean {
  if (spec.evictionStrategy !== 'LiveMigrate') return false;
  return !(status?.conditions ?? []).some((c) => c.type === 'LiveMigratable' && c.status === 'True');
}
