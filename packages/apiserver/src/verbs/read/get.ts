/** GET of one object. */
import { StatusError } from '@podvisor/base';
import type { Stored } from '../../object-store.ts';
import type { ResourceDefinition } from '../../registry/definition.ts';
import type { VerbContext } from '../../core.ts';
import { badRequest, notFound, ReasonlessError } from '../../wire/status.ts';
import type { Answer } from '../answer.ts';
import { storeKey } from '../serialize.ts';

export async function get(context: VerbContext): Promise<Answer> {
  await requireRevision(context);
  return { kind: 'object', code: 200, stored: find(context) };
}

/** The durable object that the URL names. */
export function find({ core, definition, info }: VerbContext): Stored {
  const stored = core.store.get(storeKey(definition, definition.namespaced ? info.namespace : '', info.name));
  if (stored === undefined) throw notFound(named(definition), info.name);
  return stored;
}

/**
 * Reads `resourceVersion` of the query; undefined when there is none. One that is no number is a bad request
 * of a list or of what deletes one; reads and watches of Kubernetes answer 500, and so do ours.
 */
export function queryRevision({ info }: VerbContext): number | undefined {
  const text = info.query.get('resourceVersion') ?? '';
  if (text === '') return undefined;
  const problem = unsignedProblem(text);
  if (problem === undefined) return Number(text);
  const message = `resourceVersion: Invalid value: "${text}": ${problem}`;
  throw info.verb === 'list' || info.verb === 'deletecollection'
    ? badRequest(`invalid resource version: ${message}`)
    : new ReasonlessError(500, message);
}

const LARGEST = 2n ** 64n - 1n;

function unsignedProblem(text: string): string | undefined {
  const what = `strconv.ParseUint: parsing "${text}"`;
  if (!/^[0-9]+$/.test(text)) return `${what}: invalid syntax`;
  return BigInt(text) > LARGEST ? `${what}: value out of range` : undefined;
}

/** A reader of a revision that is still to come waits this long for it. */
const WAIT_FOR_REVISION_MS = 3000;

/** The revision that the query asks for, once we have reached it; 504 when that takes too long. */
export async function requireRevision(context: VerbContext): Promise<number | undefined> {
  const revision = queryRevision(context);
  const { store, clock } = context.core;
  if (revision === undefined || revision <= store.revision) return revision;
  await new Promise<void>((resolve) => {
    const cancel = clock.after(WAIT_FOR_REVISION_MS, resolve);
    context.signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
  if (revision > store.revision) throw tooLarge(revision, store.revision);
  return revision;
}

function tooLarge(asked: number, current: number): StatusError {
  return new StatusError('Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}

/** Component statuses are the one kind that errors name in the singular. */
function named(definition: ResourceDefinition): { group: string; plural: string } {
  return definition.plural === 'componentstatuses' ? { group: '', plural: 'componentstatus' } : definition;
}
