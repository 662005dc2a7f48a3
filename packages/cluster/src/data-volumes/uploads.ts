/** Starts the server that takes uploads, and says what makes it known: an APIService and the status of CDIConfig. */
import { readFileSync } from 'node:fs';
import { isOwnedBy, type KubernetesObject, ownerKinds } from '@podvisor/api';
import { type Clock, StatusError } from '@podvisor/base';
import { startUploadProxy, UPLOAD_GROUP, uploadKey, UploadTokens, workerName } from '@podvisor/data-volumes';
import { defineResource, type KubeClient, type Log, resources, type SharedInformers } from '@podvisor/kube';
import { type InstancePaths, readJson, writeJson } from '@podvisor/sys';
import { base64, type Manifest } from '@podvisor/virt-operator';
import type { NodeProxy } from '@podvisor/home-contract';
import { STORES_NOTHING } from '@podvisor/workload-controllers';
import type { Pki } from '../pki-bootstrap/ensure-pki.ts';
import { NAMESPACE } from '../pki-bootstrap/identities.ts';

export interface UploadsOptions {
  readonly paths: InstancePaths;
  readonly pki: Pki;
  readonly informers: SharedInformers;
  readonly nodeProxy: NodeProxy;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Uploads {
  readonly objects: readonly Manifest[];
  /** Writes where uploads go to into CDIConfig. */
  announce(client: KubeClient, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const configs = defineResource<KubernetesObject>(
  'CDIConfig',
  'cdiconfigs',
  'cdi.kubevirt.io/v1beta1',
  'Cluster',
);

export async function startUploads(options: UploadsOptions): Promise<Uploads> {
  const { paths, pki, informers, nodeProxy, clock, log } = options;
  const claims = informers.of(resources.persistentVolumeClaims);
  const pods = informers.of(resources.pods);
  const read = (path: string): string => readFileSync(path, 'utf8');
  const portFile = `${paths.controlPlane}/upload-proxy.port`;
  const before = readJson(portFile);
  const proxy = await startUploadProxy({
    tls: { cert: read(pki.uploadProxy.certificate), key: read(pki.uploadProxy.key) },
    frontProxyCa: read(pki.frontProxyCa),
    tokens: new UploadTokens(uploadKey(pki.uploadKey), clock),
    port: typeof before === 'number' ? before : 0,
    claimExists: (namespace, name) => claims.get(`${namespace}/${name}`) !== undefined,
    connect: (target, port, signal) => {
      const claim = claims.get(`${target.namespace}/${target.claim}`);
      const name = workerName('upload', target.claim);
      const pod = pods.get(`${target.namespace}/${name}`);
      const isOwn = pod !== undefined && claim !== undefined && isOwnedBy(pod, claim, ownerKinds.claim);
      if (!isOwn || pod.status?.phase !== 'Running')
        throw new StatusError('ServiceUnavailable', `Pod ${name}, which takes the upload, does not run`);
      const { namespace = '', uid = '' } = pod.metadata;
      return nodeProxy.portForward({ namespace, name, uid, nodeName: pod.spec.nodeName ?? '' }, port, signal);
    },
    log,
  });
  writeJson(portFile, proxy.port);
  const ca = read(pki.ca);
  return {
    objects: uploadObjects(proxy.port, ca),
    announce: async (client, signal) => {
      const status = {
        uploadProxyURL: uploadProxyUrl(proxy.port),
        uploadProxyCA: ca,
        // A claim here is a directory or a whole file: nothing is lost to a file system of its own.
        filesystemOverhead: { global: '0', storageClass: { local: '0' } },
      };
      const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
      await client.patch(configs, { name: 'config' }, patch, signal);
    },
    close: () => proxy.close(),
  };
}

/** With its scheme: Go's clients cannot parse an address and port alone. */
export function uploadProxyUrl(port: number): string {
  return `https://127.0.0.1:${port}`;
}

function uploadObjects(port: number, ca: string): Manifest[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'cdi-api', namespace: NAMESPACE, labels: { 'cdi.kubevirt.io': 'cdi-api' } },
      spec: {
        type: 'ExternalName',
        externalName: 'localhost',
        ports: [{ name: 'https', port, protocol: 'TCP' }],
      },
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `v1beta1.${UPLOAD_GROUP}`, annotations: { [STORES_NOTHING]: 'true' } },
      spec: {
        group: UPLOAD_GROUP,
        version: 'v1beta1',
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        caBundle: base64(ca),
        service: { namespace: NAMESPACE, name: 'cdi-api', port },
      },
    },
  ];
}
