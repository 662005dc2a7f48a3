/** What a fresh cluster holds: the system namespaces, default roles, and how extension servers trust us. */
import type { JsonObject } from '../wire/json.ts';
import { defaultRoles } from './roles.ts';

export interface BootstrapOptions {
  readonly frontProxyCa: string;
  readonly clientCa: string;
}

/** Objects that are made at start when they are missing. */
export function bootstrapObjects({ frontProxyCa, clientCa }: BootstrapOptions): JsonObject[] {
  const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }));
  return [
    ...namespaces,
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
      data: {
        'client-ca-file': clientCa,
        'requestheader-allowed-names': '["front-proxy-client"]',
        'requestheader-client-ca-file': frontProxyCa,
        'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
        'requestheader-group-headers': '["X-Remote-Group"]',
        'requestheader-uid-headers': '["X-Remote-Uid"]',
        'requestheader-username-headers': '["X-Remote-User"]',
      },
    },
    ...defaultRoles(),
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'system-cluster-critical' },
      value: 2000000000,
      description: 'For Pods that the cluster cannot work without, on any node.',
    },
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'system-node-critical' },
      value: 2000001000,
      description: 'For Pods that their node cannot work without.',
    },
  ];
}
