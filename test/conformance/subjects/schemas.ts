/** Recorded structural schemas: every field, type, enum, default and rule; descriptions are ours. */
import { crds, type JSONSchemaProps } from '@podvisor/api';
import { differences } from '../differences.ts';
import { subject } from '../subject.ts';

/** Recorded as a file of its own, although it is the item of a list in another kind. */
const DATA_VOLUME_TEMPLATE = 'datavolumetemplatespec';

/** Fields that we add, by the end of their path: they are not KubeVirt's, and must not be in what was recorded. */
const ADDED = [
  'status.properties.hibernation',
  'spec.properties.configuration.properties.nodeLoss',
  // Snapshots with memory.
  'spec.properties.includeMemory',
  'spec.properties.discardMemory',
  'spec.properties.newIdentity',
  'spec.properties.warm',
  'spec.properties.identityless',
  // The snapshot that a pool of warm copies is made of.
  'spec.properties.source',
  'spec.properties.memoryBackup',
  'status.properties.memorySnapshot',
  'status.properties.memoryPrepared',
  'status.properties.memory',
];

function isAdded(difference: string): boolean {
  const [path = '', said = ''] = difference.split(': expected nothing, got ');
  return (
    said !== '' &&
    ADDED.some((field) => path === `properties.${field}` || path.endsWith(`.properties.${field}`))
  );
}

/** A case is a file; its input is the kind in lower case. */
export const schemas = subject<string, JSONSchemaProps, JSONSchemaProps | undefined>(
  'schemas',
  /^schemas\/[^/]+\.openapiv3\.json$/,
  {
    load: (text, file) => {
      const kind = /([^/.]+)\.openapiv3/.exec(file)?.[1] ?? file;
      return [{ id: kind, input: kind, expected: JSON.parse(text) }];
    },
    answer: schemaOf,
    compare: (expected, ours, kind) =>
      ours === undefined
        ? [`there is no schema for ${kind}`]
        : differences(comparable(expected), comparable(ours)).filter((line) => !isAdded(line)),
  },
);

function schemaOf(name: string): JSONSchemaProps | undefined {
  if (name !== DATA_VOLUME_TEMPLATE) return kindSchema(name);
  const item = kindSchema('virtualmachine')?.properties?.['spec']?.properties?.['dataVolumeTemplates']?.items;
  // Inside a VirtualMachine its metadata is loosened further, as the schema of that kind records.
  return item && { ...item, properties: { ...item.properties, metadata: { type: 'object' } } };
}

function kindSchema(singular: string): JSONSchemaProps | undefined {
  return crds.find(({ spec }) => spec.names.singular === singular)?.spec.versions[0]?.schema.openAPIV3Schema;
}

function comparable(schema: JSONSchemaProps): unknown {
  const { description: _description, properties, items, additionalProperties, required, ...rest } = schema;
  return {
    ...rest,
    ...(required && { required: required.toSorted() }),
    ...(items && { items: comparable(items) }),
    ...(additionalProperties && { additionalProperties: comparable(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, comparable(property)]),
      ),
    }),
  };
}
