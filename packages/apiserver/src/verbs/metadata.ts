/** The rules that hold for the metadata of every object. */
import { deepEqual } from '@podvisor/base';
import { areTooLarge, MAX_ANNOTATIONS } from '../registry/annotations.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from '../wire/field-errors.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../wire/json.ts';
import { labelKeyProblems, labelValueProblems, SUBDOMAIN_TEXT } from '../wire/label-selector.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
export const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
export const label1035Text =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

export function subdomainProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 253) problems.push('must be no more than 253 characters');
  if (!SUBDOMAIN.test(name)) problems.push(SUBDOMAIN_TEXT);
  return problems;
}

export function labelProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 63) problems.push('must be no more than 63 characters');
  // A sound subdomain that is no label has dots, and is told just that.
  if (!LABEL.test(name)) problems.push(SUBDOMAIN.test(name) ? 'must not contain dots' : LABEL_TEXT);
  return problems;
}

export function label1035Problems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 63) problems.push('must be no more than 63 characters');
  if (!LABEL1035.test(name)) problems.push(label1035Text);
  return problems;
}

export function pathNameProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((c) => name.includes(c)).map((c) => `may not contain '${c}'`);
}

const NAME_RULES = {
  subdomain: subdomainProblems,
  label: labelProblems,
  path: pathNameProblems,
};

/** Rules of metadata on create; also part of an update. */
export function validateMetadata(definition: ResourceDefinition, object: KubeObject): FieldError[] {
  const { metadata } = object;
  const errors: FieldError[] = [];
  const nameProblems = NAME_RULES[definition.rules.nameRule ?? 'subdomain'];
  const name = metadata.name ?? '';
  const generateName = metadata.generateName ?? '';
  if (generateName !== '') {
    // The suffix that the server adds is checked as part of the name.
    for (const problem of nameProblems(
      `${generateName.replace(/-$/, '')}${generateName.endsWith('-') ? 'a' : ''}`.slice(0, 248),
    )) {
      errors.push(invalid('metadata.generateName', generateName, problem));
    }
  }
  if (name === '') {
    if (generateName === '') errors.push(required('metadata.name', 'name or generateName is required'));
  } else for (const problem of nameProblems(name)) errors.push(invalid('metadata.name', name, problem));
  if (definition.namespaced) {
    if ((metadata.namespace ?? '') === '') errors.push(required('metadata.namespace'));
    else
      for (const problem of labelProblems(metadata.namespace ?? ''))
        errors.push(invalid('metadata.namespace', metadata.namespace, problem));
  }
  if ((metadata.generation ?? 0) < 0)
    errors.push(invalid('metadata.generation', metadata.generation, 'must be greater than or equal to 0'));
  errors.push(...validateLabels(metadata.labels, 'metadata.labels'));
  errors.push(...validateAnnotations(metadata.annotations, 'metadata.annotations'));
  errors.push(...validateOwners(metadata.ownerReferences ?? []));
  errors.push(...validateFinalizers(metadata, isGeneric(definition)));
  return errors;
}

export function validateLabels(labels: ObjectMeta['labels'], field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const problem of labelKeyProblems(key)) errors.push(invalid(field, key, problem));
    for (const problem of labelValueProblems(value)) errors.push(invalid(field, value, problem));
  }
  return errors;
}

export function validateAnnotations(annotations: ObjectMeta['annotations'], field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(annotations ?? {}))
    for (const problem of labelKeyProblems(key.toLowerCase())) errors.push(invalid(field, key, problem));
  if (areTooLarge(annotations ?? {})) errors.push(tooLong(field, MAX_ANNOTATIONS));
  return errors;
}

function validateOwners(owners: readonly OwnerReference[]): FieldError[] {
  const field = 'metadata.ownerReferences';
  const errors: FieldError[] = [];
  let controller: OwnerReference | undefined;
  for (const owner of owners) {
    const version = (owner.apiVersion ?? '').split('/').at(-1) ?? '';
    if (version === '')
      errors.push(invalid(`${field}.apiVersion`, owner.apiVersion ?? '', 'version must not be empty'));
    for (const key of ['kind', 'name', 'uid'] as const) {
      if ((owner[key] ?? '') === '')
        errors.push(invalid(`${field}.${key}`, owner[key] ?? '', 'must not be empty'));
    }
    if (
      owner.kind === 'Event' &&
      (owner.apiVersion === 'v1' || owner.apiVersion.startsWith('events.k8s.io/'))
    ) {
      const [group, v] = owner.apiVersion.includes('/')
        ? owner.apiVersion.split('/')
        : ['', owner.apiVersion];
      errors.push(invalid(field, owner, `${group}/${v}, Kind=Event is disallowed from being an owner`));
    }
    if (owner.controller === true) {
      if (controller !== undefined) {
        errors.push(
          invalid(
            field,
            owners,
            `Only one reference can have Controller set to true. Found "true" in references for ${controller.kind}/${controller.name} and ${owner.kind}/${owner.name}`,
          ),
        );
      }
      controller = owner;
    }
  }
  return errors;
}

export const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Kinds outside the core of Kubernetes take any qualified name as a finalizer. */
function isGeneric({ custom, group }: ResourceDefinition): boolean {
  return custom !== undefined || group === 'apiextensions.k8s.io' || group === 'apiregistration.k8s.io';
}

function validateFinalizers({ finalizers }: ObjectMeta, generic: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const field = 'metadata.finalizers';
  (finalizers ?? []).forEach((name, i) => {
    for (const problem of labelKeyProblems(name)) errors.push(invalid(field, name, problem));
    if (!generic && !name.includes('/') && !STANDARD_FINALIZERS.has(name)) {
      errors.push(
        invalid(
          `${field}[${i}]`,
          name,
          'name is neither a standard finalizer name nor is it fully qualified',
        ),
      );
    }
  });
  const all = new Set(finalizers ?? []);
  if (all.has('orphan') && all.has('foregroundDeletion')) {
    errors.push(invalid(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

/** What may not change in metadata. */
export function validateMetadataUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [object.metadata, old.metadata];
  const errors: FieldError[] = [
    ...validateLabels(now.labels, 'metadata.labels'),
    ...validateAnnotations(now.annotations, 'metadata.annotations'),
    ...validateOwners(now.ownerReferences ?? []),
  ];
  if (before.deletionTimestamp !== undefined) {
    const added = (now.finalizers ?? []).filter((f) => !(before.finalizers ?? []).includes(f));
    if (added.length > 0) {
      errors.push(
        forbidden(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers [${added.map((f) => `"${f}"`).join(', ')}]`
            .replace(/\["/, '[]string{"')
            .replace(/"\]$/, '"}'),
        ),
      );
    }
  }
  const immutable = [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ] as const;
  for (const key of immutable) {
    if (!deepEqual(now[key], before[key])) {
      const error = invalid(
        `metadata.${key}`,
        now[key] ?? (key === 'deletionGracePeriodSeconds' ? null : ''),
        'field is immutable',
      );
      errors.push(error);
    }
  }
  if ((now.generation ?? 0) < (before.generation ?? 0))
    errors.push(invalid('metadata.generation', now.generation ?? 0, 'must not be decremented'));
  return errors;
}
