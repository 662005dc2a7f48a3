/** Subresources: status, scale and the special ones of built-in kinds. */
import { memberOf } from '@podvisor/base';
import type { VerbContext } from '../../core.ts';
import { methodNotAllowed } from '../../wire/status.ts';
import type { Answer } from '../answer.ts';
import { get } from '../read/get.ts';
import { patch } from '../patch.ts';
import { bind } from './pod-binding.ts';
import { scale } from './scale.ts';
import { update } from '../update.ts';
import type { ApiRequest, ApiResponse } from '../../wire/exchange.ts';

type Handler = (context: VerbContext, request: ApiRequest, response: ApiResponse) => Answer | Promise<Answer>;

/** Subresources with their own behaviour, by `group/plural/subresource` or `*` for any resource. */
const SPECIAL: Readonly<Record<string, Handler>> = {
  '*/scale': scale,
  '/pods/binding': bind,
};

export function subresource(
  context: VerbContext,
  request: ApiRequest,
  response: ApiResponse,
): Answer | Promise<Answer> {
  const { info, definition } = context;
  const found = definition.subresources.get(info.subresource);
  if (found === undefined || !found.verbs.includes(info.verb)) throw methodNotAllowed();
  const injected = context.core.special.get(`${definition.group}/${definition.plural}/${info.subresource}`);
  if (injected !== undefined) return injected(context);
  const special =
    memberOf(SPECIAL, `${definition.group}/${definition.plural}/${info.subresource}`) ??
    memberOf(SPECIAL, `*/${info.subresource}`);
  if (special !== undefined) return special(context, request, response);
  if (info.verb === 'get') return get(context);
  if (info.verb === 'update') return update(context);
  if (info.verb === 'patch') return patch(context);
  throw methodNotAllowed();
}
