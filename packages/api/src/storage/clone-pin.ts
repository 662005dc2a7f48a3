/**
 * What of another namespace a DataVolume may be filled from: an annotation, written by whoever asked for its maker's
 * rights when it was made (virt-api for users, virt-controller for VMs), and by nobody else. What a DataSource leads to
 * may change afterwards, and a DataVolume that a controller makes of somebody's words is not that somebody's permission:
 * who fills the claim looks for this, and for nothing else. Pure.
 */
import { annotations } from '../names.ts';
import type { KubernetesObject } from '../types/index.ts';
import type { CloneSource } from './clone-rights.ts';

const PIN = annotations.cloneAllowedFrom;

/** The note for a source. One without a name was not there yet: everything of its kind in the namespace was asked for. */
export function clonePinFor({ kind, namespace, name }: CloneSource): string {
  return `${kind} ${namespace}/${name}`;
}

/** The note on an object. */
export function clonePinOf({ metadata }: Pick<KubernetesObject, 'metadata'>): string | undefined {
  return metadata?.annotations?.[PIN];
}

/** The object with the note for a source of another namespace, if it has one, and without any that came with it. */
export function withClonePin<T extends KubernetesObject>(object: T, foreign: CloneSource | undefined): T {
  const { [PIN]: forged, ...others } = object.metadata?.annotations ?? {};
  if (forged === undefined && foreign === undefined) return object;
  const kept = foreign === undefined ? others : { ...others, [PIN]: clonePinFor(foreign) };
  return { ...object, metadata: { ...object.metadata, annotations: kept } };
}

/** Whether this source of another namespace was allowed. */
export function isCloneAllowed(object: Pick<KubernetesObject, 'metadata'>, source: CloneSource): boolean {
  const noted = clonePinOf(object);
  return noted === clonePinFor(source) || noted === clonePinFor({ ...source, name: '' });
}
