/** virt-operator itself, as the manifests of `deploy/` have it, and the KubeVirt object to begin with. Pure. */
import { crds, type KubernetesObject, serviceAccounts } from '@podvisor/api';
import type { PolicyRule } from './component-rights.ts';
import type { Manifest } from './manifest.ts';
import { operatorClusterRules, operatorOwnRules, operatorSystemRules } from './operator-rights.ts';
import { apartFrom, imageOf, UNPRIVILEGED_CONTAINER, UNPRIVILEGED_POD } from './pod-template.ts';
import { clusterRole, clusterRoleBinding, RBAC_GROUP } from './rbac.ts';
import { KUBEVIRT_CRD } from './strategy.ts';

export interface OperatorSettings {
  readonly namespace: string;
  readonly registry: string;
  readonly tag: string;
  readonly replicas: number;
  readonly pullPolicy?: string;
}

const NAME = 'virt-operator';
const PORT = 8443;
const LABELS = { 'kubevirt.io': NAME };
const ACCOUNT = serviceAccounts.operator;

/** In the order in which they must exist. */
export function operatorObjects(settings: OperatorSettings): Manifest[] {
  const { namespace } = settings;
  const account: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: ACCOUNT, namespace, labels: LABELS },
  };
  const subject = { kind: 'ServiceAccount', name: ACCOUNT, namespace };
  const objects: KubernetesObject[] = [
    namespaceObject(namespace),
    ...crds.filter(({ metadata }) => metadata.name === KUBEVIRT_CRD),
    account,
    clusterRole(ACCOUNT, operatorClusterRules()),
    clusterRoleBinding(ACCOUNT, subject),
    ...role(namespace, operatorOwnRules(), subject),
    ...role('kube-system', operatorSystemRules(), subject),
    deployment(settings),
  ];
  return objects.map((object) => ({ ...object }));
}

/** Pods of virt-handler are privileged: the namespace says that they may be. */
function namespaceObject(name: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'kubevirt.io': '', 'pod-security.kubernetes.io/enforce': 'privileged' } },
  };
}

function role(namespace: string, rules: readonly PolicyRule[], subject: object): Manifest[] {
  const metadata = { name: ACCOUNT, namespace, labels: LABELS };
  return [
    { apiVersion: `${RBAC_GROUP}/v1`, kind: 'Role', metadata, rules },
    {
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name: ACCOUNT },
      subjects: [subject],
    },
  ];
}

function probe(path: string): object {
  return { httpGet: { scheme: 'HTTPS', port: PORT, path }, timeoutSeconds: 10 };
}

function deployment(settings: OperatorSettings): Manifest {
  const { namespace, replicas, pullPolicy = 'IfNotPresent' } = settings;
  const image = imageOf(settings, NAME);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace, labels: LABELS },
    spec: {
      replicas,
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: { ...LABELS, 'prometheus.kubevirt.io': 'true' } },
        spec: {
          serviceAccountName: ACCOUNT,
          securityContext: UNPRIVILEGED_POD,
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          affinity: apartFrom(NAME),
          tolerations: [
            { key: 'CriticalAddonsOnly', operator: 'Exists' },
            { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
          ],
          containers: [
            {
              name: NAME,
              image,
              imagePullPolicy: pullPolicy,
              args: [`--namespace=${namespace}`, `--metrics-listen=0.0.0.0:${PORT}`],
              // Whose image it is, the Pod says itself: kustomize and others change it there.
              env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
              resources: { requests: { cpu: '10m', memory: '150Mi' } },
              ports: [{ name: 'metrics', containerPort: PORT, protocol: 'TCP' }],
              // An API server that is away is no reason to start again.
              livenessProbe: { ...probe('/leader'), initialDelaySeconds: 15, periodSeconds: 10 },
              readinessProbe: { ...probe('/healthz'), initialDelaySeconds: 1, periodSeconds: 5 },
              securityContext: UNPRIVILEGED_CONTAINER,
            },
          ],
        },
      },
    },
  };
}

/** To begin with: software emulation only where somebody asks for it. */
export function kubevirtObject(namespace: string, useEmulation = false): Manifest {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace },
    spec: {
      configuration: useEmulation ? { developerConfiguration: { useEmulation } } : {},
      workloadUpdateStrategy: { workloadUpdateMethods: ['LiveMigrate'] },
    },
  };
}
