/** What may change in a Pod after it was created. */
import { deepEqual } from '@podvisor/base';
import { changedFields } from '../../../wire/changed-fields.ts';
import { type FieldError, forbidden } from '../../../wire/field-errors.ts';
import {
  arrayAt,
  asObject,
  at,
  cloneJson,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
  sortedText,
} from '../../../wire/json.ts';

const ONLY =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** What a Pod cannot be born with. */
export function createErrors(object: KubeObject): FieldError[] {
  return arrayAt(object, 'spec', 'ephemeralContainers').length > 0
    ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
    : [];
}

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
  errors.push(...gateErrors(now, before));
  errors.push(...tolerationErrors(arrayAt(now, 'tolerations'), arrayAt(before, 'tolerations')));
  const allowed = withMutable(before, now);
  if (!deepEqual(withoutEmpty(allowed), withoutEmpty(now))) {
    // What may change is not part of the news.
    const rest = withMutable(now, before);
    errors.push(forbidden('spec', `${ONLY}\nchanged: ${changedFields(before, rest, 'spec').join(', ')}`));
  }
  return errors;
}

/** Gates are opened one by one; a new one would come too late. */
function gateErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const old = new Set(arrayAt(before, 'schedulingGates').map((gate) => stringAt(gate, 'name')));
  return arrayAt(now, 'schedulingGates').flatMap((gate, i) => {
    const name = stringAt(gate, 'name');
    return old.has(name)
      ? []
      : [
          forbidden(
            `spec.schedulingGates[${i}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ];
  });
}

function tolerationErrors(now: readonly Json[], before: readonly Json[]): FieldError[] {
  const left = new Set(now.map((item) => sortedText(withoutSeconds(item))));
  const kept = before.every((old) => left.has(sortedText(withoutSeconds(old))));
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
  for (const key of ['activeDeadlineSeconds', 'tolerations', 'schedulingGates']) {
    if (now[key] === undefined) delete out[key];
    else out[key] = now[key];
  }
  if (Number(before['terminationGracePeriodSeconds'] ?? 0) < 0)
    out['terminationGracePeriodSeconds'] = now['terminationGracePeriodSeconds'];
  // While gates hold a Pod back, the choice of its node may be narrowed.
  if (arrayAt(before, 'schedulingGates').length > 0) {
    if (now['nodeSelector'] === undefined) delete out['nodeSelector'];
    else out['nodeSelector'] = now['nodeSelector'];
    const affinity = { ...objectAt(out, 'affinity') };
    const node = at(now, 'affinity', 'nodeAffinity');
    if (node === undefined) delete affinity['nodeAffinity'];
    else affinity['nodeAffinity'] = node;
    if (Object.keys(affinity).length === 0 && now['affinity'] === undefined) delete out['affinity'];
    else out['affinity'] = affinity;
  }
  return out;
}

function withoutEmpty(spec: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
  );
}
