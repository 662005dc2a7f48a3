/** An object that is being deleted goes when its last finalizer does. */
import { arrayAt, type KubeObject } from '../../wire/json.ts';

/** True when nothing holds the object any more. */
export function finishDeletion(object: KubeObject): boolean {
  const { metadata } = object;
  if (metadata.deletionTimestamp === undefined) return false;
  if ((metadata.finalizers ?? []).length > 0) return false;
  if (object.kind === 'Namespace' && object.apiVersion === 'v1')
    return arrayAt(object, 'spec', 'finalizers').length === 0;
  return (metadata.deletionGracePeriodSeconds ?? 0) === 0;
}
