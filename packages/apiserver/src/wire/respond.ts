/** Writes answers: chooses the form, adds warnings, compresses what is large. */
import { gzip } from 'node:zlib';
import { StatusError } from '@podvisor/base';
import type { VerbContext } from '../core.ts';
import type { Stored } from '../object-store.ts';
import { builtinType } from '../registry/builtin-type.ts';
import type { Answer } from '../verbs/answer.ts';
import { convertOut } from '../verbs/convert.ts';
import { internalType } from '../verbs/other-kind.ts';
import { textOf } from '../verbs/serialize.ts';
import type { ApiResponse } from './exchange.ts';
import { type JsonObject, parseJson, sortKeys } from './json.ts';
import { endAfter, sendWhole, taken } from './long-answer.ts';
import { checkProducible, type Form, negotiate } from './negotiate.ts';
import { protobufOf } from './protobuf/any-object.ts';
import { partialOf, tableOf } from './transform.ts';
import { warningHeaders } from './warning-headers.ts';
import { toYaml } from './yaml-write.ts';

/** Answers below this size are not worth compressing. */
const GZIP_FROM_BYTES = 128 * 1024;

/** Longer lists are written in pieces. */
const IN_PIECES_FROM = 1024 * 1024;

/** Lists are written in pieces of about this many characters. */
const PIECE = 256 * 1024;

export interface ResponseContext {
  readonly response: ApiResponse;
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly userAgent: string | undefined;
  readonly pretty: string | null;
  readonly warnings: readonly string[];
}

/** Writes what a verb answered. */
export function respond(to: ResponseContext, context: VerbContext, answer: Answer): void {
  switch (answer.kind) {
    case 'done':
      return;
    case 'stream':
      setWarnings(to);
      answer.start(to.response);
      return;
    case 'other':
      sendJson(to, answer.code, answer.body, negotiate(to.accept, context.definition));
      return;
    case 'object':
      sendObject(to, context, answer);
      return;
    case 'list':
      sendList(to, context, answer);
      return;
  }
}

function sendObject(
  to: ResponseContext,
  context: VerbContext,
  { code, stored }: Answer & { kind: 'object' },
): void {
  const { definition } = context;
  checkProducible(to.accept, definition, 'object');
  const form = negotiate(to.accept, definition);
  if (form.as === 'Table') {
    sendJson(
      to,
      code,
      tableOf(context, [stored], {
        revision: stored.object.metadata.resourceVersion ?? '',
        withColumns: true,
      }),
      form,
    );
  } else if (form.as === 'PartialObjectMetadata')
    sendJson(to, code, partialOf(convertOut(definition, stored.object)), form);
  else if (form.as === 'PartialObjectMetadataList')
    throw new StatusError(
      'NotAcceptable',
      `you requested PartialObjectMetadataList, but the requested object is not a list (*${
        builtinType(definition.apiVersion, definition.kind) === undefined
          ? 'unstructured.Unstructured'
          : internalType(definition)
      })`,
    );
  else {
    const text =
      definition.conversion === undefined && stored.text !== ''
        ? stored.text
        : textOf(definition, convertOut(definition, stored.object));
    sendText(to, code, text, form);
  }
}

function sendList(to: ResponseContext, context: VerbContext, answer: Answer & { kind: 'list' }): void {
  const { definition } = context;
  checkProducible(to.accept, definition, 'collection');
  const form = negotiate(to.accept, definition);
  const revision = String(answer.revision);
  if (form.as === 'Table') {
    const options = { revision, withColumns: true, ...pageOf(answer) };
    sendJson(to, 200, tableOf(context, answer.items, options), form);
    return;
  }
  if (form.as !== 'object') {
    if (form.as === 'PartialObjectMetadata')
      throw new StatusError(
        'NotAcceptable',
        'you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)',
      );
    const metadata = listMetadata(answer, revision);
    const items = answer.items.map((stored) => partialOf(convertOut(definition, stored.object)));
    sendJson(
      to,
      200,
      { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items },
      form,
    );
    return;
  }
  const { head, items, tail } = listParts(context, answer, revision);
  const size = answer.items.reduce((sum, { text }) => sum + text.length, 0);
  const compressed = /\bgzip\b/.test(to.acceptEncoding ?? '');
  if (size < IN_PIECES_FROM || compressed || form.format !== 'json' || wantsPretty(to, form))
    sendText(to, 200, `${head}${[...items].join(',')}${tail}`, form);
  else void sendPieces(to, head, items, `${tail}\n`, form);
}

/** Writes a long list as fast as it is taken, so that it is never in memory as a whole. */
async function sendPieces(
  to: ResponseContext,
  head: string,
  items: Iterable<string>,
  tail: string,
  form: Form,
): Promise<void> {
  const { response } = to;
  setWarnings(to);
  response.writeHead(200, { 'content-type': form.contentType, 'cache-control': 'no-cache, private' });
  let piece = head;
  let first = true;
  for (const item of items) {
    piece += first ? item : `,${item}`;
    first = false;
    if (piece.length < PIECE) continue;
    if (!(await taken(response, piece))) return;
    piece = '';
  }
  await endAfter(response, piece, tail);
}

function pageOf({ continue: token, remaining }: Answer & { kind: 'list' }): {
  continue?: string;
  remaining?: number;
} {
  return {
    ...(token === undefined ? {} : { continue: token }),
    ...(remaining === undefined ? {} : { remaining }),
  };
}

function listMetadata(answer: Answer & { kind: 'list' }, resourceVersion: string): JsonObject {
  return {
    resourceVersion,
    ...(answer.continue === undefined ? {} : { continue: answer.continue }),
    ...(answer.remaining === undefined ? {} : { remainingItemCount: answer.remaining }),
  };
}

/** Joins the stored texts; nothing is parsed or cloned. */
function listParts(
  { definition }: VerbContext,
  answer: Answer & { kind: 'list' },
  revision: string,
): { head: string; items: Iterable<string>; tail: string } {
  const { custom, conversion, listKind, apiVersion, kind } = definition;
  const prefix = `{"kind":"${kind}","apiVersion":"${apiVersion}",`;
  const textOfItem = (stored: Stored): string => {
    const text =
      conversion === undefined ? stored.text : textOf(definition, convertOut(definition, stored.object));
    // Items of built-in kinds do not repeat kind and apiVersion.
    return custom === undefined && text.startsWith(prefix) ? `{${text.slice(prefix.length)}` : text;
  };
  const items = answer.items.values().map(textOfItem);
  if (custom === undefined) {
    const head = `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(listMetadata(answer, revision))},"items":[`;
    return { head, items, tail: ']}' };
  }
  const metadata = sortKeys({ continue: answer.continue ?? '', ...listMetadata(answer, revision) });
  return {
    head: `{"apiVersion":"${apiVersion}","items":[`,
    items,
    tail: `],"kind":"${listKind}","metadata":${JSON.stringify(metadata)}}`,
  };
}

/** Writes any JSON object. */
export function sendJson(to: ResponseContext, code: number, body: JsonObject, form: Form): void {
  sendText(to, code, JSON.stringify(body), form);
}

function sendText(to: ResponseContext, code: number, json: string, form: Form): void {
  if (form.format === 'protobuf') {
    sendProtobuf(to, code, json, form);
    return;
  }
  let text = `${json}\n`;
  if (form.format === 'yaml') text = toYaml(sortKeys(parseJson(json)));
  else if (wantsPretty(to, form)) text = JSON.stringify(parseJson(json), null, 2);
  setWarnings(to);
  const { response } = to;
  response.setHeader('content-type', form.contentType);
  response.setHeader('cache-control', 'no-cache, private');
  if (text.length < GZIP_FROM_BYTES || !/\bgzip\b/.test(to.acceptEncoding ?? '')) {
    sendWhole(response, code, text);
    return;
  }
  response.setHeader('content-encoding', 'gzip');
  response.setHeader('vary', 'Accept-Encoding');
  gzip(text, { level: 1 }, (error, compressed) => {
    if (error !== null) {
      response.destroy(error);
      return;
    }
    sendWhole(response, code, compressed);
  });
}

/** Sends protobuf, or JSON when the answer holds a type that has no protobuf form here. */
function sendProtobuf(to: ResponseContext, code: number, json: string, form: Form): void {
  const bytes = protobufOf(parseJson(json));
  if (bytes === undefined) {
    sendText(to, code, json, { ...form, format: 'json', contentType: 'application/json' });
    return;
  }
  setWarnings(to);
  const { response } = to;
  response.setHeader('content-type', form.contentType);
  response.setHeader('cache-control', 'no-cache, private');
  sendWhole(response, code, bytes);
}

function wantsPretty({ pretty, userAgent }: ResponseContext, form: Form): boolean {
  if (form.pretty || pretty === 'true' || pretty === '1' || pretty === '')
    return pretty !== '' || form.pretty;
  if (pretty !== null) return false;
  return /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent ?? '');
}

function setWarnings({ response, warnings }: ResponseContext): void {
  const headers = warningHeaders(warnings);
  if (headers.length > 0) response.setHeader('warning', headers);
}
