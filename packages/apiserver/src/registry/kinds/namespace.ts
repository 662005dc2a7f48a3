/** Namespaces: a label with their own name, a finalizer until they are empty, a phase. */
import { STANDARD_FINALIZERS } from '../../verbs/metadata.ts';
import { type FieldError, invalid } from '../../wire/field-errors.ts';
import { arrayAt, asString, type KubeObject, stringAt } from '../../wire/json.ts';
import { labelKeyProblems } from '../../wire/label-selector.ts';
import type { KindRules } from '../definition.ts';
import { ensure } from './fill.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';

export const namespaceRules: KindRules = {
  nameRule: 'label',
  selectable: ['status.phase'],
  select: (object, field) => (field === 'status.phase' ? stringAt(object, 'status', 'phase') : ''),
  default: (object: KubeObject) => {
    const name = object.metadata.name ?? '';
    if (name !== '') object.metadata.labels = { ...object.metadata.labels, [NAME_LABEL]: name };
  },
  prepareCreate: (object) => {
    object['status'] = { phase: 'Active' };
    const spec = ensure(object, 'spec');
    const finalizers = Array.isArray(spec['finalizers']) ? spec['finalizers'] : [];
    if (!finalizers.includes('kubernetes')) spec['finalizers'] = [...finalizers, 'kubernetes'];
  },
  prepareUpdate: (object, old) => {
    object['spec'] = old['spec'];
  },
  validate: (object) =>
    arrayAt(object, 'spec', 'finalizers').flatMap((name) => finalizerErrors(asString(name))),
};

function finalizerErrors(name: string): FieldError[] {
  const path = 'spec.finalizers';
  const isKnown = name.includes('/') || STANDARD_FINALIZERS.has(name);
  return [
    ...labelKeyProblems(name).map((problem) => invalid(path, name, problem)),
    ...(isKnown
      ? []
      : [invalid(path, name, 'name is neither a standard finalizer name nor is it fully qualified')]),
  ];
}
