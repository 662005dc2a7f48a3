/** The VMI inside a template of a VM, a replica set or a pool. */
import type { VMISpec } from './types/index.ts';

interface Template {
  readonly spec?: VMISpec;
}

const NOTHING_ASKED: VMISpec = { domain: { devices: {} } };

/** A template that says nothing of its VMI asks for one in which everything is the default; no template asks for none. */
export function templateSpec(template: Template): VMISpec;
export function templateSpec(template: Template | undefined): VMISpec | undefined;
export function templateSpec(template: Template | undefined): VMISpec | undefined {
  return template && (template.spec ?? NOTHING_ASKED);
}
