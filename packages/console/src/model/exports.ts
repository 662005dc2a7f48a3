/** Exports of VMs, snapshots and claims: what is shown of them, taking and deleting them, and where their files are. Pure. */
import type { VirtualMachineExport } from '@podvisor/api';
import type { Action } from './action.ts';
import type { Tone } from './rows.ts';
import { commonText } from '../texts/common.ts';
import { exportsText } from '../texts/snapshots.ts';

const GROUP = 'export.kubevirt.io';

export interface ExportRow {
  readonly namespace: string;
  readonly name: string;
  /** Such as `VirtualMachine hello`. */
  readonly source: string;
  readonly state: string;
  readonly tone: Tone;
  /** When it goes by itself. */
  readonly endsAt: string;
  readonly files: readonly ExportFile[];
}

export interface ExportFile {
  readonly volume: string;
  readonly format: string;
  /** At the page's server, which asks with the user's rights. */
  readonly href: string;
  readonly command: string;
}

/** What can be saved as one file; directories come as `tar.gz`. */
const FILES = ['gzip', 'raw', 'tar.gz'];

/** Of the sources that `isWanted`, by name. */
export function exportRows(
  exports: ReadonlyMap<string, VirtualMachineExport>,
  isWanted: (namespace: string, kind: string, name: string) => boolean,
): readonly ExportRow[] {
  return [...exports.values()]
    .filter(({ metadata, spec }) => isWanted(metadata?.namespace ?? '', spec.source.kind, spec.source.name))
    .map(rowOf)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function rowOf({ metadata, spec, status }: VirtualMachineExport): ExportRow {
  const { namespace = '', name = '' } = metadata ?? {};
  const phase = status?.phase ?? 'Pending';
  const words = status?.conditions?.find(({ type }) => type === 'Ready')?.message;
  return {
    namespace,
    name,
    source: `${spec.source.kind} ${spec.source.name}`,
    state: phase === 'Ready' || words === undefined || words === '' ? phase : `${phase}: ${words}`,
    tone: phase === 'Ready' ? 'good' : phase === 'Pending' ? 'busy' : 'still',
    endsAt: String(status?.ttlExpirationTime ?? ''),
    files: phase === 'Ready' ? filesOf(namespace, name, status) : [],
  };
}

function filesOf(
  namespace: string,
  name: string,
  status: VirtualMachineExport['status'],
): readonly ExportFile[] {
  return (status?.links?.internal?.volumes ?? []).flatMap(({ name: volume, formats = [] }) =>
    formats
      .filter(({ format }) => FILES.includes(format))
      .map(({ format }) => ({
        volume,
        format,
        href: `/export/${[namespace, name, volume, format].map(encodeURIComponent).join('/')}`,
        command: `virtctl vmexport download ${name} --volume=${volume} --output=${volume}.${format === 'raw' ? 'img' : 'gz'} --port-forward --keep-vme -n ${namespace}`,
      })),
  );
}

interface Source {
  readonly namespace: string;
  readonly name: string;
}

/** The sources, with the flag of `virtctl vmexport create` that names each. */
const SOURCES = {
  VirtualMachine: { apiGroup: 'kubevirt.io', flag: 'vm' },
  VirtualMachineSnapshot: { apiGroup: 'snapshot.kubevirt.io', flag: 'snapshot' },
  PersistentVolumeClaim: { apiGroup: '', flag: 'pvc', label: 'Export' },
} as const;

/** An export called `NAME-export`; its token is made by the cluster. */
export function exportAction<T extends Source>(
  kind: keyof typeof SOURCES,
  fits: (target: T) => boolean = () => true,
): Action<T> {
  const { apiGroup, flag } = SOURCES[kind];
  return {
    id: 'export',
    label: exportsText.export,
    isGrave: false,
    fits,
    request: ({ namespace, name }) => ({
      method: 'POST',
      path: `/apis/${GROUP}/v1/namespaces/${namespace}/virtualmachineexports`,
      body: JSON.stringify({
        apiVersion: `${GROUP}/v1`,
        kind: 'VirtualMachineExport',
        metadata: { namespace, name: `${name}-export` },
        spec: { source: { apiGroup, kind, name } },
      }),
    }),
    right: (namespace) => ({ verb: 'create', group: GROUP, resource: 'virtualmachineexports', namespace }),
    command: ({ namespace, name }) =>
      `virtctl vmexport create ${name}-export --${flag}=${name} -n ${namespace}`,
  };
}

export const deleteExport: Action<ExportRow> = {
  id: 'delete',
  label: commonText.delete,
  isGrave: true,
  fits: () => true,
  request: ({ namespace, name }) => ({
    method: 'DELETE',
    path: `/apis/${GROUP}/v1/namespaces/${namespace}/virtualmachineexports/${name}`,
  }),
  right: (namespace) => ({ verb: 'delete', group: GROUP, resource: 'virtualmachineexports', namespace }),
  command: ({ namespace, name }) => `virtctl vmexport delete ${name} -n ${namespace}`,
};
