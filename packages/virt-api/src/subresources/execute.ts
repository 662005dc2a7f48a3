/** Carries out what a decider decided. Interfaces are small so that tests can record every call. */
import { assertNever, messageOf, StatusError } from '@podvisor/base';
import type { JsonPatchOperation } from '@podvisor/kube';
import {
  conflict,
  type Decision,
  internalError,
  isPatchNotApplied,
  type PatchCall,
  type PatchFailure,
  type PatchTarget,
  type SubresourceRequest,
  VM_KIND,
} from './decision.ts';

export interface ExecutionIo {
  patch(
    target: PatchTarget,
    key: { readonly namespace: string; readonly name: string },
    patch: readonly JsonPatchOperation[],
    dryRun: boolean,
  ): Promise<void>;
  createMigration(
    namespace: string,
    spec: { readonly vmiName: string; readonly addedNodeSelector?: Readonly<Record<string, string>> },
    dryRun: boolean,
  ): Promise<void>;
  /** Calls virt-handler on the VMI's node. */
  callHandler(call: Extract<Decision, { kind: 'handler' }>): Promise<Answer>;
}

export interface Answer {
  readonly code: number;
  readonly contentType?: string;
  readonly body?: string | Buffer;
}

/** A decision that ends in one answer; streams are served elsewhere. */
export type FiniteDecision = Exclude<Decision, { kind: 'stream' | 'forward' }>;

export async function execute(
  decision: FiniteDecision,
  request: SubresourceRequest,
  io: ExecutionIo,
): Promise<Answer> {
  switch (decision.kind) {
    case 'answer':
      return { code: 200, contentType: 'application/json', body: JSON.stringify(decision.body) };
    case 'patch':
      await applyPatches(decision.patches, request, decision.dryRun, io);
      if (decision.refusal !== undefined) throw decision.refusal;
      return { code: decision.code };
    case 'migrate': {
      const { vmiName, addedNodeSelector } = decision;
      try {
        await io.createMigration(request.namespace, { vmiName, addedNodeSelector }, decision.dryRun);
      } catch (error) {
        throw internalError(messageOf(error));
      }
      return { code: 202 };
    }
    case 'handler':
      return decision.dryRun ? { code: 200 } : callHandler(decision, io);
    default:
      return assertNever(decision);
  }
}

/** In order. When one fails, the ones before it are undone as far as they can be. */
async function applyPatches(
  patches: readonly PatchCall[],
  { namespace, name }: SubresourceRequest,
  dryRun: boolean,
  io: ExecutionIo,
): Promise<void> {
  const done: PatchCall[] = [];
  for (const call of patches) {
    try {
      await io.patch(call.target, { namespace, name }, call.patch, dryRun);
    } catch (error) {
      for (const { target, rollback } of done.toReversed()) {
        // Best effort: the caller hears of the failure that caused it, not of a failed undo.
        if (rollback !== undefined)
          await io.patch(target, { namespace, name }, rollback, dryRun).catch(() => undefined);
      }
      throw patchFailure(error, call.failure, name);
    }
    done.push(call);
  }
}

function patchFailure(error: unknown, failure: PatchFailure, name: string): StatusError {
  const message = messageOf(error);
  switch (failure.kind) {
    case 'conflict':
      return isOutrun(error) ? conflict(VM_KIND, name, message) : internalError(message);
    case 'internal':
      return internalError(message);
    case 'invalid':
      return error instanceof StatusError && error.reason === 'Invalid'
        ? error
        : internalError(`unable to patch ${failure.what}: ${message}`);
    default:
      return assertNever(failure);
  }
}

/** Somebody else was faster: to be tried again. What a webhook refuses is refused again. */
function isOutrun(error: unknown): boolean {
  return (error instanceof StatusError && error.code === 409) || isPatchNotApplied(messageOf(error));
}

async function callHandler(
  decision: Extract<Decision, { kind: 'handler' }>,
  io: ExecutionIo,
): Promise<Answer> {
  const { failure, method } = decision;
  try {
    const answer = await io.callHandler(decision);
    return method === 'PUT' ? { code: 200 } : answer;
  } catch (error) {
    // Whoever asked learns that asking again is no use.
    if (error instanceof StatusError && error.code === 422) throw error;
    const message = messageOf(error);
    throw internalError(failure === undefined ? message : `${failure}: ${message}`);
  }
}
