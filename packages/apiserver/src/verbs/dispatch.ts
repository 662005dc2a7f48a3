/** Finds the verb of a request. */
import type { VerbContext } from '../core.ts';
import { StatusError, memberOf } from '@podvisor/base';
import type { ResourceDefinition } from '../registry/definition.ts';
import { badRequest, detailsOf, methodNotAllowed, notFound, PlainError, qualified } from '../wire/status.ts';
import type { Answer } from './answer.ts';
import { create } from './create.ts';
import { remove } from './delete/delete.ts';
import { removeCollection } from './delete/delete-collection.ts';
import { get } from './read/get.ts';
import { list } from './read/list.ts';
import { patch } from './patch.ts';
import { subresource } from './subresources/subresource.ts';
import { update } from './update.ts';
import { watch } from './read/watch.ts';
import type { ApiRequest, ApiResponse } from '../wire/exchange.ts';

type Verb = (context: VerbContext) => Answer | Promise<Answer>;

const VERBS: Readonly<Record<string, Verb>> = {
  create,
  get,
  list,
  watch,
  update,
  patch,
  delete: remove,
  deletecollection: removeCollection,
};

/** Which verbs a collection and an object have. */
const SUBRESOURCE_VERBS: ReadonlySet<string> = new Set(['get', 'update', 'patch']);
const ON_COLLECTION = new Set(['create', 'list', 'watch', 'deletecollection']);

export async function dispatch(
  context: VerbContext,
  request: ApiRequest,
  response: ApiResponse,
): Promise<Answer> {
  const { info, definition } = context;
  if (definition.custom !== undefined) checkCustom(context);
  else if (info.method === 'HEAD') throw methodNotAllowed();
  if (info.subresource !== '') return subresource(context, request, response);
  const verb = verbOf(context);
  const virtual = context.core.virtual.get(definition.collection);
  if (virtual !== undefined) return virtual(context);
  const special =
    info.verb === 'create' ? context.core.special.get(`${definition.group}/${definition.plural}`) : undefined;
  return special === undefined ? verb(context) : special(context);
}

/** Requests of custom resources that Kubernetes refuses in other words than those of its own. */
function checkCustom({ info, definition }: VerbContext): void {
  if (definition.namespaced && info.namespace === '' && info.verb !== 'list' && info.verb !== 'watch')
    throw new PlainError(404, '404 page not found');
  if (info.parts.length > 3 || (info.subresource !== '' && !definition.subresources.has(info.subresource)))
    throw notFound(definition, info.name);
  if ((info.verb === 'update' || info.verb === 'patch') && info.name === '')
    throw badRequest('name must be provided');
  if (info.verb === '') throw notSupported(definition, '');
  if (info.subresource !== '' && !SUBRESOURCE_VERBS.has(info.verb)) throw notSupported(definition, info.verb);
}

/** The verb, where the resource has it and the path has a place for it. */
function verbOf({ info, definition }: VerbContext): Verb {
  const verb = memberOf(VERBS, info.verb);
  if (verb === undefined || !definition.verbs.includes(info.verb)) throw methodNotAllowed();
  const misplaced = ON_COLLECTION.has(info.verb) !== (info.name === '') && !info.watchPrefix;
  if (misplaced && !(definition.custom !== undefined && info.verb === 'create')) throw methodNotAllowed();
  if (info.verb === 'create' && definition.namespaced && info.namespace === '') throw methodNotAllowed();
  return verb;
}

/** Methods that custom resources do not have. */
export function notSupported(definition: ResourceDefinition, verb: string): StatusError {
  return new StatusError(
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind "${qualified(definition)}"`,
    { details: detailsOf(definition, '') },
  );
}
