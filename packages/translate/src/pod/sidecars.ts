/** Hook sidecars: containers that may edit the domain, asked for by annotation or by a network binding plugin. */
import { memberOf } from '@podvisor/base';
import type {
  Container,
  KubeVirtConfiguration,
  PodResources,
  PodVolume,
  VirtualMachineInstance,
  VolumeMount,
} from '@podvisor/api';
import { annotations } from '@podvisor/api';
import { isGuaranteed } from './resources/memory-overhead.ts';
import { LauncherPodError, type LauncherPodOptions } from './options.ts';
import { userDirectories } from './environment.ts';
import { mountPaths } from './mount-paths.ts';
import { isNonRoot, LAUNCHER_USER } from './security.ts';
import { supportResources } from './resources/support-resources.ts';

const SOCKETS = 'hook-sidecar-sockets';

/** A hook sidecar as the annotation lists it. */
interface HookSidecar {
  readonly image?: string;
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly configMap?: { readonly name: string; readonly key: string; readonly hookPath: string };
  readonly pvc?: { readonly name: string; readonly volumePath: string; readonly sharedComputePath?: string };
  /** Set when a network binding plugin brings it. */
  readonly bindingPlugin?: string;
  /** It reads which device belongs to which network. */
  readonly readsDeviceInfo?: boolean;
}

/** What sidecars add to the Pod. */
export interface Sidecars {
  readonly containers: readonly Container[];
  readonly volumes: readonly PodVolume[];
  /** Mounts in the compute container. */
  readonly computeMounts: readonly VolumeMount[];
}

/** All sidecars. Throws LauncherPodError when the annotation cannot be read. */
export function sidecarsOf(vmi: VirtualMachineInstance, options: LauncherPodOptions): Sidecars {
  const hooks = [...hookSidecars(vmi), ...bindingSidecars(vmi, options)];
  if (hooks.length === 0) return { containers: [], volumes: [], computeMounts: [] };
  return {
    containers: hooks.map((hook, index) => hookContainer(hook, index, vmi, options)),
    volumes: [{ name: SOCKETS, emptyDir: {} }, ...hooks.flatMap(hookVolumes)],
    computeMounts: [
      { name: SOCKETS, mountPath: mountPaths.hooks },
      ...hooks.flatMap(({ pvc }) =>
        pvc?.sharedComputePath ? [{ name: pvc.name, mountPath: pvc.sharedComputePath }] : [],
      ),
    ],
  };
}

function hookSidecars(vmi: VirtualMachineInstance): readonly HookSidecar[] {
  const text = vmi.metadata?.annotations?.[annotations.hookSidecars];
  if (text === undefined) return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new LauncherPodError('invalid', `annotation ${annotations.hookSidecars} is not JSON`);
  }
  if (
    !Array.isArray(list) ||
    !list.every((item): item is HookSidecar => typeof item === 'object' && item !== null)
  ) {
    throw new LauncherPodError('invalid', `annotation ${annotations.hookSidecars} is not a list of sidecars`);
  }
  return list;
}

/** One for each plugin that has an image and serves an interface of the VMI. */
function bindingSidecars(
  { spec }: VirtualMachineInstance,
  { config }: LauncherPodOptions,
): readonly HookSidecar[] {
  const names = (spec.domain.devices.interfaces ?? []).flatMap(({ binding }) => binding?.name ?? []);
  return [...new Set(names)].flatMap((name) => {
    const plugin = memberOf(config.networkBindings, name);
    if (!plugin?.sidecarImage) return [];
    return [
      {
        image: plugin.sidecarImage,
        bindingPlugin: name,
        readsDeviceInfo: plugin.downwardAPI === 'device-info',
      },
    ];
  });
}

function hookContainer(
  hook: HookSidecar,
  index: number,
  vmi: VirtualMachineInstance,
  { config }: LauncherPodOptions,
): Container {
  const name = `hook-sidecar-${index}`;
  return {
    name,
    ...(hook.image ? { image: hook.image } : {}),
    ...(hook.imagePullPolicy === undefined ? {} : { imagePullPolicy: hook.imagePullPolicy }),
    ...(hook.command === undefined ? {} : { command: hook.command }),
    ...(hook.args === undefined ? {} : { args: hook.args }),
    env: [
      { name: 'CONTAINER_NAME', value: name },
      ...(hook.bindingPlugin === undefined
        ? []
        : [{ name: 'NETWORK_BINDING_PLUGIN_NAME', value: hook.bindingPlugin }]),
      ...userDirectories(vmi),
    ],
    resources: hookResources(vmi, config.configuration),
    volumeMounts: [
      { name: SOCKETS, mountPath: mountPaths.hooks, subPath: name },
      ...(hook.readsDeviceInfo ? [{ name: 'network-info-annotation', mountPath: mountPaths.podInfo }] : []),
      ...(hook.configMap === undefined
        ? []
        : [{ name: hook.configMap.name, mountPath: hook.configMap.hookPath, subPath: hook.configMap.key }]),
      ...(hook.pvc === undefined ? [] : [{ name: hook.pvc.name, mountPath: hook.pvc.volumePath }]),
    ],
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: isNonRoot(vmi)
      ? {
          runAsUser: LAUNCHER_USER,
          runAsGroup: LAUNCHER_USER,
          runAsNonRoot: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        }
      : { runAsUser: 0, runAsNonRoot: false },
  };
}

/** What the cluster says; a Guaranteed Pod needs limits on every container. */
function hookResources(vmi: VirtualMachineInstance, configuration: KubeVirtConfiguration): PodResources {
  const own = supportResources(configuration, 'sidecar');
  if (!isGuaranteed(vmi.spec)) return own;
  const limits = { cpu: '200m', memory: '64M', ...own.limits };
  return { limits, requests: limits };
}

function hookVolumes(hook: HookSidecar): readonly PodVolume[] {
  return [
    ...(hook.configMap === undefined
      ? []
      : [{ name: hook.configMap.name, configMap: { name: hook.configMap.name, defaultMode: 0o755 } }]),
    ...(hook.pvc === undefined
      ? []
      : [{ name: hook.pvc.name, persistentVolumeClaim: { claimName: hook.pvc.name } }]),
  ];
}
