/** `pods/eviction`: deletes a Pod unless a disruption budget says no. */
import { rfc3339, StatusError } from '@podvisor/base';
import type { Attributes } from '../../admission/attributes.ts';
import { type VerbContext, warn } from '../../core.ts';
import type { LocalClient } from '../../local-client.ts';
import {
  asObject,
  at,
  type JsonObject,
  type KubeObject,
  objectAt,
  parseJson,
  stringAt,
} from '../../wire/json.ts';
import { matcherOf } from '../../wire/label-selector.ts';
import { badRequest, notFound, ReasonlessError } from '../../wire/status.ts';
import type { Answer } from '../answer.ts';
import { deleteObject } from '../delete/delete.ts';
import type { DeleteOptions } from '../delete/delete-options.ts';
import { storeKey } from '../serialize.ts';

const BUDGETS = 'policy/poddisruptionbudgets';

/** Makes the handler; writes to budgets go through `local`. */
export function evictWith(local: LocalClient): (context: VerbContext) => Promise<Answer> {
  return async (context) => {
    const { info, definition, core } = context;
    const body = asObject(parseJson((await context.readBody()) || '{}')) ?? {};
    const name = stringAt(body, 'metadata', 'name');
    if (name !== '' && name !== info.name)
      throw badRequest('name in URL does not match name in Eviction object');
    const key = storeKey(definition, info.namespace, info.name);
    const pod = core.store.latest(key)?.object;
    if (pod === undefined) throw notFound(definition, info.name);
    const given = objectAt(body, 'deleteOptions');
    const dryRun =
      info.query.getAll('dryRun').includes('All') ||
      (Array.isArray(given['dryRun']) && given['dryRun'].includes('All'));
    await admit(context, body, dryRun);
    const budget = needsBudget(pod)
      ? findBudget(
          core.store.list(BUDGETS).map((stored) => stored.object),
          pod,
        )
      : undefined;
    if (budget !== undefined) await useBudget(context, local, budget, pod, dryRun);
    if (!dryRun && needsBudget(pod)) await markDisrupted(context, local, pod);
    const grace = at(given, 'gracePeriodSeconds');
    const options: DeleteOptions = {
      dryRun,
      gracePeriodSeconds: typeof grace === 'number' ? grace : undefined,
      propagationPolicy: stringAt(given, 'propagationPolicy') || undefined,
      orphanDependents: undefined,
      preconditions: {
        ...(stringAt(given, 'preconditions', 'uid') === ''
          ? {}
          : { uid: stringAt(given, 'preconditions', 'uid') }),
      },
      given: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', ...given },
    };
    await deleteObject({ ...context, info: { ...info, subresource: '' } }, key, info.name, options);
    return {
      kind: 'other',
      code: 201,
      body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    };
  };
}

/** Webhooks for `pods/eviction` have their say before any budget is touched. */
async function admit(context: VerbContext, body: JsonObject, dryRun: boolean): Promise<void> {
  const { core, definition, info, user } = context;
  const object: KubeObject = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    ...body,
    metadata: { ...objectAt(body, 'metadata'), name: info.name, namespace: info.namespace },
  };
  const attributes: Attributes = {
    operation: 'CREATE',
    definition,
    subresource: 'eviction',
    namespace: info.namespace,
    name: info.name,
    object,
    oldObject: undefined,
    user,
    dryRun,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    warn: (text) => warn(context, text),
  };
  await core.admission.mutate(attributes);
  await core.admission.validate(attributes);
}

/** Pods that do not run, or are going anyway, disturb nobody. */
function needsBudget(pod: KubeObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return phase === 'Running' && pod.metadata.deletionTimestamp === undefined;
}

function findBudget(budgets: readonly KubeObject[], pod: KubeObject): KubeObject | undefined {
  const found = budgets.filter(
    (budget) =>
      budget.metadata.namespace === pod.metadata.namespace &&
      matcherOf(at(budget, 'spec', 'selector'))(pod.metadata.labels),
  );
  if (found.length > 1)
    throw new ReasonlessError(
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  return found[0];
}

function refused(message: string, retryAfterSeconds?: number): StatusError {
  return new StatusError(
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    {
      details: {
        causes: [{ reason: 'DisruptionBudget', message }],
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      },
    },
  );
}

async function useBudget(
  { core }: VerbContext,
  local: LocalClient,
  budget: KubeObject,
  pod: KubeObject,
  dryRun: boolean,
): Promise<void> {
  const name = budget.metadata.name ?? '';
  const status = objectAt(budget, 'status');
  if (Number(status['observedGeneration'] ?? 0) < (budget.metadata.generation ?? 0)) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const allowed = Number(status['disruptionsAllowed'] ?? 0);
  const [desired, healthy] = [Number(status['desiredHealthy'] ?? 0), Number(status['currentHealthy'] ?? 0)];
  if (allowed <= 0) {
    throw refused(
      healthy <= desired
        ? `The disruption budget ${name} needs ${desired} healthy pods and has ${healthy} currently`
        : `The disruption budget ${name} does not allow evicting pods currently`,
    );
  }
  if (dryRun) return;
  const disrupted: JsonObject = {
    ...objectAt(status, 'disruptedPods'),
    [pod.metadata.name ?? '']: rfc3339(core.clock.now()),
  };
  await local.mergePatch(
    `/apis/policy/v1/namespaces/${budget.metadata.namespace}/poddisruptionbudgets/${name}/status`,
    { status: { disruptionsAllowed: allowed - 1, disruptedPods: disrupted } },
  );
}

async function markDisrupted({ core }: VerbContext, local: LocalClient, pod: KubeObject): Promise<void> {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: rfc3339(core.clock.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const others = (at(pod, 'status', 'conditions') ?? []) as JsonObject[];
  const conditions = [...others.filter((c) => c['type'] !== 'DisruptionTarget'), condition];
  await local.mergePatch(`/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}/status`, {
    status: { conditions },
  });
}
