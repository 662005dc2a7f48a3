/**
 * The Pod Security Standards as data: every check, from which minor version of Kubernetes it applies and in
 * which form, and which checks of `baseline` a check of `restricted` takes the place of.
 */
import {
  forbiddenAppArmor,
  forbiddenSeccompAnnotations,
  forbiddenSeccomp,
  forbiddenSysctls,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  nonDefaultCapabilities,
  privilegedContainers,
  procMount,
  seLinuxOptions,
  windowsHostProcess,
} from './baseline.ts';
import { hasUserNamespace, isWindows, type PodLike } from './pod-parts.ts';
import {
  privilegeEscalation,
  restrictedVolumes,
  runAsNonRoot,
  runAsRoot,
  unrestrictedCapabilities,
  unsetSeccomp,
} from './restricted.ts';

/** A broken rule: what it is about, and what exactly breaks it. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type Check = (pod: PodLike) => Violation | undefined;

export interface StandardCheck {
  readonly id: string;
  readonly level: 'baseline' | 'restricted';
  /** Forms of the check; `since` is a minor version of Kubernetes, rising. */
  readonly versions: readonly { readonly since: number; readonly check: Check }[];
  /** The check of `baseline` that it replaces. */
  readonly replaces?: string;
}

/** The newest version whose standards are known: what `latest` and any later version mean. */
export const NEWEST_MINOR = 36;

const unless =
  (isExempt: (pod: PodLike) => boolean, check: Check): Check =>
  (pod) =>
    isExempt(pod) ? undefined : check(pod);

/** In the order in which violations are told. */
export const STANDARD_CHECKS: readonly StandardCheck[] = [
  { id: 'appArmorProfile', level: 'baseline', versions: [{ since: 0, check: forbiddenAppArmor }] },
  { id: 'capabilities_baseline', level: 'baseline', versions: [{ since: 0, check: nonDefaultCapabilities }] },
  { id: 'hostNamespaces', level: 'baseline', versions: [{ since: 0, check: hostNamespaces }] },
  { id: 'hostPathVolumes', level: 'baseline', versions: [{ since: 0, check: hostPathVolumes }] },
  { id: 'hostPorts', level: 'baseline', versions: [{ since: 0, check: hostPorts }] },
  { id: 'hostProbesAndHostLifecycle', level: 'baseline', versions: [{ since: 34, check: hostProbes }] },
  { id: 'privileged', level: 'baseline', versions: [{ since: 0, check: privilegedContainers }] },
  {
    id: 'procMount',
    level: 'baseline',
    versions: [
      { since: 0, check: procMount },
      { since: 35, check: unless(hasUserNamespace, procMount) },
    ],
  },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    versions: [
      { since: 0, check: seLinuxOptions(['container_t', 'container_init_t', 'container_kvm_t']) },
      {
        since: 31,
        check: seLinuxOptions(['container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']),
      },
    ],
  },
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [
      { since: 0, check: forbiddenSeccompAnnotations },
      { since: 19, check: forbiddenSeccomp },
    ],
  },
  {
    id: 'sysctls',
    level: 'baseline',
    versions: [0, 27, 29, 32].map((since) => ({ since, check: forbiddenSysctls(since) })),
  },
  { id: 'windowsHostProcess', level: 'baseline', versions: [{ since: 0, check: windowsHostProcess }] },
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [
      { since: 8, check: privilegeEscalation },
      { since: 25, check: unless(isWindows, privilegeEscalation) },
    ],
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    versions: [
      { since: 22, check: unrestrictedCapabilities },
      { since: 25, check: unless(isWindows, unrestrictedCapabilities) },
    ],
    replaces: 'capabilities_baseline',
  },
  {
    id: 'procMount_restricted',
    level: 'restricted',
    versions: [{ since: 35, check: procMount }],
    replaces: 'procMount',
  },
  {
    id: 'restrictedVolumes',
    level: 'restricted',
    versions: [{ since: 0, check: restrictedVolumes }],
    replaces: 'hostPathVolumes',
  },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    versions: [
      { since: 0, check: runAsNonRoot },
      { since: 35, check: unless(hasUserNamespace, runAsNonRoot) },
    ],
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    versions: [
      { since: 23, check: runAsRoot },
      { since: 35, check: unless(hasUserNamespace, runAsRoot) },
    ],
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    versions: [
      { since: 19, check: unsetSeccomp },
      { since: 25, check: unless(isWindows, unsetSeccomp) },
    ],
    replaces: 'seccompProfile_baseline',
  },
];
