/** What the Pods of all components have in common. Pure. */
import type { NodePlacement } from '@podvisor/api';
import type { PodComponents } from './settings.ts';

export type ImageName =
  | 'virt-api'
  | 'virt-controller'
  | 'virt-handler'
  | 'virt-importer'
  | 'virt-launcher'
  | 'virt-operator'
  | 'virt-ui';

export function imageOf({ registry, tag }: Pick<PodComponents, 'registry' | 'tag'>, name: ImageName): string {
  return `${registry}/${name}:${tag}`;
}

/** `{a: 'b', c: ''}` → `--a=b --c`, in the order of the names. */
export function flagsOf(flags: Readonly<Record<string, string>> | undefined): string[] {
  return Object.entries(flags ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`));
}

/** Nobody in particular: images of the control plane have no user of their own. */
const USER = 1001;

/** A container that holds no privilege and writes nowhere. */
export const UNPRIVILEGED_CONTAINER = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

export const UNPRIVILEGED_POD = { runAsNonRoot: true, runAsUser: USER, runAsGroup: USER, fsGroup: USER };

export interface Template {
  readonly name: string;
  readonly serviceAccount: string;
  readonly placement: NodePlacement;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The template, with its selector label. */
export function podTemplate(
  components: PodComponents,
  { name, serviceAccount, placement, spec }: Template,
): object {
  const labels = { 'kubevirt.io': name, 'prometheus.kubevirt.io': 'true' };
  const { pullSecrets } = components;
  const { affinity = {}, nodeSelector, tolerations = [] } = placement;
  return {
    metadata: { labels, annotations: { 'kubevirt.io/install-strategy-version': components.tag } },
    spec: {
      serviceAccountName: serviceAccount,
      priorityClassName: 'kubevirt-cluster-critical',
      ...(pullSecrets.length === 0 ? {} : { imagePullSecrets: pullSecrets }),
      nodeSelector: { 'kubernetes.io/os': 'linux', ...nodeSelector },
      affinity: { ...apartFrom(name), ...affinity },
      tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }, ...tolerations],
      ...(components.userNamespaces && spec['securityContext'] === UNPRIVILEGED_POD
        ? { hostUsers: false }
        : {}),
      ...spec,
    },
  };
}

/** Replicas of a component avoid each other's nodes. */
export function apartFrom(name: string): object {
  const apart = {
    podAffinityTerm: {
      labelSelector: { matchLabels: { 'kubevirt.io': name } },
      topologyKey: 'kubernetes.io/hostname',
    },
    weight: 1,
  };
  return { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [apart] } };
}

/** Leaves and CAs as the files that a component reads; the kubelet brings new ones. */
export function certificateVolume(secrets: Readonly<Record<string, string>>): object {
  return {
    name: 'certificates',
    projected: {
      defaultMode: 0o440,
      sources: [
        ...Object.entries(secrets).map(([file, name]) => ({
          secret: {
            name,
            items: [
              { key: 'tls.crt', path: `${file}.crt` },
              { key: 'tls.key', path: `${file}.key` },
            ],
          },
        })),
        { configMap: { name: 'kubevirt-ca', items: [{ key: 'ca-bundle', path: 'ca.crt' }] } },
      ],
    },
  };
}

export const CERTIFICATES_MOUNT = {
  name: 'certificates',
  mountPath: '/etc/podvisor/tls',
  readOnly: true,
};
