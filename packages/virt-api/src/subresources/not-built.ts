/** Endpoints that exist in the API and are not built yet: a clear answer instead of a wrong one. */
import { StatusError } from '@podvisor/base';
import type { Decider } from './decision.ts';

/** 501 with one sentence. */
export function notBuiltError(what: string): StatusError {
  return new StatusError('Unknown', `${what} is not available yet in this version.`, { code: 501 });
}

export function notBuilt(what: string): Decider {
  return () => {
    throw notBuiltError(what);
  };
}
