/** virt-api and virt-controller as Deployments, and the budgets that keep one of them during a drain. Pure. */
import { serviceAccounts } from '@podvisor/api';
import { HIBERNATION_KEY } from './hibernation-key.ts';
import type { Manifest } from './manifest.ts';
import {
  CERTIFICATES_MOUNT,
  certificateVolume,
  flagsOf,
  imageOf,
  podTemplate,
  UNPRIVILEGED_CONTAINER,
  UNPRIVILEGED_POD,
} from './pod-template.ts';
import { SECRETS } from '../certificates/names.ts';
import type { PodComponents } from './settings.ts';

const PORT = 8443;
/** Read by virt-api alone, which gives each node the keys of its own guests' states. */
const STATE_KEY = { name: 'hibernation-key', mountPath: '/etc/podvisor/hibernation', readOnly: true };

export function deployments(namespace: string, components: PodComponents): Manifest[] {
  return [virtApi(namespace, components), virtController(namespace, components)];
}

function virtApi(namespace: string, components: PodComponents): Manifest {
  const args = [
    '--listen=0.0.0.0:8443',
    `--namespace=${namespace}`,
    `--tls-dir=${CERTIFICATES_MOUNT.mountPath}`,
    // Nodes and API servers hear a moment later that a Pod has ended; webhooks must not fail meanwhile.
    '--leave-seconds=5',
    `--state-key-file=${STATE_KEY.mountPath}/${HIBERNATION_KEY.file}`,
    ...flagsOf(components.flags.api),
  ];
  return deployment(namespace, components, {
    name: 'virt-api',
    account: serviceAccounts.api,
    args,
    memory: '150Mi',
    secrets: { server: SECRETS.virtApi, client: SECRETS.virtApiClient },
    // Made before this; without it a guest can do everything but hibernate in secret.
    volume: {
      name: STATE_KEY.name,
      secret: { secretName: HIBERNATION_KEY.secret, optional: true, defaultMode: 0o440 },
    },
    mount: STATE_KEY,
    readiness: '/readyz',
  });
}

function virtController(namespace: string, components: PodComponents): Manifest {
  const args = [
    `--namespace=${namespace}`,
    `--launcher-image=${imageOf(components, 'virt-launcher')}`,
    '--metrics-listen=0.0.0.0:8443',
    '--with-operator',
    `--tls-dir=${CERTIFICATES_MOUNT.mountPath}`,
    ...flagsOf(components.flags.controller),
  ];
  return deployment(namespace, components, {
    name: 'virt-controller',
    account: serviceAccounts.controller,
    args,
    memory: '200Mi',
    secrets: { server: SECRETS.controller },
    readiness: '/leader',
  });
}

interface Component {
  readonly name: 'virt-api' | 'virt-controller';
  readonly account: string;
  readonly args: readonly string[];
  readonly memory: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** Besides certificates. */
  readonly volume?: object;
  readonly mount?: object;
  readonly readiness: string;
}

function deployment(namespace: string, components: PodComponents, component: Component): Manifest {
  const { name, account, args, memory, secrets, volume, mount, readiness } = component;
  const probe = (path: string): object => ({
    httpGet: { scheme: 'HTTPS', port: PORT, path },
    timeoutSeconds: 10,
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { 'kubevirt.io': name } },
    spec: {
      replicas: components.replicas,
      // Never fewer than there were: an update under load refuses no request.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: { 'kubevirt.io': name } },
      template: podTemplate(components, {
        name,
        serviceAccount: account,
        placement: components.infraPlacement,
        spec: {
          securityContext: UNPRIVILEGED_POD,
          volumes: [certificateVolume(secrets), ...(volume === undefined ? [] : [volume])],
          containers: [
            {
              name,
              image: imageOf(components, name),
              imagePullPolicy: components.pullPolicy,
              args,
              ports: [{ name: 'metrics', containerPort: PORT, protocol: 'TCP' }],
              resources: { requests: { cpu: '10m', memory } },
              securityContext: UNPRIVILEGED_CONTAINER,
              livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 15, periodSeconds: 10 },
              readinessProbe: { ...probe(readiness), initialDelaySeconds: 1, periodSeconds: 5 },
              volumeMounts: [CERTIFICATES_MOUNT, ...(mount === undefined ? [] : [mount])],
            },
          ],
        },
      }),
    },
  };
}

/** None for a single replica: it would only hold up a drain. */
export function budgets(namespace: string, { replicas }: PodComponents): Manifest[] {
  if (replicas < 2) return [];
  return ['virt-api', 'virt-controller'].map((name) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: `${name}-pdb`, namespace, labels: { 'kubevirt.io': name } },
    spec: { minAvailable: replicas - 1, selector: { matchLabels: { 'kubevirt.io': name } } },
  }));
}
