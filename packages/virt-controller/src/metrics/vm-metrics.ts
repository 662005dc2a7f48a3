/** Metrics of VirtualMachines, read from the caches when somebody asks. Pure. */
import {
  claimName,
  CONTROLLER_METRICS as M,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VMISpec,
} from '@podvisor/api';
import {
  isQuantity,
  type MetricDefinition,
  type MetricFamily,
  parseQuantity,
  type Sample,
} from '@podvisor/base';
import { epochSeconds, NONE, objectLabels, vnicLabels, workloadLabels } from './labels.ts';

const GROUPS = {
  starting: ['Provisioning', 'Starting', 'WaitingForVolumeBinding'],
  running: ['Running'],
  migrating: ['Migrating'],
  non_running: ['Stopped', 'Paused', 'Stopping', 'Terminating'],
  error: [
    'CrashLoopBackOff',
    'Unknown',
    'ErrorUnschedulable',
    'ErrImagePull',
    'ImagePullBackOff',
    'ErrorPvcNotFound',
    'DataVolumeError',
  ],
} as const;
type Group = keyof typeof GROUPS;

const TRANSITIONS: Readonly<Record<Group, MetricDefinition>> = {
  starting: M.vmStartingStatusLastTransitionTimestampSeconds,
  running: M.vmRunningStatusLastTransitionTimestampSeconds,
  migrating: M.vmMigratingStatusLastTransitionTimestampSeconds,
  non_running: M.vmNonRunningStatusLastTransitionTimestampSeconds,
  error: M.vmErrorStatusLastTransitionTimestampSeconds,
};

export function vmFamilies(
  vms: readonly VirtualMachine[],
  claim: (namespace: string, name: string) => PersistentVolumeClaim | undefined,
): readonly MetricFamily[] {
  const each = (samples: (vm: VirtualMachine) => readonly Sample[]): readonly Sample[] =>
    vms.flatMap(samples);
  return [
    { definition: M.vmInfo, samples: each((vm) => [{ labels: infoLabels(vm), value: 1 }]) },
    {
      definition: M.vmCreateDateTimestampSeconds,
      samples: each((vm) => [
        { labels: objectLabels(vm), value: epochSeconds(vm.metadata?.creationTimestamp) },
      ]),
    },
    ...Object.entries(TRANSITIONS).map(([group, definition]) => ({
      definition,
      samples: each((vm) => [
        { labels: objectLabels(vm), value: groupOf(vm) === group ? lastTransition(vm) : 0 },
      ]),
    })),
    { definition: M.vmLabels, samples: each(labelSamples) },
    { definition: M.vmResourceRequests, samples: each((vm) => resourceSamples(vm, 'requests')) },
    { definition: M.vmResourceLimits, samples: each((vm) => resourceSamples(vm, 'limits')) },
    { definition: M.vmVnicInfo, samples: each(vnicSamples) },
    { definition: M.vmDiskAllocatedSizeBytes, samples: each((vm) => diskSamples(vm, claim)) },
  ];
}

function groupOf({ status }: VirtualMachine): Group | undefined {
  const printable = status?.printableStatus ?? 'Stopped';
  return (Object.keys(GROUPS) as Group[]).find((group) =>
    (GROUPS[group] as readonly string[]).includes(printable),
  );
}

function lastTransition({ metadata, status }: VirtualMachine): number {
  const times = (status?.conditions ?? []).map(({ lastTransitionTime }) => epochSeconds(lastTransitionTime));
  return Math.max(epochSeconds(metadata?.creationTimestamp), ...times);
}

function infoLabels(vm: VirtualMachine): Readonly<Record<string, string>> {
  const { template, instancetype, preference } = vm.spec;
  return {
    ...objectLabels(vm),
    ...workloadLabels(template?.metadata?.annotations),
    machine_type: template?.spec?.domain.machine?.type ?? NONE,
    instance_type: instancetype?.name ?? NONE,
    preference: preference?.name ?? NONE,
    status: (vm.status?.printableStatus ?? 'Stopped').toLowerCase(),
    status_group: groupOf(vm) ?? NONE,
  };
}

function labelSamples(vm: VirtualMachine): readonly Sample[] {
  const own = Object.entries(vm.metadata?.labels ?? {});
  if (own.length === 0) return [];
  const renamed = own.map(([key, value]) => [`label_${key.replaceAll(/[^A-Za-z0-9_]/g, '_')}`, value]);
  return [{ labels: { ...objectLabels(vm), ...Object.fromEntries(renamed) }, value: 1 }];
}

function resourceSamples(vm: VirtualMachine, kind: 'requests' | 'limits'): readonly Sample[] {
  const domain = vm.spec.template?.spec?.domain;
  const amount = (
    resource: 'cpu' | 'memory',
    value: string | number | undefined,
    source: string,
  ): Sample[] => {
    if (value === undefined || !isQuantity(String(value))) return [];
    const unit = resource === 'cpu' ? 'cores' : 'bytes';
    const number = parseQuantity(String(value));
    const labels = { ...objectLabels(vm), resource, unit, source };
    return [{ labels, value: resource === 'cpu' ? number.milliValue() / 1000 : number.value() }];
  };
  const declared = domain?.resources?.[kind];
  const samples = [
    ...amount('memory', declared?.['memory'], 'domain'),
    ...amount('cpu', declared?.['cpu'], kind === 'limits' ? 'default' : 'requests'),
  ];
  if (kind === 'limits') return samples;
  return [
    ...samples,
    ...amount('memory', domain?.memory?.guest, 'guest'),
    ...topologySamples(vm, domain?.cpu),
  ];
}

function topologySamples(vm: VirtualMachine, cpu: VMISpec['domain']['cpu']): readonly Sample[] {
  const count = (source: 'cores' | 'threads' | 'sockets'): Sample => ({
    labels: { ...objectLabels(vm), resource: 'cpu', unit: source, source: 'domain' },
    value: cpu?.[source] ?? 1,
  });
  return cpu === undefined ? [] : [count('cores'), count('threads'), count('sockets')];
}

function vnicSamples(vm: VirtualMachine): readonly Sample[] {
  const spec = vm.spec.template?.spec;
  return (spec?.domain.devices.interfaces ?? []).map((nic) => ({
    labels: { ...objectLabels(vm), ...vnicLabels(nic, spec?.networks) },
    value: 1,
  }));
}

function diskSamples(
  vm: VirtualMachine,
  claim: (namespace: string, name: string) => PersistentVolumeClaim | undefined,
): readonly Sample[] {
  const { namespace } = objectLabels(vm);
  return (vm.spec.template?.spec?.volumes ?? []).flatMap((volume) => {
    const name = claimName(volume);
    const found = name === undefined ? undefined : claim(namespace, name);
    const size = found?.status?.capacity?.['storage'] ?? found?.spec.resources?.requests?.['storage'];
    if (name === undefined || size === undefined) return [];
    const labels = {
      ...objectLabels(vm),
      persistentvolumeclaim: name,
      volume_mode: found?.spec.volumeMode ?? 'Filesystem',
      device: volume.name,
    };
    return [{ labels, value: parseQuantity(String(size)).value() }];
  });
}
