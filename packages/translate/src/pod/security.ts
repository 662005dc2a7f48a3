/** Who the launcher runs as, and what it may do. */
import type {
  Container,
  PodSecurityContext,
  SecurityContext,
  SeccompProfile,
  VirtualMachineInstance,
} from '@podvisor/api';
import type { LauncherPodOptions } from './options.ts';

/** uid and gid of the launcher and of QEMU. */
export const LAUNCHER_USER = 107;

/** The launcher runs unprivileged unless the VMI was admitted as a root one. */
export function isNonRoot(vmi: VirtualMachineInstance): boolean {
  return vmi.status?.runtimeUser !== 0 || 'kubevirt.io/nonroot' in (vmi.metadata?.annotations ?? {});
}

/** Security context of the Pod. */
export function podSecurity(vmi: VirtualMachineInstance, options: LauncherPodOptions): PodSecurityContext {
  const seccompProfile = seccompOf(vmi, options);
  const type = options.config.configuration.selinuxLauncherType;
  const level = options.migrationTarget?.seLinuxLevel;
  const seLinuxOptions = { ...(type ? { type } : {}), ...(level ? { level } : {}) };
  return {
    ...(isNonRoot(vmi)
      ? { runAsUser: LAUNCHER_USER, runAsGroup: LAUNCHER_USER, runAsNonRoot: true }
      : { runAsUser: 0 }),
    fsGroup: LAUNCHER_USER,
    ...(seccompProfile === undefined ? {} : { seccompProfile }),
    ...(Object.keys(seLinuxOptions).length === 0 ? {} : { seLinuxOptions }),
  };
}

/** Security context of the compute container. */
export function computeSecurity(vmi: VirtualMachineInstance): SecurityContext {
  if (isNonRoot(vmi)) {
    return {
      runAsUser: LAUNCHER_USER,
      runAsGroup: LAUNCHER_USER,
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
    };
  }
  return { runAsUser: 0, runAsNonRoot: false, capabilities: { add: ['NET_BIND_SERVICE', 'SYS_NICE'] } };
}

/** Security context of containers that only help: no capability at all. */
export const helperSecurity: SecurityContext = {
  runAsUser: LAUNCHER_USER,
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
};

/**
 * On Docker with SELinux, containers of one Pod may not talk to each other; where the cluster says so, all but
 * compute run without categories.
 */
export function withoutCategories(
  containers: readonly Container[],
  { config }: LauncherPodOptions,
): readonly Container[] {
  if (!config.gates.has('DockerSELinuxMCSWorkaround')) return containers;
  const type = config.configuration.selinuxLauncherType;
  return containers.map((container) => ({
    ...container,
    securityContext: {
      ...container.securityContext,
      seLinuxOptions: { ...(type ? { type } : {}), level: 's0' },
    },
  }));
}

function seccompOf(
  { spec }: VirtualMachineInstance,
  { config, passtSeccompProfile, runtimeDefaultSeccomp }: LauncherPodOptions,
): SeccompProfile | undefined {
  const profile = config.configuration.seccompConfiguration?.virtualMachineInstanceProfile?.customProfile;
  if (profile?.localhostProfile) return { type: 'Localhost', localhostProfile: profile.localhostProfile };
  const hasPasst = spec.domain.devices.interfaces?.some((nic) => nic.passtBinding !== undefined) === true;
  if (hasPasst && passtSeccompProfile !== undefined)
    return { type: 'Localhost', localhostProfile: passtSeccompProfile };
  return profile?.runtimeDefaultProfile || runtimeDefaultSeccomp ? { type: 'RuntimeDefault' } : undefined;
}
