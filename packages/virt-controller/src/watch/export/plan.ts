/** The objects of an export: a Service, a secret with certificate and settings, and the Pod that serves. Pure. */
import type {
  KubernetesObject,
  PersistentVolumeClaim,
  Pod,
  VirtualMachine,
  VirtualMachineExport,
  VirtualMachineExportLink,
} from '@podvisor/api';
import { controllerReference } from '../ownership.ts';
import { formatsOf } from './formats.ts';

export const EXPORT_LABEL = 'virt-export';
const PORT = 8443;
const API = 'export.kubevirt.io/v1';

export const exportName = (of: VirtualMachineExport): string => `virt-export-${of.metadata?.name}`;
/** Variable of the exporter with its authority's certificate: nobody changes it afterwards, unlike an annotation. */
const CA_VARIABLE = 'EXPORT_CA';
/** The secret with the token: the user's, or one of our making. */
export const tokenSecretName = ({ metadata, spec }: VirtualMachineExport): string =>
  spec.tokenSecretRef ?? `export-token-${metadata?.name}`;

export function metaOf(of: VirtualMachineExport, name: string): KubernetesObject['metadata'] {
  return {
    name,
    namespace: of.metadata?.namespace,
    labels: { 'kubevirt.io': EXPORT_LABEL, 'kubevirt.io.virt-export-service': of.metadata?.name ?? '' },
    ownerReferences: [controllerReference(of, API, 'VirtualMachineExport')],
  };
}

export function exportService(of: VirtualMachineExport): KubernetesObject & { readonly spec: object } {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metaOf(of, exportName(of)),
    spec: {
      selector: metaOf(of, exportName(of))?.labels,
      ports: [{ name: 'export', port: 443, targetPort: PORT, protocol: 'TCP' }],
    },
  };
}

/** Names under which the server may be reached; the last two for a port that is forwarded. */
export function serverNames(of: VirtualMachineExport, clusterIp: string | undefined): readonly string[] {
  const service = exportName(of);
  const { namespace } = of.metadata ?? {};
  return [
    `${service}.${namespace}.svc`,
    `${service}.${namespace}.svc.cluster.local`,
    ...(clusterIp === undefined || clusterIp === 'None' ? [] : [clusterIp]),
    'localhost',
    '127.0.0.1',
  ];
}

export const mountPath = (name: string, block: boolean): string =>
  block ? `/dev/export-${name}` : `/export/${name}`;

/** What the server reads when it starts. */
export function serverSettings(
  claims: readonly PersistentVolumeClaim[],
  manifests: Readonly<Record<string, string>>,
): string {
  const volumes = claims.map(({ metadata, spec }) => {
    const block = spec.volumeMode === 'Block';
    return { name: metadata.name, path: mountPath(metadata.name ?? '', block), block };
  });
  return JSON.stringify({ volumes, manifests });
}

export function exportPod(
  of: VirtualMachineExport,
  claims: readonly PersistentVolumeClaim[],
  {
    image,
    secret,
    ca,
    nodeName,
  }: {
    readonly image: string;
    readonly secret: string;
    readonly ca: string;
    /** The only node where it can serve. */
    readonly nodeName?: string | undefined;
  },
): Pod {
  const volumeName = (index: number): string => `volume-${index}`;
  const isBlock = ({ spec }: PersistentVolumeClaim): boolean => spec.volumeMode === 'Block';
  const mounts = claims.flatMap((claim, index) =>
    isBlock(claim)
      ? []
      : [{ name: volumeName(index), mountPath: mountPath(claim.metadata.name ?? '', false), readOnly: true }],
  );
  const devices = claims.flatMap((claim, index) =>
    isBlock(claim)
      ? [{ name: volumeName(index), devicePath: mountPath(claim.metadata.name ?? '', true) }]
      : [],
  );
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metaOf(of, exportName(of)) ?? {},
    spec: {
      restartPolicy: 'OnFailure',
      ...(nodeName === undefined ? {} : { nodeSelector: { 'kubernetes.io/hostname': nodeName } }),
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      securityContext: {
        runAsUser: 107,
        runAsGroup: 107,
        runAsNonRoot: true,
        fsGroup: 107,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'exporter',
          image,
          command: ['/usr/bin/tini', '-s', '--', '/usr/lib/podvisor/virt-export'],
          args: ['--listen', String(PORT)],
          env: [{ name: CA_VARIABLE, value: ca }],
          resources: { requests: { cpu: '100m', memory: '64M' }, limits: { cpu: '1', memory: '256M' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          readinessProbe: {
            httpGet: { path: '/exportready', port: PORT, scheme: 'HTTPS' },
            periodSeconds: 1,
            failureThreshold: 30,
          },
          volumeMounts: [
            { name: 'settings', mountPath: '/etc/virt-export', readOnly: true },
            { name: 'token', mountPath: '/etc/virt-export-token', readOnly: true },
            ...mounts,
          ],
          ...(devices.length === 0 ? {} : { volumeDevices: devices }),
        },
      ],
      volumes: [
        { name: 'settings', secret: { secretName: secret } },
        { name: 'token', secret: { secretName: tokenSecretName(of) } },
        ...claims.map((claim, index) => ({
          name: volumeName(index),
          persistentVolumeClaim: { claimName: claim.metadata.name ?? '' },
        })),
      ],
    },
  };
}

/** The certificate by which clients know the exporter. */
export function certificateOf(pod: Pod): string | undefined {
  return pod.spec.containers[0]?.env?.find(({ name }) => name === CA_VARIABLE)?.value;
}

export function internalLinks(
  of: VirtualMachineExport,
  claims: readonly PersistentVolumeClaim[],
  cert: string,
): VirtualMachineExportLink {
  const root = `https://${exportName(of)}.${of.metadata?.namespace}.svc`;
  const url = (claim: PersistentVolumeClaim, tail: string): string =>
    `${root}/volumes/${claim.metadata.name}/${tail}`;
  return {
    cert,
    volumes: claims.map((claim) => ({
      name: claim.metadata.name ?? '',
      formats: formatsOf(of, claim).map(({ format, tail }) => ({ format, url: url(claim, tail) })),
    })),
    manifests: [
      { type: 'all', url: `${root}/internal/manifests/all` },
      { type: 'auth-header-secret', url: `${root}/internal/manifests/secret` },
    ],
  };
}

/** Documents from which another cluster makes the same VM, its disks read from here. */
export function manifests(
  of: VirtualMachineExport,
  vm: VirtualMachine | undefined,
  claims: readonly PersistentVolumeClaim[],
  cert: string,
): Readonly<Record<string, string>> {
  const name = of.metadata?.name ?? '';
  const documents = (objects: readonly object[]): string =>
    objects.map((object) => `---\n${JSON.stringify(object, undefined, 2)}\n`).join('');
  const caName = `export-ca-cm-${name}`;
  const headerName = `header-secret-${name}`;
  const links = internalLinks(of, claims, cert);
  const packed = claims.map((_, index) =>
    links.volumes?.[index]?.formats?.find(({ format }) => format === 'gzip' || format === 'tar.gz'),
  );
  const dataVolumes = claims.map((claim, index) => ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name: claim.metadata.name },
    spec: {
      ...(packed[index]?.format === 'tar.gz' ? { contentType: 'archive' } : {}),
      source: {
        http: {
          url: packed[index]?.url,
          certConfigMap: caName,
          secretExtraHeaders: [headerName],
        },
      },
      storage: {
        resources: { requests: claim.spec.resources?.requests },
        volumeMode: claim.spec.volumeMode,
      },
    },
  }));
  const machine =
    vm === undefined
      ? []
      : [
          {
            apiVersion: 'kubevirt.io/v1',
            kind: 'VirtualMachine',
            metadata: { name: vm.metadata?.name, labels: vm.metadata?.labels },
            spec: { ...vm.spec, dataVolumeTemplates: undefined },
          },
        ];
  const ca = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: caName }, data: { 'ca.pem': cert } };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: headerName },
    // The server puts its token in: nobody else reads it.
    stringData: { token: 'x-kubevirt-export-token:{{token}}' },
  };
  return {
    '/internal/manifests/all': documents([ca, ...machine, ...dataVolumes]),
    '/internal/manifests/secret': documents([secret]),
  };
}
