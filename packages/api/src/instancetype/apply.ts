/**
 * An instance type and a preference, applied to the spec of a VMI. The instance type owns its resources: a
 * spec that sets one of them itself is a conflict. The preference only fills what is left open.
 */
import { draftOf } from '../draft.ts';
import type {
  ObjectMeta,
  VirtualMachineInstancetypeSpec,
  VirtualMachinePreferenceSpec,
  VMISpec,
} from '../types/index.ts';
import { applyInstancetype } from './instancetype.ts';
import { applyPreference } from './preference.ts';

export interface Expansion {
  readonly instancetype?: VirtualMachineInstancetypeSpec;
  readonly preference?: VirtualMachinePreferenceSpec;
}

export type ExpansionResult =
  | { readonly kind: 'expanded'; readonly spec: VMISpec; readonly metadata: ObjectMeta }
  /** Paths of fields that the instance type owns. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/** The spec and metadata that a VMI starts from; `path` is where the spec stands in its object. */
export function expandVmiSpec(
  spec: VMISpec,
  metadata: ObjectMeta,
  { instancetype, preference }: Expansion,
  path = 'spec.template.spec',
): ExpansionResult {
  const draft = draftOf(spec);
  const draftMetadata = draftOf(metadata);
  if (instancetype) {
    const paths = applyInstancetype(draft, draftMetadata, draftOf(instancetype), preference, path);
    if (paths.length > 0) return { kind: 'conflict', paths };
  }
  if (preference) applyPreference(draft, draftMetadata, draftOf(preference));
  return { kind: 'expanded', spec: draft, metadata: draftMetadata };
}
