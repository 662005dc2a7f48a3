/** Which form of an answer the client accepts: JSON or YAML, the object itself, a Table, or only metadata. */
import { StatusError } from '@podvisor/base';
import type { ResourceDefinition } from '../registry/definition.ts';
import { hasProtobuf } from './protobuf/decode.ts';

export interface Form {
  readonly format: 'json' | 'yaml' | 'protobuf';
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  readonly pretty: boolean;
  readonly contentType: string;
  readonly streamType: string;
}

const CONTENT_TYPES = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
} as const;

function speaksProtobuf(definition: ResourceDefinition | undefined): boolean {
  return definition !== undefined && definition.custom === undefined && hasProtobuf(definition.schema);
}

const JSON_FORM: Form = {
  format: 'json',
  as: 'object',
  pretty: false,
  contentType: 'application/json',
  streamType: 'application/json',
};

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Chooses; throws 406 when nothing fits. */
export function negotiate(
  accept: string | undefined,
  definition: ResourceDefinition | undefined,
  stream = false,
  protobuf = !stream && speaksProtobuf(definition),
): Form {
  if (accept === undefined || accept === '') return JSON_FORM;
  for (const { type, parameters } of clauses(accept)) {
    const format = formatOf(type);
    if (format === undefined || (stream && format === 'yaml')) continue;
    const as = parameters.get('as') ?? 'object';
    if (format === 'protobuf' && (!protobuf || as !== 'object')) continue;
    const group = parameters.get('g');
    const version = parameters.get('v');
    if (
      as !== 'object' &&
      !(
        (as === 'Table' || as.startsWith('PartialObjectMetadata')) &&
        group === 'meta.k8s.io' &&
        (version === 'v1' || version === 'v1beta1')
      )
    )
      continue;
    if (as !== 'object' && definition === undefined) continue;
    return {
      format,
      as: as as Form['as'],
      pretty: parameters.get('pretty') === '1' || parameters.get('pretty') === 'true',
      contentType: CONTENT_TYPES[format],
      streamType: 'application/json',
    };
  }
  const types = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
  throw new StatusError(
    'NotAcceptable',
    `only the following media types are accepted: ${[...types, ...types.map((t) => (stream ? `${t};stream=watch` : t))].slice(0, types.length).join(', ')}`,
  );
}

/**
 * Throws 406 when a built-in kind has no form by one of these names. Its routes know whole names only, so
 * `application/*` is none; what is asked of the form (`as=Table`) is judged later.
 */
export function checkProducible(
  accept: string | undefined,
  definition: ResourceDefinition,
  route: 'object' | 'collection',
): void {
  if (accept === undefined || accept === '' || definition.custom !== undefined) return;
  const types: readonly string[] = Object.values(CONTENT_TYPES);
  const asked = clauses(accept).map(({ type }) => type);
  if (asked.some((type) => type === '*/*' || types.includes(type))) return;
  const streams = [CONTENT_TYPES.json, CONTENT_TYPES.protobuf].map((type) => `${type};stream=watch`);
  const available = [...types, ...(route === 'collection' ? streams : [])].join(', ');
  throw new StatusError('NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${available}`, {
    details: {},
  });
}

function clauses(accept: string): Clause[] {
  return accept
    .split(',')
    .map((part) => {
      const [type = '', ...rest] = part.split(';').map((piece) => piece.trim());
      const parameters = new Map(
        rest.map(
          (piece) => [piece.slice(0, piece.indexOf('=')), piece.slice(piece.indexOf('=') + 1)] as const,
        ),
      );
      return { type: type.toLowerCase(), parameters, quality: Number(parameters.get('q') ?? 1) };
    })
    .toSorted((a, b) => b.quality - a.quality);
}

function formatOf(type: string): Form['format'] | undefined {
  if (type === CONTENT_TYPES.protobuf) return 'protobuf';
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}
