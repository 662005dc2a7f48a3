/** What may change in a Pod after it was created. */
import { deepEqual } from '@podvisor/base';
import { changedFields } from '../../../wire/changed-fields.ts';
import { type FieldError, forbidden } from '../../../wire/field-errors.ts';
import {
  arrayAt,
  asObject,
  cloneJson,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
} from '../../../wire/json.ts';

const ONLY =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

export function validatePodUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [objectAt(object, 'spec'), objectAt(old, 'spec')];
  for (const key of ['containers', 'initContainers'] as const) {
    if (arrayAt(now, key).length !== arrayAt(before, key).length) {
      return [
        forbidden(
          `spec.${key}`,
          key === 'containers'
            ? 'pod updates may not add or remove containers'
            : 'pod updates may not add or remove containers',
        ),
      ];
    }
  }
  const errors: FieldError[] = [];
  const deadline = [before['activeDeadlineSeconds'], now['activeDeadlineSeconds']] as const;
  if (typeof deadline[0] === 'number' && typeof deadline[1] === 'number' && deadline[1] > deadline[0]) {
    errors.push({
      field: 'spec.activeDeadlineSeconds',
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${deadline[1]}: must be less than or equal to previous value`,
    });
  } else if (typeof deadline[0] === 'number' && deadline[1] === undefined) {
    errors.push({
      field: 'spec.activeDeadlineSeconds',
      reason: 'FieldValueInvalid',
      message: 'Invalid value: null: must not update from a positive integer to nil value',
    });
  }
  errors.push(...tolerationErrors(arrayAt(now, 'tolerations'), arrayAt(before, 'tolerations')));
  const allowed = withMutable(before, now);
  if (!deepEqual(withoutEmpty(allowed), withoutEmpty(now))) {
    // What may change is not part of the news.
    const rest = withMutable(now, before);
    errors.push(forbidden('spec', `${ONLY}\nchanged: ${changedFields(before, rest, 'spec').join(', ')}`));
  }
  return errors;
}

function tolerationErrors(now: readonly Json[], before: readonly Json[]): FieldError[] {
  const kept = before.every((old) =>
    now.some((item) => deepEqual(withoutSeconds(item), withoutSeconds(old))),
  );
  return kept
    ? []
    : [forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];
}

function withoutSeconds(toleration: Json): JsonObject {
  const { tolerationSeconds: _, ...rest } = asObject(toleration) ?? {};
  return rest;
}

/** The old spec with everything taken over that may change. */
function withMutable(before: JsonObject, now: JsonObject): JsonObject {
  const out = cloneJson(before);
  for (const key of ['containers', 'initContainers'] as const) {
    if (out[key] === undefined) continue;
    out[key] = arrayAt(out, key).map((container, i) => ({
      ...asObject(container),
      image: objectAt(arrayAt(now, key)[i])['image'] ?? '',
    }));
  }
  for (const key of ['activeDeadlineSeconds', 'tolerations', 'ephemeralContainers']) {
    if (now[key] === undefined) delete out[key];
    else out[key] = now[key];
  }
  if (Number(before['terminationGracePeriodSeconds'] ?? 0) < 0)
    out['terminationGracePeriodSeconds'] = now['terminationGracePeriodSeconds'];
  // Scheduling gates may be removed, and while there are any, node selection may be narrowed.
  if (arrayAt(before, 'schedulingGates').length > 0) {
    for (const key of ['schedulingGates', 'nodeSelector', 'affinity']) {
      if (now[key] === undefined) delete out[key];
      else out[key] = now[key];
    }
  }
  return out;
}

function withoutEmpty(spec: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
  );
}
