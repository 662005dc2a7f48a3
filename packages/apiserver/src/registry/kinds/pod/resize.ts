/** What may change of a Pod's resources while it runs. */
import { deepEqual } from '@podvisor/base';
import { type FieldError, forbidden, invalid } from '../../../wire/field-errors.ts';
import { arrayAt, at, type Json, type KubeObject, objectAt, stringAt } from '../../../wire/json.ts';
import { qosClass } from './qos.ts';

const RESIZABLE = new Set(['cpu', 'memory']);
const ONLY = 'only cpu and memory resources are mutable';

export function resizeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const quality = stringAt(old, 'status', 'qosClass') || qosClass(old['spec']);
  if (qosClass(object['spec']) !== quality)
    errors.push(invalid('spec', quality, 'Pod QOS Class may not change as a result of resizing'));
  for (const list of ['containers', 'initContainers']) {
    const [now, before] = [arrayAt(object, 'spec', list), arrayAt(old, 'spec', list)];
    if (now.length !== before.length)
      return [...errors, forbidden(`spec.${list}`, 'containers may not be added or removed on resize')];
    before.forEach((container, i) => {
      const sent = now[i] ?? {};
      if (deepEqual(objectAt({ sent }, 'sent'), objectAt({ container }, 'container'))) return;
      if (list === 'initContainers' && stringAt(container, 'restartPolicy') !== 'Always')
        errors.push(forbidden('spec', 'resources for non-sidecar init containers are immutable'));
      else errors.push(...containerErrors(sent, container, `spec.${list}[${i}].resources`));
    });
  }
  return errors;
}

function containerErrors(now: Json, before: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const kind of ['requests', 'limits']) {
    const [given, had] = [objectAt(now, 'resources', kind), objectAt(before, 'resources', kind)];
    if ([...RESIZABLE].some((name) => had[name] !== undefined && given[name] === undefined))
      errors.push(forbidden(`${path}.${kind}`, `resource ${kind} cannot be removed`));
  }
  if (!deepEqual(fixed(now), fixed(before))) errors.push(forbidden('spec', ONLY));
  return errors;
}

/** A container without what a resize may change. */
function fixed(container: Json): unknown {
  const rest = (kind: string): unknown =>
    Object.fromEntries(
      Object.entries(objectAt(container, 'resources', kind)).filter(([name]) => !RESIZABLE.has(name)),
    );
  return {
    ...objectAt({ container }, 'container'),
    resources: {
      requests: rest('requests'),
      limits: rest('limits'),
      claims: at(container, 'resources', 'claims'),
    },
  };
}
