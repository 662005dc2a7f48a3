/** The Pod template of workloads. */
import type { JsonObject } from '../../wire/json.ts';
import { ensure } from './fill.ts';
import { defaultPodSpec } from './pod/defaults.ts';

/** Defaults of `template` inside `spec`. */
export function defaultTemplate(spec: JsonObject): void {
  const template = ensure(spec, 'template');
  ensure(template, 'metadata');
  defaultPodSpec(ensure(template, 'spec'), true);
}
