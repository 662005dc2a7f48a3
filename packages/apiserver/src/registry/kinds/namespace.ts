/** Namespaces: a label with their own name, a finalizer until they are empty, a phase. */
import { type KubeObject, stringAt } from '../../wire/json.ts';
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
};
