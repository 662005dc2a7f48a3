/**
 * Who may clone a claim or a snapshot of another namespace, by CDI's rule: who has the right made for it (`create` on
 * `datavolumes/source`), and who could read the content anyway, because they may create Pods there. Pure.
 */
export interface CloneSource {
  readonly kind: 'pvc' | 'snapshot';
  readonly namespace: string;
  readonly name: string;
}

/** Attributes of an access review. */
export interface CloneRight {
  readonly namespace: string;
  readonly verb: 'create';
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

/** One list is enough, all of a list are needed. */
export function cloneRights({ kind, namespace, name }: CloneSource): readonly (readonly CloneRight[])[] {
  const create = (resource: string): CloneRight => ({
    namespace,
    verb: 'create',
    group: '',
    resource,
    subresource: '',
    name,
  });
  const explicit = { ...create('datavolumes'), group: 'cdi.kubevirt.io', subresource: 'source' };
  // `pvcs` is what CDI asks for: no resource has that name, so only who may create everything has the right.
  const implicit = kind === 'pvc' ? [create('pods')] : [create('pods'), create('pvcs')];
  return [[explicit], implicit];
}
