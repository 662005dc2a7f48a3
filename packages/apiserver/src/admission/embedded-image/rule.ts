/**
 * Who may use the images that stand for programs of the node itself (`isEmbeddedImage`). Pure.
 *
 * Tenants may not, in whatever way they name it: in a Pod, in a template that a controller makes Pods from, or in a
 * VM (a hook, a disk, a kernel). What counts is who asks, which only the API server knows. It notes its decision as
 * an annotation that nobody else can set, so that controllers pass it on from a template to its Pods and the kubelet
 * can look for it.
 */
import { deepEqual } from '@podvisor/base';
import { isEmbeddedImage } from '@podvisor/sys';
import type { UserInfo } from '../../core.ts';
import { arrayAt, at, type Json, type JsonObject, stringAt } from '../../wire/json.ts';

/** A Pod, or the template of one. */
export type PodLike = JsonObject;

/** What a sender may do with the image. */
export type Standing =
  /** An administrator: anything. */
  | 'administrator'
  /** A controller of Podvisor that builds such Pods itself. */
  | 'builder'
  /** A controller that makes Pods from templates: what a template was granted. */
  | 'copier'
  | 'tenant';

export interface EmbeddedImageUsers {
  /** virt-controller. */
  readonly virtController: string;
  /** virt-operator, where the components are Pods. */
  readonly virtOperator?: string;
  /** Who fills DataVolumes. */
  readonly dataVolumes?: string;
  /** Controllers that make Pods, or what Pods are made of, from templates. */
  readonly controllers: readonly string[];
}

export function standingOf({ username, groups }: UserInfo, users: EmbeddedImageUsers): Standing {
  if ([users.virtController, users.virtOperator, users.dataVolumes].includes(username)) return 'builder';
  if (users.controllers.includes(username)) return 'copier';
  return groups.includes('system:masters') ? 'administrator' : 'tenant';
}

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

/** Containers from the image, by list and name. */
function containersOf(pod: PodLike | undefined): readonly Json[] {
  return LISTS.flatMap((list) => arrayAt(pod, 'spec', list)).filter((container) =>
    isEmbeddedImage(stringAt(container, 'image')),
  );
}

/** Volumes that show the image's files. */
function volumesOf(pod: PodLike | undefined): readonly Json[] {
  return arrayAt(pod, 'spec', 'volumes').filter((volume) =>
    isEmbeddedImage(stringAt(volume, 'image', 'reference')),
  );
}

export function usesEmbeddedImage(pod: PodLike): boolean {
  return containersOf(pod).length > 0 || volumesOf(pod).length > 0;
}

/** Why the sender may not have this Pod or template; undefined: they may. `old` is what it was before. */
export function embeddedImageProblem(
  standing: Standing,
  pod: PodLike,
  old: PodLike | undefined,
  isGranted: boolean,
): string | undefined {
  const [volume] = volumesOf(pod);
  if (volume !== undefined)
    return `volume "${stringAt(volume, 'name')}": image "${stringAt(volume, 'image', 'reference')}" has no content of its own; it stands for programs of the node`;
  const containers = containersOf(pod);
  const refused = containers.find((container) => !mayRun(standing, container, isGranted));
  if (refused === undefined || isUnchanged(pod, old)) return undefined;
  return `container "${stringAt(refused, 'name')}": image "${stringAt(refused, 'image')}" is for the Pods of VMs; use an image of your own`;
}

/** The images of hooks, and of disks that containers hold, are the tenant's, though virt-controller makes the Pod. */
const TENANTS = /^(?:hook-sidecar-|volume)/;

function mayRun(standing: Standing, container: Json, isGranted: boolean): boolean {
  if (standing === 'administrator') return true;
  if (standing === 'builder') return !TENANTS.test(stringAt(container, 'name'));
  return standing === 'copier' && isGranted;
}

/** Whoever changes nothing of it, such as a label or a number of replicas, needs no leave. */
function isUnchanged(pod: PodLike, old: PodLike | undefined): boolean {
  return old !== undefined && deepEqual(at(pod, 'spec'), at(old, 'spec'));
}
