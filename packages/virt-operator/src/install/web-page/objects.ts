/**
 * The web page: a Deployment, its Service and an account that may do nothing. Its Pod has no token: it asks the API
 * server with that of whoever uses the page, and knows the server by the CA that every namespace has. Pure.
 */
import { webPageAccount } from '@podvisor/api';
import { SECRETS } from '../../certificates/names.ts';
import type { Manifest } from '../manifest.ts';
import {
  CERTIFICATES_MOUNT,
  certificateVolume,
  imageOf,
  podTemplate,
  UNPRIVILEGED_CONTAINER,
  UNPRIVILEGED_POD,
} from '../pod-template.ts';
import type { PodComponents } from '../settings.ts';

const NAME = 'virt-ui';
const PORT = 8443;
const LABELS = { 'kubevirt.io': NAME };
const API_MOUNT = { name: 'api-server', mountPath: '/etc/podvisor/api-server', readOnly: true };

export function webPageObjects(namespace: string, components: PodComponents): Manifest[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: webPageAccount, namespace, labels: LABELS },
      automountServiceAccountToken: false,
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: NAME, namespace, labels: LABELS },
      spec: {
        type: 'ClusterIP',
        selector: LABELS,
        ports: [{ name: 'https', port: 443, targetPort: PORT, protocol: 'TCP' }],
      },
    },
    deployment(namespace, components),
  ];
}

function deployment(namespace: string, components: PodComponents): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace, labels: LABELS },
    spec: {
      // Sessions are sealed with a key that only this process has: with another replica they would not be known.
      replicas: 1,
      selector: { matchLabels: LABELS },
      template: podTemplate(components, {
        name: NAME,
        serviceAccount: webPageAccount,
        placement: components.infraPlacement,
        spec: {
          securityContext: UNPRIVILEGED_POD,
          automountServiceAccountToken: false,
          volumes: [certificateVolume({ server: SECRETS.webPage }), apiServerVolume()],
          containers: [
            {
              name: NAME,
              image: imageOf(components, NAME),
              imagePullPolicy: components.pullPolicy,
              args: [
                `--listen=0.0.0.0:${PORT}`,
                `--tls-dir=${CERTIFICATES_MOUNT.mountPath}`,
                `--api-server-ca=${API_MOUNT.mountPath}/ca.crt`,
              ],
              ports: [{ name: 'https', containerPort: PORT, protocol: 'TCP' }],
              resources: { requests: { cpu: '5m', memory: '60Mi' } },
              securityContext: UNPRIVILEGED_CONTAINER,
              readinessProbe: {
                httpGet: { scheme: 'HTTPS', port: PORT, path: '/' },
                initialDelaySeconds: 1,
                periodSeconds: 5,
              },
              volumeMounts: [CERTIFICATES_MOUNT, API_MOUNT],
            },
          ],
        },
      }),
    },
  };
}

/** Every namespace has this ConfigMap; of an account's own volume it is the part that proves nothing about us. */
function apiServerVolume(): object {
  return {
    name: API_MOUNT.name,
    configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] },
  };
}
