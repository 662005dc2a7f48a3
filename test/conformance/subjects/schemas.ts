/** Recorded structural schemas: every field, type, enum, default and rule; descriptions are ours. */
import { crdFor, type JSONSchemaProps } from '@podvisor/api';
import { differences } from '../differences.ts';
import { subject } from '../subject.ts';

interface SchemaRecord {
  /** Kind in lower case. */
  readonly id: string;
  readonly schema: JSONSchemaProps;
}

/** Not the schema of a kind, but of the template inside VirtualMachines, which is compared there. */
const INSIDE_OTHERS: Readonly<Record<string, readonly string[]>> = {
  datavolumetemplatespec: ['virtualmachine', 'spec', 'dataVolumeTemplates'],
};

export const schemas = subject<SchemaRecord>('schemas', /^schemas\/[^/]+\.openapiv3\.json$/, {
  load: (text, file) => [{ id: /([^/.]+)\.openapiv3/.exec(file)?.[1] ?? file, schema: JSON.parse(text) }],
  check: ({ id, schema }) => {
    const ours = schemaOf(id);
    if (ours === undefined) return [`there is no schema for ${id}`];
    return differences(comparable(schema), comparable(ours));
  },
});

function schemaOf(name: string): JSONSchemaProps | undefined {
  const [kind = name, ...path] = INSIDE_OTHERS[name] ?? [];
  let schema: JSONSchemaProps | undefined = crdFor(kind).spec.versions[0]?.schema.openAPIV3Schema;
  for (const field of path) schema = schema?.properties?.[field];
  return path.length === 0 ? schema : schema?.items;
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
