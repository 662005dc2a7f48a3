/** The Pod template of workloads. */
import { validateAnnotations, validateLabels } from '../../verbs/metadata.ts';
import { type FieldError, forbidden } from '../../wire/field-errors.ts';
import { at, type JsonObject, objectAt } from '../../wire/json.ts';
import { ensure } from './fill.ts';
import { defaultPodSpec } from './pod/defaults.ts';

/** Defaults of `template` inside `spec`. */
export function defaultTemplate(spec: JsonObject): void {
  const template = ensure(spec, 'template');
  ensure(template, 'metadata');
  defaultPodSpec(ensure(template, 'spec'), true);
}

/** Labels and annotations that Pods will carry. Kubernetes leaves `metadata` out of the field's name. */
export function templateMetadataErrors(template: JsonObject, path: string): FieldError[] {
  const texts = (field: string): Record<string, string> =>
    objectAt(template, 'metadata', field) as Record<string, string>;
  return [
    ...validateLabels(texts('labels'), `${path}.labels`),
    ...validateAnnotations(texts('annotations'), `${path}.annotations`),
  ];
}

/** Pods that are replaced when they end may not end by a deadline of their own. */
export function deadlineErrors(template: JsonObject, path: string, kind: string): FieldError[] {
  return at(template, 'spec', 'activeDeadlineSeconds') === undefined
    ? []
    : [forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)];
}
