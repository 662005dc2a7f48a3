/** DeleteOptions from the body and the query. */
import type { VerbContext } from '../../core.ts';
import { type FieldError, invalid, invalidObject } from '../../wire/field-errors.ts';
import { arrayAt, asObject, asString, at, type JsonObject, parseJson, stringAt } from '../../wire/json.ts';
import { badRequest } from '../../wire/status.ts';
import { jsonProblem } from '../../wire/go-json.ts';
import { bodyFormat } from '../decode-body.ts';
import { dryRunErrors } from '../options.ts';
import { library } from '../../registry/library.ts';
import { decodeMessage, openEnvelope } from '../../wire/protobuf/decode.ts';
import { ProtobufError } from '../../wire/protobuf/reader.ts';
import { parseYaml } from '../../wire/yaml.ts';

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
  /** As admission webhooks see them. */
  readonly given: JsonObject;
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];

export async function deleteOptions(context: VerbContext): Promise<DeleteOptions> {
  const text = await optionsText(context);
  const body = text === '' ? {} : readBody(context, text);
  const { query } = context.info;
  const fromQuery: JsonObject = {};
  const grace = query.get('gracePeriodSeconds');
  if (text === '') {
    if (grace !== null) {
      if (!/^-?[0-9]+$/.test(grace)) throw badRequest(`strconv.ParseInt: parsing "${grace}": invalid syntax`);
      fromQuery['gracePeriodSeconds'] = Number(grace);
    }
    if (query.get('propagationPolicy') !== null)
      fromQuery['propagationPolicy'] = query.get('propagationPolicy') ?? '';
    if (query.get('orphanDependents') !== null)
      fromQuery['orphanDependents'] = query.get('orphanDependents') === 'true';
  }
  // The query's dryRun counts only without a body, like everything else in it.
  const dryRun = text === '' ? query.getAll('dryRun') : arrayAt(body, 'dryRun').map(asString);
  const given: JsonObject = {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...body,
    ...fromQuery,
    ...(dryRun.length === 0 ? {} : { dryRun }),
  };
  const errors = validate(given, dryRun);
  if (errors.length > 0) throw invalidObject('DeleteOptions', 'meta.k8s.io', '', errors);
  const seconds = at(given, 'gracePeriodSeconds');
  const orphan = at(given, 'orphanDependents');
  const uid = stringAt(given, 'preconditions', 'uid');
  const resourceVersion = stringAt(given, 'preconditions', 'resourceVersion');
  return {
    dryRun: dryRun.includes('All'),
    gracePeriodSeconds: typeof seconds === 'number' ? seconds : undefined,
    propagationPolicy: stringAt(given, 'propagationPolicy') || undefined,
    orphanDependents: typeof orphan === 'boolean' ? orphan : undefined,
    preconditions: { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) },
    given,
  };
}

/** The body as JSON or YAML text; a protobuf body in its JSON form. */
async function optionsText(context: VerbContext): Promise<string> {
  const type = context.headers['content-type'] ?? '';
  if (!type.startsWith('application/vnd.kubernetes.protobuf')) return context.readBody();
  const bytes = await context.readBytes();
  if (bytes.length === 0) return '';
  try {
    const { apiVersion, kind, raw } = openEnvelope(bytes);
    return JSON.stringify({ apiVersion, kind, ...decodeMessage(library.struct('DeleteOptions'), raw) });
  } catch (error) {
    if (error instanceof ProtobufError) throw badRequest(error.message);
    throw error;
  }
}

function readBody(context: VerbContext, text: string): JsonObject {
  const protobuf = text.startsWith('{') && (context.headers['content-type'] ?? '').includes('protobuf');
  const format = protobuf ? 'json' : bodyFormat(context);
  let value: unknown;
  try {
    value = format === 'yaml' ? parseYaml(text).value : parseJson(text);
  } catch {
    throw badRequest(`couldn't get version/kind; json parse error: ${jsonProblem(text) ?? 'malformed'}`);
  }
  if (value === null) return {};
  const object = asObject(value);
  if (object === undefined)
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  const kind = stringAt(object, 'kind');
  if (kind !== '' && kind !== 'DeleteOptions')
    throw badRequest(`converting (v1.${kind}) to (v1.DeleteOptions): unknown conversion`);
  const grace = object['gracePeriodSeconds'];
  if (typeof grace === 'string')
    throw badRequest(
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    );
  const { kind: _kind, apiVersion: _version, ...rest } = object;
  return rest;
}

function validate(given: JsonObject, dryRun: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const policy = stringAt(given, 'propagationPolicy');
  if (
    policy !== '' &&
    at(given, 'orphanDependents') !== undefined &&
    at(given, 'orphanDependents') !== null
  ) {
    errors.push(
      invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  if (policy !== '' && !POLICIES.includes(policy)) {
    errors.push({
      field: 'propagationPolicy',
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: "${policy}": supported values: ${[...POLICIES, 'nil'].map((p) => `"${p}"`).join(', ')}`,
    });
  }
  errors.push(...dryRunErrors(dryRun));
  return errors;
}
