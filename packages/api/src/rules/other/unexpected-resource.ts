/** A webhook answers for its own kind only: a review of anything else is a mistake of whoever registered it. */
import { kindRegistry } from '../../crds/registry.ts';
import { type Admission, refusal } from '../admission.ts';

/** The resource that a review is about. */
export interface ReviewedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The refusal of a review that is not about `kind`; undefined when it is. */
export function unexpectedResource(
  kind: string,
  { group, resource, version }: ReviewedResource,
): Admission | undefined {
  const expected = kindRegistry.find((entry) => entry.kind === kind);
  if (expected === undefined || (expected.group === group && expected.plural === resource)) return undefined;
  return refusal(`unexpected resource {Group:${group} Version:${version} Resource:${resource}}`, 400);
}
