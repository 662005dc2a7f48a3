/**
 * cdi.kubevirt.io/v1beta1: DataVolumes and what clients read beside them, where no CDI is (decisions 008 and 016). Pure. The spec of a DataVolume has one source: the templates of a VirtualMachine.
 */
import { crds } from '@podvisor/api';
import { anything, type Definition, definitionOf, object, type Schema, text, time } from '../definition.ts';
import type { Manifest } from '../manifest.ts';

const GROUP = { group: 'cdi.kubevirt.io', version: 'v1beta1' };

const conditions: Schema = {
  type: 'array',
  items: object(
    {
      type: text(),
      status: text(),
      reason: text(),
      message: text(),
      lastTransitionTime: time,
      lastHeartbeatTime: time,
    },
    ['type', 'status'],
  ),
};
const reference = object({ name: text('Its name.'), namespace: text('Its namespace.') }, [
  'name',
  'namespace',
]);
const source = object({ pvc: reference, snapshot: reference, dataSource: reference });
const claimPropertySets: Schema = {
  type: 'array',
  items: object({
    accessModes: { type: 'array', items: text() },
    volumeMode: text(),
  }),
};

const dataVolumes = (): Definition => ({
  ...GROUP,
  kind: 'DataVolume',
  plural: 'datavolumes',
  shortNames: ['dv', 'dvs'],
  categories: ['all'],
  scope: 'Namespaced',
  hasStatus: true,
  required: ['spec'],
  columns: [
    ['Phase', 'string', '.status.phase'],
    ['Progress', 'string', '.status.progress'],
    ['Restarts', 'integer', '.status.restartCount'],
    ['Age', 'date', '.metadata.creationTimestamp'],
  ],
  properties: {
    spec: templateSpec(),
    status: object({
      claimName: text('Claim that is filled.'),
      phase: text('What happens now.'),
      progress: text('Part that is done, in percent.'),
      restartCount: { type: 'integer', format: 'int32' },
      conditions,
    }),
  },
});

/** The schema of a DataVolume inside a VirtualMachine. */
function templateSpec(): Schema {
  const vm = crds.find(({ metadata }) => metadata?.name === 'virtualmachines.kubevirt.io');
  const path = ['spec', 'versions', '0', 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties'];
  const schema = at(vm, [...path, 'dataVolumeTemplates', 'items', 'properties', 'spec']);
  if (schema === undefined) throw new Error('the schema of VirtualMachine has no dataVolumeTemplates');
  const spec = structuredClone(schema);
  const http = at(spec, ['properties', 'source', 'properties', 'http', 'properties']);
  if (http === undefined) throw new Error('the schema of a DataVolume has no source.http');
  Reflect.set(http, 'checksum', text('Checksum of the image, such as sha256:….'));
  return { ...spec };
}

function at(value: unknown, path: readonly string[]): object | undefined {
  let found: unknown = value;
  for (const key of path)
    found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  return typeof found === 'object' && found !== null ? found : undefined;
}

const dataSources: Definition = {
  ...GROUP,
  kind: 'DataSource',
  plural: 'datasources',
  shortNames: ['das'],
  categories: ['all'],
  scope: 'Namespaced',
  hasStatus: true,
  required: ['spec'],
  columns: [['Age', 'date', '.metadata.creationTimestamp']],
  properties: {
    spec: object({ source }, ['source']),
    status: object({ source, conditions }),
  },
};

const storageProfiles: Definition = {
  ...GROUP,
  kind: 'StorageProfile',
  plural: 'storageprofiles',
  categories: ['all'],
  scope: 'Cluster',
  hasStatus: true,
  required: ['spec'],
  properties: {
    spec: object({
      claimPropertySets,
      cloneStrategy: text(),
      dataImportCronSourceFormat: text(),
      snapshotClass: text(),
    }),
    status: object({
      storageClass: text(),
      provisioner: text(),
      claimPropertySets,
      cloneStrategy: text(),
      dataImportCronSourceFormat: text(),
      snapshotClass: text(),
      conditions,
    }),
  },
};

const configs: Definition = {
  ...GROUP,
  kind: 'CDIConfig',
  plural: 'cdiconfigs',
  scope: 'Cluster',
  hasStatus: true,
  required: ['spec'],
  properties: { spec: anything, status: anything },
};

export function dataVolumeDefinitions(): Manifest[] {
  return [dataVolumes(), dataSources, storageProfiles, configs].map(definitionOf);
}

/** The one configuration; its status is written when the upload proxy listens. */
export function dataVolumeConfig(): Manifest {
  return { apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDIConfig', metadata: { name: 'config' }, spec: {} };
}
