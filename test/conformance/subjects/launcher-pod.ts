/**
 * Recorded launcher Pods. Compared: all that clients and the scheduler see. Left out, because it is ours: images and
 * command lines, and the init containers and helper volumes that serve only to learn image digests.
 */
import {
  type Container,
  clusterConfig,
  type KubeVirtConfiguration,
  type Pod,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { deepEqual, parseQuantity } from '@podvisor/base';
import {
  type ClaimFacts,
  kubevirtOverhead,
  type LauncherPodOptions,
  type NamespaceFacts,
  renderLauncherPod,
} from '@podvisor/translate';
import { differences, errorDifferences } from '../differences.ts';
import { jsonLines } from '../records.ts';
import { subject } from '../subject.ts';

interface PodRecord {
  readonly id: string;
  readonly clusterConfig: { readonly configuration?: KubeVirtConfiguration } | null;
  readonly vmi: VirtualMachineInstance;
  readonly imageIDs: Readonly<Record<string, string>> | null;
  readonly error: string | null;
  readonly memoryOverhead: string;
  readonly pod: Pod | null;
}

/** Volumes and mounts that exist only for KubeVirt's way of resolving image digests. */
const HELPER_VOLUMES: readonly string[] = ['launcher-volume'];

export const launcherPod = subject<PodRecord>('launcher Pod', /^launcher-pod\/cases\.jsonl$/, {
  load: jsonLines,
  check: (record) => {
    const render = (): Pod => renderLauncherPod(record.vmi, optionsOf(record));
    if (record.error !== null) return errorDifferences(record.error, render);
    return record.pod === null
      ? ['the record has neither a Pod nor an error']
      : differences(comparable(record.pod), comparable(render()));
  },
});

function optionsOf(record: PodRecord): LauncherPodOptions {
  const { pod, imageIDs } = record;
  const config = clusterConfig({ spec: { configuration: record.clusterConfig?.configuration ?? {} } });
  const claims: Record<string, ClaimFacts> = {};
  const uids = reservedUids(record);
  const sharedPaths =
    pod?.spec.containers[0]?.env?.find(({ name }) => name === 'SHARED_FILESYSTEM_PATHS')?.value ?? '';
  const devices = pod?.spec.containers[0]?.volumeDevices ?? [];
  for (const { name, persistentVolumeClaim } of pod?.spec.volumes ?? []) {
    if (persistentVolumeClaim === undefined) continue;
    claims[persistentVolumeClaim.claimName] = {
      block: devices.some((device) => device.name === name),
      shared: sharedPaths.split(':').some((path) => path.endsWith(`/${name}`)),
      ...(uids[name] === undefined ? {} : { uid: uids[name] }),
    };
  }
  const state = pod?.spec.volumes?.find(({ name }) => name === 'vm-state')?.persistentVolumeClaim?.claimName;
  return {
    launcherImage: 'kubevirt/virt-launcher',
    // The recording ran on arm64 where the overhead says so; no other trace of it is left.
    config: { ...config, defaultArchitecture: recordedArchitecture(record) },
    claims,
    overheadTable: kubevirtOverhead,
    imagePullSecrets: [{ name: 'pull-secret-1' }],
    ...(state === undefined ? {} : { stateClaim: state }),
    ...(imageIDs === null || Object.keys(imageIDs).length === 0
      ? {}
      : { migrationTarget: { migrationUid: '', migrationName: '', imageIds: imageIDs } }),
    annotations: annotationsOfOthers(record),
    namespace: namespaceOf(record),
    networkResources: networkResourcesOf(record),
  };
}

/** A record does not tell of quotas and labels of its namespace; limits that nobody declared show them. */
function namespaceOf({ vmi, pod }: PodRecord): NamespaceFacts {
  const { limits = {}, requests = {} } = pod?.spec.containers[0]?.resources ?? {};
  const declared = vmi.spec.domain.resources?.limits ?? {};
  if (vmi.spec.domain.cpu?.dedicatedCpuPlacement) return {};
  const memoryLimitsQuota = limits.memory !== undefined && declared.memory === undefined;
  const ratio = memoryLimitsQuota ? amount(limits.memory) / amount(requests.memory) : 2;
  return {
    cpuLimitsQuota: limits.cpu !== undefined && declared.cpu === undefined,
    memoryLimitsQuota,
    ...(ratio === 2
      ? {}
      : { labels: { 'alpha.kubevirt.io/auto-memory-limits-ratio': String(Number(ratio.toFixed(2))) } }),
  };
}

function amount(quantity: string | number | undefined): number {
  return parseQuantity(quantity ?? '0').value();
}

/** Nor of network attachment definitions: resources that nothing else asks for are theirs. */
function networkResourcesOf({ vmi, pod }: PodRecord): Record<string, string> {
  const { gpus = [], hostDevices = [] } = vmi.spec.domain.devices;
  const known = new Set([
    ...[...gpus, ...hostDevices].map(({ deviceName }) => deviceName),
    ...Object.keys(vmi.spec.domain.resources?.requests ?? {}),
  ]);
  const asked = Object.entries(pod?.spec.containers[0]?.resources?.requests ?? {});
  return Object.fromEntries(
    asked
      .filter(([name]) => name.includes('/') && !name.startsWith('devices.kubevirt.io/') && !known.has(name))
      .flatMap(([name, count]) =>
        Array.from({ length: amount(count) }, (_, i) => [`${name} ${i}`, name] as const),
      ),
  );
}

/** Identities of claims with reservations, from the labels that carry them, in the order of the disks. */
function reservedUids({ vmi, pod }: PodRecord): Record<string, string> {
  const uids = Object.keys(pod?.metadata.labels ?? {})
    .filter((key) => key.startsWith('pr.kubevirt.io/'))
    .map((key) => key.slice('pr.kubevirt.io/'.length));
  const disks = (vmi.spec.domain.devices.disks ?? []).filter(({ lun }) => lun?.reservation);
  return Object.fromEntries(disks.flatMap(({ name }, i) => (uids[i] === undefined ? [] : [[name, uids[i]]])));
}

/** What the annotation generators of the recorded test added: their keys have no domain. */
function annotationsOfOthers({ pod, vmi }: PodRecord): Record<string, string> {
  const own = vmi.metadata?.annotations ?? {};
  return Object.fromEntries(
    Object.entries(pod?.metadata.annotations ?? {}).filter(([key]) => !key.includes('/') && !(key in own)),
  );
}

const MI = 1024 * 1024;
function recordedArchitecture({ vmi, pod }: PodRecord): string {
  const bytes = Number(pod?.metadata.annotations?.['kubevirt.io/memory-overhead-bytes'] ?? 0);
  return vmi.spec.architecture === undefined && bytes === 416 * MI ? 'arm64' : 'amd64';
}

/** The Pod without what is ours, in a canonical order. */
function comparable(pod: Pod): unknown {
  const { initContainers = [], containers, volumes = [], ...spec } = pod.spec;
  const { namespace: _namespace, labels, annotations, ...metadata } = pod.metadata;
  return JSON.parse(
    JSON.stringify({
      metadata: {
        ...metadata,
        labels: without(labels, 'kubevirt.io/migrationJobUID'),
        annotations: without(annotations, 'kubevirt.io/migrationJobName'),
      },
      spec: {
        ...spec,
        containers: containers.map(comparableContainer),
        initContainers: initContainers
          .filter(({ restartPolicy }) => restartPolicy === 'Always')
          .map(comparableContainer),
        volumes: byName(volumes.filter(({ name }) => !HELPER_VOLUMES.includes(name))),
      },
    }),
  );
}

function comparableContainer({
  command: _command,
  args: _args,
  image: _image,
  ...container
}: Container): unknown {
  return {
    ...container,
    volumeMounts: byName(container.volumeMounts ?? []),
    env: byName(container.env ?? []),
    securityContext: {
      ...container.securityContext,
      capabilities: {
        add: container.securityContext?.capabilities?.add ?? [],
        drop: container.securityContext?.capabilities?.drop ?? [],
      },
    },
  };
}

function byName<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return list
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .filter((item, i, all) => !deepEqual(item, all[i - 1]));
}

function keyOf(item: { readonly name: string }): string {
  return `${item.name} ${JSON.stringify(item)}`;
}

function without(map: Readonly<Record<string, string>> | undefined, key: string): Record<string, string> {
  return Object.fromEntries(Object.entries(map ?? {}).filter(([name]) => name !== key));
}
