/**
 * VMI → launcher Pod. Every client-visible part is KubeVirt's: labels, annotations, resources, selectors, volumes,
 * security context, probes. Command line and image are ours.
 */
import {
  annotations,
  type Container,
  type LocalObjectReference,
  type Pod,
  unpausedReadinessGate,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { affinityOf } from './affinity.ts';
import { gracePeriodSeconds, launcherCommand } from './command.ts';
import { consoleLogContainers } from './console-log.ts';
import { containerDiskContainers, containerDiskInitContainers } from './volumes/container-disks.ts';
import { environmentOf } from './environment.ts';
import { memoryOverheadBytes } from './resources/memory-overhead.ts';
import { podMetadata } from './metadata.ts';
import { hostnameOf } from './names.ts';
import { nodeSelectorOf } from './node-selector.ts';
import { imagePullPolicy, type LauncherPodOptions } from './options.ts';
import { podvisorOverhead } from './resources/overhead-tables.ts';
import { podProbe } from './probes.ts';
import { computeResources } from './resources/resources.ts';
import { networkOverheadBytes } from './networks/network-overhead.ts';
import { computeSecurity, podSecurity, withoutCategories } from './security.ts';
import { sidecarsOf } from './sidecars.ts';
import { virtiofsContainers } from './volumes/virtiofs.ts';
import { podVolumes } from './volumes/volumes.ts';

/** Beyond the guest's grace period: for the launcher, and for the kubelet to clean up. */
const POD_GRACE_SECONDS = 30;

/** The launcher Pod of a VMI. Throws LauncherPodError. */
export function renderLauncherPod(vmi: VirtualMachineInstance, options: LauncherPodOptions): Pod {
  const { spec } = vmi;
  const overheadBytes =
    memoryOverheadBytes(spec, {
      table: options.overheadTable ?? podvisorOverhead,
      architecture: spec.architecture ?? options.config.defaultArchitecture,
      emulated: options.config.useEmulation,
      ratio: options.config.configuration.additionalGuestMemoryOverheadRatio,
    }) + networkOverheadBytes(spec, options.config);
  const { volumes, mounts, devices } = podVolumes(vmi, options);
  const sidecars = sidecarsOf(vmi, options);
  const affinity = affinityOf(vmi, options);
  const runtimeClassName = options.config.configuration.defaultRuntimeClass;
  const serviceAccount = spec.volumes?.find((volume) => volume.serviceAccount !== undefined)?.serviceAccount;
  const accountName = spec.serviceAccountName || serviceAccount?.serviceAccountName;
  const initContainers = [
    ...consoleLogContainers(vmi, options),
    ...containerDiskInitContainers(vmi, options),
  ];
  const helpers = [
    ...containerDiskContainers(vmi, options),
    ...virtiofsContainers(vmi, options),
    ...sidecars.containers,
  ];
  const compute: Container = {
    name: 'compute',
    image: options.launcherImage,
    imagePullPolicy: imagePullPolicy(options),
    command: launcherCommand(vmi, sidecars.containers.length, options),
    env: environmentOf(vmi, options),
    resources: computeResources(vmi, overheadBytes, options),
    ...portsOf(vmi),
    volumeMounts: [...mounts, ...sidecars.computeMounts],
    ...(devices.length === 0 ? {} : { volumeDevices: devices }),
    ...probes(vmi),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: computeSecurity(vmi),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: podMetadata(vmi, overheadBytes, options),
    spec: {
      hostname: hostnameOf(vmi),
      ...(spec.subdomain ? { subdomain: spec.subdomain } : {}),
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: gracePeriodSeconds(vmi) + POD_GRACE_SECONDS,
      enableServiceLinks: false,
      automountServiceAccountToken: serviceAccount !== undefined || hasMeshProxy(vmi),
      ...(accountName ? { serviceAccountName: accountName } : {}),
      securityContext: podSecurity(vmi, options),
      ...(initContainers.length === 0 ? {} : { initContainers }),
      containers: [compute, ...withoutCategories(helpers, options)],
      volumes: [...volumes, ...sidecars.volumes],
      nodeSelector: nodeSelectorOf(vmi, options),
      ...(affinity === undefined ? {} : { affinity }),
      readinessGates: [{ conditionType: unpausedReadinessGate }],
      ...pullSecrets(vmi, options),
      ...(runtimeClassName ? { runtimeClassName } : {}),
      ...passedOn(vmi),
    },
  };
}

/** The proxy that a service mesh puts into the Pod speaks to its control plane as the Pod. */
function hasMeshProxy({ metadata }: VirtualMachineInstance): boolean {
  return metadata?.annotations?.[annotations.istioInject]?.toLowerCase() === 'true';
}

/** Fields of the VMI that mean for the Pod what they mean for the VM. */
function passedOn({ spec }: VirtualMachineInstance): Partial<Pod['spec']> {
  return {
    ...(spec.schedulerName ? { schedulerName: spec.schedulerName } : {}),
    ...(spec.tolerations === undefined ? {} : { tolerations: spec.tolerations }),
    ...(spec.topologySpreadConstraints === undefined
      ? {}
      : { topologySpreadConstraints: spec.topologySpreadConstraints }),
    ...(spec.priorityClassName ? { priorityClassName: spec.priorityClassName } : {}),
    ...(spec.dnsPolicy ? { dnsPolicy: spec.dnsPolicy } : {}),
    ...(spec.dnsConfig === undefined ? {} : { dnsConfig: spec.dnsConfig }),
    ...(spec.resourceClaims === undefined ? {} : { resourceClaims: spec.resourceClaims }),
  };
}

function portsOf({ spec }: VirtualMachineInstance): Pick<Container, 'ports'> {
  const ports = (spec.domain.devices.interfaces ?? []).flatMap((nic) => nic.ports ?? []);
  if (ports.length === 0) return {};
  return {
    ports: ports.map(({ name, port, protocol }) => ({
      ...(name ? { name } : {}),
      containerPort: port,
      protocol: protocol || 'TCP',
    })),
  };
}

function probes(vmi: VirtualMachineInstance): Pick<Container, 'livenessProbe' | 'readinessProbe'> {
  const liveness = podProbe(vmi, vmi.spec.livenessProbe);
  const readiness = podProbe(vmi, vmi.spec.readinessProbe);
  return {
    ...(liveness === undefined ? {} : { livenessProbe: liveness }),
    ...(readiness === undefined ? {} : { readinessProbe: readiness }),
  };
}

/** Secrets of every image that the VM brings and of the cluster, each once. */
function pullSecrets(
  { spec }: VirtualMachineInstance,
  options: LauncherPodOptions,
): { readonly imagePullSecrets?: readonly LocalObjectReference[] } {
  const names = [
    ...(spec.volumes ?? []).map(({ containerDisk }) => containerDisk?.imagePullSecret),
    spec.domain.firmware?.kernelBoot?.container?.imagePullSecret,
    ...(options.imagePullSecrets ?? []).map(({ name }) => name),
  ].filter((name): name is string => Boolean(name));
  return names.length === 0 ? {} : { imagePullSecrets: [...new Set(names)].map((name) => ({ name })) };
}
