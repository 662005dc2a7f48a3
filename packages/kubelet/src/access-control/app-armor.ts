/** AppArmor of containers: what a Pod asks for, what this node can do. Pure. */
import { type AppArmorProfile, type Container, labels as labelNames, type Pod } from '@podvisor/api';
import { EMBEDDED_IMAGE_GRANT, PASST_SECCOMP_PROFILE, VIRTIOFS_SECCOMP_PROFILE } from '@podvisor/sys';
import type { Refusal } from '../pod/admission.ts';
import { allContainers } from '../pod/types.ts';

/** Profiles that the kubelet brings (app-armor-profiles.ts). */
export const DEFAULT_PROFILE = 'podvisor-default';
export const LAUNCHER_PROFILE = 'podvisor-launcher';
/** For programs of ours that make themselves a root directory in a user namespace: passt, virtiofsd. */
export const LAUNCHER_SANDBOX_PROFILE = 'podvisor-launcher-sandbox';

/** Undefined: the kernel has no AppArmor, or it is switched off. */
export interface AppArmorHost {
  /** Names of the profiles that are loaded. */
  readonly loaded: ReadonlySet<string>;
}

/** Why this node cannot keep what the Pod asks of AppArmor, in the words of kubelets; undefined: it can. */
export function appArmorRefusal(pod: Pod, host: AppArmorHost | undefined): Refusal | undefined {
  const asked = allContainers(pod).flatMap((container) => askedProfile(pod, container) ?? []);
  if (asked.every(({ type }) => type === 'Unconfined')) return undefined;
  const refuse = (why: string): Refusal => ({
    reason: 'AppArmor',
    message: `Pod was rejected: Cannot enforce AppArmor: ${why}`,
  });
  if (host === undefined) return refuse('AppArmor is not enabled on the host');
  for (const { type, localhostProfile = '' } of asked) {
    if (type !== 'Localhost') continue;
    if (localhostProfile.trim() === '') return refuse('invalid empty AppArmor profile name');
    if (!host.loaded.has(localhostProfile)) return refuse(`profile "${localhostProfile}" is not loaded`);
  }
  return undefined;
}

/** The profile that the container runs under; undefined: none. */
export function appArmorProfile(
  pod: Pod,
  container: Container,
  host: AppArmorHost | undefined,
): string | undefined {
  if (host === undefined) return undefined;
  const asked = askedProfile(pod, container);
  if (asked?.type === 'Unconfined') return undefined;
  if (asked?.type === 'Localhost') return asked.localhostProfile;
  if (asked === undefined && container.securityContext?.privileged === true) return undefined;
  const own = ownProfile(pod, container);
  // Where the profiles could not be loaded, who asked for none runs without; who asked was promised one.
  return asked !== undefined || host.loaded.has(own) ? own : undefined;
}

function askedProfile(pod: Pod, container: Container): AppArmorProfile | undefined {
  return container.securityContext?.appArmorProfile ?? pod.spec.securityContext?.appArmorProfile;
}

function ownProfile(pod: Pod, container: Container): string {
  const { labels, annotations } = pod.metadata;
  const isLauncher =
    labels?.[labelNames.app] === 'virt-launcher' && annotations?.[EMBEDDED_IMAGE_GRANT] !== undefined;
  if (!isLauncher) return DEFAULT_PROFILE;
  const seccomp = container.securityContext?.seccompProfile ?? pod.spec.securityContext?.seccompProfile;
  const isSandbox = [PASST_SECCOMP_PROFILE, VIRTIOFS_SECCOMP_PROFILE].includes(
    seccomp?.localhostProfile ?? '',
  );
  return isSandbox ? LAUNCHER_SANDBOX_PROFILE : LAUNCHER_PROFILE;
}
