/** The status of a CustomResourceDefinition: accepted names, conditions, stored versions. Pure. */
import {
  arrayAt,
  asString,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../wire/json.ts';

/** The status a CRD should have; undefined when it has it. */
export function nextStatus(
  crd: KubeObject,
  others: readonly KubeObject[],
  now: string,
): JsonObject | undefined {
  const group = stringAt(crd, 'spec', 'group');
  const asked = objectAt(crd, 'spec', 'names');
  const rivals = others
    .filter((other) => stringAt(other, 'spec', 'group') === group)
    .map((other) => objectAt(other, 'status', 'acceptedNames'));
  const taken = (key: string): Set<string> =>
    new Set(rivals.map((names) => stringAt(names, key)).filter((name) => name !== ''));
  const conflicts: { reason: string; message: string }[] = [];
  const accepted: JsonObject = { ...objectAt(crd, 'status', 'acceptedNames') };
  const all = new Set([
    ...taken('plural'),
    ...taken('singular'),
    ...rivals.flatMap((names) => arrayAt(names, 'shortNames').map(asString)),
  ]);
  const kinds = new Set([...taken('kind'), ...taken('listKind')]);
  const take = (key: string, reason: string, used: ReadonlySet<string>): void => {
    const name = stringAt(asked, key);
    if (used.has(name)) conflicts.push({ reason, message: `"${name}" is already in use` });
    else accepted[key] = name;
  };
  take('plural', 'PluralConflict', all);
  take('singular', 'SingularConflict', all);
  const shorts = arrayAt(asked, 'shortNames').map(asString);
  const used = shorts.filter((name) => all.has(name));
  if (used.length > 0)
    conflicts.push({
      reason: 'ShortNamesConflict',
      message: used.map((name) => `"${name}" is already in use`).join(', '),
    });
  else if (shorts.length > 0) accepted['shortNames'] = shorts;
  else delete accepted['shortNames'];
  take('kind', 'KindConflict', kinds);
  take('listKind', 'ListKindConflict', kinds);
  const categories = arrayAt(asked, 'categories');
  if (categories.length > 0) accepted['categories'] = categories;
  else delete accepted['categories'];
  let conditions = arrayAt(crd, 'status', 'conditions');
  const last = conflicts.at(-1);
  if (last === undefined) {
    conditions = setCondition(
      conditions,
      { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
      now,
    );
    conditions = setCondition(
      conditions,
      {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      },
      now,
    );
  } else {
    conditions = setCondition(conditions, { type: 'NamesAccepted', status: 'False', ...last }, now);
    if (!conditions.some((c) => stringAt(c, 'type') === 'Established')) {
      conditions = setCondition(
        conditions,
        {
          type: 'Established',
          status: 'False',
          reason: 'NotAccepted',
          message: 'not all names are accepted',
        },
        now,
      );
    }
  }
  const storage = arrayAt(crd, 'spec', 'versions')
    .filter((v) => objectAt({ v }, 'v')['storage'] === true)
    .map((v) => stringAt(v, 'name'));
  const stored = [...new Set([...arrayAt(crd, 'status', 'storedVersions').map(asString), ...storage])];
  const status: JsonObject = { acceptedNames: accepted, conditions, storedVersions: stored };
  const current = objectAt(crd, 'status');
  const same = JSON.stringify(sortable(current)) === JSON.stringify(sortable({ ...current, ...status }));
  return same ? undefined : status;
}

function sortable(status: JsonObject): Json {
  const names = objectAt(status, 'acceptedNames');
  return [
    Object.entries(names).toSorted(),
    arrayAt(status, 'conditions'),
    arrayAt(status, 'storedVersions'),
  ] as unknown as Json;
}

export function setCondition(
  conditions: readonly Json[],
  condition: { type: string; status: string; reason: string; message: string },
  now: string,
): Json[] {
  const index = conditions.findIndex((c) => stringAt(c, 'type') === condition.type);
  const old = index < 0 ? undefined : conditions[index];
  if (
    old !== undefined &&
    stringAt(old, 'status') === condition.status &&
    stringAt(old, 'reason') === condition.reason &&
    stringAt(old, 'message') === condition.message
  )
    return [...conditions];
  const entry = {
    type: condition.type,
    status: condition.status,
    lastTransitionTime:
      old !== undefined && stringAt(old, 'status') === condition.status
        ? stringAt(old, 'lastTransitionTime')
        : now,
    reason: condition.reason,
    message: condition.message,
  };
  return index < 0 ? [...conditions, entry] : conditions.map((c, i) => (i === index ? entry : c));
}
