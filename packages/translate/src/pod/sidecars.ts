/** Containers beside compute: hook sidecars and the reader of the serial console log. */
import type { Container, PodVolume, VirtualMachineInstance } from '@podvisor/api';
import { annotations } from '@podvisor/api';
import { LauncherPodError, type LauncherPodOptions } from './options.ts';
import { mountPaths } from './paths.ts';
import { helperSecurity, isNonRoot, LAUNCHER_USER } from './security.ts';

/** A hook sidecar as the annotation lists it. */
interface HookSidecar {
  readonly image?: string;
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly configMap?: { readonly name: string; readonly key: string; readonly hookPath: string };
  readonly pvc?: { readonly name: string; readonly volumePath: string; readonly sharedComputePath?: string };
}

/** What sidecars add to the Pod. */
export interface Sidecars {
  readonly containers: readonly Container[];
  readonly initContainers: readonly Container[];
  readonly volumes: readonly PodVolume[];
}

/** All sidecars. Throws LauncherPodError when the annotation cannot be read. */
export function sidecarsOf(vmi: VirtualMachineInstance, options: LauncherPodOptions): Sidecars {
  const hooks = hookSidecars(vmi);
  return {
    containers: hooks.map((hook, index) => hookContainer(hook, index, vmi, options)),
    initContainers: consoleLog(vmi, options),
    volumes: hooks.flatMap(hookVolumes),
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

function hookContainer(
  hook: HookSidecar,
  index: number,
  vmi: VirtualMachineInstance,
  { config }: LauncherPodOptions,
): Container {
  const name = `hook-sidecar-${index}`;
  const type = config.configuration.selinuxLauncherType;
  const workaround = config.gates.has('DockerSELinuxMCSWorkaround') && type;
  return {
    name,
    ...(hook.image === undefined ? {} : { image: hook.image }),
    ...(hook.imagePullPolicy === undefined ? {} : { imagePullPolicy: hook.imagePullPolicy }),
    ...(hook.command === undefined ? {} : { command: hook.command }),
    ...(hook.args === undefined ? {} : { args: hook.args }),
    env: [{ name: 'CONTAINER_NAME', value: name }],
    resources: {},
    volumeMounts: [
      { name: 'hook-sidecar-sockets', mountPath: mountPaths.hooks, subPath: name },
      ...(hook.configMap === undefined
        ? []
        : [{ name: hook.configMap.name, mountPath: hook.configMap.hookPath, subPath: hook.configMap.key }]),
      ...(hook.pvc === undefined ? [] : [{ name: hook.pvc.name, mountPath: hook.pvc.volumePath }]),
    ],
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: {
      ...(isNonRoot(vmi)
        ? {
            runAsUser: LAUNCHER_USER,
            runAsGroup: LAUNCHER_USER,
            runAsNonRoot: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          }
        : { runAsUser: 0, runAsNonRoot: false }),
      ...(workaround ? { seLinuxOptions: { type, level: 's0' } } : {}),
    },
  };
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

/** Prints the serial console log, so that `kubectl logs` shows what the guest says. */
function consoleLog(vmi: VirtualMachineInstance, options: LauncherPodOptions): readonly Container[] {
  const { autoattachSerialConsole, logSerialConsole } = vmi.spec.domain.devices;
  const wanted = logSerialConsole ?? !options.config.serialConsoleLogDisabled;
  if (autoattachSerialConsole === false || !wanted) return [];
  return [
    {
      name: 'guest-console-log',
      image: options.launcherImage,
      command: ['/usr/lib/podvisor/virt-tail'],
      args: ['--logfile', `${mountPaths.private}/${vmi.metadata?.uid ?? ''}/virt-serial0-log`],
      env: [{ name: 'VIRT_LAUNCHER_LOG_VERBOSITY', value: '2' }],
      resources: { limits: { cpu: '15m', memory: '60M' }, requests: { cpu: '5m', memory: '35M' } },
      restartPolicy: 'Always',
      volumeMounts: [{ name: 'private', mountPath: mountPaths.private, readOnly: true }],
      imagePullPolicy: imagePullPolicy(options),
      securityContext: helperSecurity,
    },
  ];
}

/** The cluster's pull policy, for containers that run the launcher image. */
export function imagePullPolicy({ config }: LauncherPodOptions): 'Always' | 'IfNotPresent' | 'Never' {
  const policy = config.imagePullPolicy;
  return policy === 'Always' || policy === 'Never' ? policy : 'IfNotPresent';
}
