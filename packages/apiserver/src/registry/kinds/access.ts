/** RBAC kinds: names are free, bindings keep their role. */
import { deepEqual } from '@podvisor/base';
import { pathNameProblems, subdomainProblems } from '../../verbs/metadata.ts';
import { type FieldError, invalid, notSupported, required } from '../../wire/field-errors.ts';
import { arrayAt, at, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import { labelSelectorErrors } from '../../wire/selector-rules.ts';
import type { KindRules } from '../definition.ts';
import { fill, own, ownItems } from './fill.ts';

const GROUP = 'rbac.authorization.k8s.io';

function validateRules(object: KubeObject, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  arrayAt(object, 'rules').forEach((rule, i) => {
    const path = `rules[${i}]`;
    if (arrayAt(rule, 'verbs').length === 0)
      errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
    const urls = arrayAt(rule, 'nonResourceURLs');
    if (urls.length > 0) {
      if (namespaced)
        errors.push(
          invalid(`${path}.nonResourceURLs`, urls, 'namespaced rules cannot apply to non-resource URLs'),
        );
      if (['apiGroups', 'resources', 'resourceNames'].some((key) => arrayAt(rule, key).length > 0)) {
        errors.push(
          invalid(
            `${path}.nonResourceURLs`,
            urls,
            'rules cannot apply to both regular resources and non-resource URLs',
          ),
        );
      }
      return;
    }
    if (arrayAt(rule, 'apiGroups').length === 0)
      errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
    if (arrayAt(rule, 'resources').length === 0)
      errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  });
  return errors;
}

/** A role that is made of others has to say of which. */
function aggregationErrors(object: KubeObject): FieldError[] {
  if (at(object, 'aggregationRule') === undefined) return [];
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = arrayAt(object, 'aggregationRule', 'clusterRoleSelectors');
  if (selectors.length === 0)
    return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return selectors.flatMap((selector, i) => labelSelectorErrors(selector, `${path}[${i}]`));
}

/** What is stored makes no difference between no rules and an empty list of them. */
function emptyIsNull(object: KubeObject): void {
  if (arrayAt(object, 'rules').length === 0) object['rules'] = null;
}

export const roleRules: KindRules = {
  nameRule: 'path',
  createOnUpdate: true,
  prepareCreate: emptyIsNull,
  prepareUpdate: emptyIsNull,
  validate: (object) => validateRules(object, true),
};
export const clusterRoleRules: KindRules = {
  nameRule: 'path',
  createOnUpdate: true,
  prepareCreate: emptyIsNull,
  prepareUpdate: emptyIsNull,
  validate: (object) => [...validateRules(object, false), ...aggregationErrors(object)],
};

function validateBinding(object: KubeObject, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const group = stringAt(object, 'roleRef', 'apiGroup');
  if (group !== GROUP) errors.push(notSupported('roleRef.apiGroup', group, [GROUP]));
  const kind = stringAt(object, 'roleRef', 'kind');
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  const role = stringAt(object, 'roleRef', 'name');
  if (role === '') errors.push(required('roleRef.name'));
  else for (const problem of pathNameProblems(role)) errors.push(invalid('roleRef.name', role, problem));
  arrayAt(object, 'subjects').forEach((subject, i) => {
    const path = `subjects[${i}]`;
    const name = stringAt(subject, 'name');
    if (name === '') errors.push(required(`${path}.name`));
    const subjectKind = stringAt(subject, 'kind');
    if (subjectKind === 'ServiceAccount') {
      if (name !== '')
        for (const problem of subdomainProblems(name)) errors.push(invalid(`${path}.name`, name, problem));
      if (stringAt(subject, 'namespace') === '' && !namespaced) errors.push(required(`${path}.namespace`));
      if (stringAt(subject, 'apiGroup') !== '')
        errors.push(notSupported(`${path}.apiGroup`, stringAt(subject, 'apiGroup'), ['']));
    } else if (subjectKind === 'User' || subjectKind === 'Group') {
      if (stringAt(subject, 'apiGroup') !== GROUP)
        errors.push(notSupported(`${path}.apiGroup`, stringAt(subject, 'apiGroup'), [GROUP]));
    } else errors.push(notSupported(`${path}.kind`, subjectKind, ['ServiceAccount', 'User', 'Group']));
  });
  return errors;
}

function bindingRules(namespaced: boolean): KindRules {
  return {
    nameRule: 'path',
    createOnUpdate: true,
    default: (object) => {
      const ref = own(object, 'roleRef');
      if (ref !== undefined && (ref['apiGroup'] ?? '') === '') ref['apiGroup'] = GROUP;
      for (const subject of ownItems(object, 'subjects')) {
        if (subject['kind'] === 'User' || subject['kind'] === 'Group') {
          if ((subject['apiGroup'] ?? '') === '') subject['apiGroup'] = GROUP;
        } else fill(subject, 'kind', '');
      }
    },
    validate: (object) => validateBinding(object, namespaced),
    validateUpdate: (object, old) =>
      deepEqual(at(object, 'roleRef'), at(old, 'roleRef'))
        ? []
        : [invalid('roleRef', goRef(object), 'cannot change roleRef')],
  };
}

function goRef(object: KubeObject): Record<string, unknown> {
  const ref = objectAt(object, 'roleRef');
  return { APIGroup: ref['apiGroup'], Kind: ref['kind'], Name: ref['name'] };
}

export const roleBindingRules = bindingRules(true);
export const clusterRoleBindingRules = bindingRules(false);
