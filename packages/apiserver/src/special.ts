/** Resources and subresources with a behaviour of their own that needs more than the store. */
import { admitConnect } from './admission/connect.ts';
import type { TokenIssuer } from './authn/tokens.ts';
import { reviewHandlers } from './authz/reviews.ts';
import type { Core, VerbContext } from './core.ts';
import type { LocalClient } from './local-client.ts';
import { proxyToNode, proxyToPod, proxyToService } from './streaming/http-proxy.ts';
import type { NodeProxy } from '@podvisor/home-contract';
import { plainConnect } from './streaming/plain-connect.ts';
import { podLogWith } from './streaming/pod-log.ts';
import type { Answer } from './verbs/answer.ts';
import { evictWith } from './verbs/subresources/eviction.ts';
import { bindNamed } from './verbs/subresources/pod-binding.ts';
import { requestTokenWith } from './verbs/subresources/token-request.ts';

export function installSpecial(
  { special }: Core,
  local: LocalClient,
  tokens: TokenIssuer,
  nodeProxy: NodeProxy | undefined,
): void {
  for (const [name, handler] of Object.entries(reviewHandlers(tokens))) special.set(name, handler);
  for (const name of ['exec', 'attach', 'portforward']) special.set(`/pods/${name}`, plainConnect);
  for (const [name, proxy] of Object.entries({
    '/pods/proxy': proxyToPod,
    '/services/proxy': proxyToService,
    '/nodes/proxy': proxyToNode,
  }))
    special.set(name, admitted(proxy));
  special.set('/bindings', bindNamed);
  special.set('/pods/eviction', evictWith(local));
  special.set('/pods/log', podLogWith(nodeProxy));
  special.set('/serviceaccounts/token', requestTokenWith(tokens));
}

/** Asks admission before a request is sent on. */
function admitted(
  proxy: (context: VerbContext) => Answer | Promise<Answer>,
): (context: VerbContext) => Promise<Answer> {
  return async (context) => {
    await admitConnect(context.core, context.definition, context.info, context.user);
    return proxy(context);
  };
}
