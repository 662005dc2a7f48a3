/** Claims with who uses them, what is being imported into them, and importing from a URL. Pure. */
import type { DataVolume, VirtualMachine } from '@podvisor/api';
import type { ClaimObject } from '../live/use-collection.ts';
import { type Action, creationCommand } from './action.ts';
import type { Tone } from './rows.ts';
import { commonText } from '../texts/common.ts';
import { diskActionLabels } from '../texts/disks.ts';
import { storageText } from '../texts/storage.ts';

const CDI = 'cdi.kubevirt.io';

export interface ClaimRow {
  readonly namespace: string;
  readonly name: string;
  readonly state: string;
  readonly tone: Tone;
  readonly size: string;
  readonly storageClass: string;
  /** VMs that name it. */
  readonly users: readonly string[];
}

export function claimRows(
  claims: ReadonlyMap<string, ClaimObject>,
  dataVolumes: ReadonlyMap<string, DataVolume>,
  vms: ReadonlyMap<string, VirtualMachine>,
): readonly ClaimRow[] {
  const users = usersByClaim(vms);
  // A DataVolume and its claim have one name; the claim may come later.
  const keys = new Set([...claims.keys(), ...dataVolumes.keys()]);
  return [...keys].toSorted().map((key) => {
    const claim = claims.get(key);
    const data = dataVolumes.get(key);
    const { namespace = '', name = '' } = (claim ?? data)?.metadata ?? {};
    const state = stateOf(claim, data);
    return {
      namespace,
      name,
      state,
      tone: /Fail|Error|Lost/.test(state) ? 'bad' : /^(Bound|Succeeded)/.test(state) ? 'good' : 'busy',
      size: claim?.status?.capacity?.['storage'] ?? claim?.spec?.resources?.requests?.['storage'] ?? '',
      storageClass: claim?.spec?.storageClassName ?? '',
      users: users.get(key) ?? [],
    };
  });
}

function stateOf(claim: ClaimObject | undefined, data: DataVolume | undefined): string {
  const phase = data?.status?.phase;
  if (phase === undefined || phase === 'Succeeded') return claim?.status?.phase ?? phase ?? 'Pending';
  const progress = data?.status?.progress;
  return progress === undefined || progress === 'N/A' ? phase : `${phase} ${progress}`;
}

function usersByClaim(vms: ReadonlyMap<string, VirtualMachine>): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const { metadata, spec } of vms.values())
    for (const { persistentVolumeClaim, dataVolume } of spec.template.spec?.volumes ?? []) {
      const name = persistentVolumeClaim?.claimName ?? dataVolume?.name;
      if (name === undefined) continue;
      const key = `${metadata?.namespace ?? ''}/${name}`;
      users.set(key, [...(users.get(key) ?? []), metadata?.name ?? '']);
    }
  return users;
}

export const claimActions: readonly Action<ClaimRow>[] = [
  {
    id: 'delete',
    label: commonText.delete,
    isGrave: true,
    // What a VM names is not thrown away by one click.
    fits: ({ users }) => users.length === 0,
    request: ({ namespace, name }) => ({
      method: 'DELETE',
      path: `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`,
    }),
    right: (namespace) => ({ verb: 'delete', group: '', resource: 'persistentvolumeclaims', namespace }),
    command: ({ namespace, name }) => `kubectl delete pvc ${name} -n ${namespace}`,
  },
];

/** Asks for a larger claim; a running guest sees its disk grow where the storage class can do it. */
export const growAction: Action<{
  readonly namespace: string;
  readonly name: string;
  readonly size: string;
}> = {
  id: 'grow',
  label: diskActionLabels.grow,
  isGrave: false,
  fits: ({ name, size }) => name !== '' && size !== '',
  request: ({ namespace, name, size }) => ({
    method: 'PATCH',
    path: `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`,
    contentType: 'application/merge-patch+json',
    body: JSON.stringify(grown(size)),
  }),
  right: (namespace) => ({ verb: 'patch', group: '', resource: 'persistentvolumeclaims', namespace }),
  command: ({ namespace, name, size }) =>
    `kubectl patch pvc ${name} -n ${namespace} --type merge -p '${JSON.stringify(grown(size))}'`,
};

const grown = (storage: string): object => ({ spec: { resources: { requests: { storage } } } });

export interface Import {
  readonly namespace: string;
  readonly name: string;
  readonly url: string;
  readonly size: string;
}

/** A DataVolume that is filled from a URL. */
export const importAction: Action<Import> = {
  id: 'import',
  label: storageText.import,
  isGrave: false,
  fits: ({ name, url, size }) => name !== '' && url !== '' && size !== '',
  request: (form) => ({
    method: 'POST',
    path: `/apis/${CDI}/v1beta1/namespaces/${form.namespace}/datavolumes`,
    body: JSON.stringify(dataVolumeOf(form)),
  }),
  right: (namespace) => ({ verb: 'create', group: CDI, resource: 'datavolumes', namespace }),
  command: (form) => creationCommand(dataVolumeOf(form)),
};

const dataVolumeOf = ({ namespace, name, url, size }: Import): object => ({
  apiVersion: `${CDI}/v1beta1`,
  kind: 'DataVolume',
  metadata: { name, namespace },
  spec: {
    source: url.startsWith('docker://') ? { registry: { url } } : { http: { url } },
    storage: { resources: { requests: { storage: size } } },
  },
});
