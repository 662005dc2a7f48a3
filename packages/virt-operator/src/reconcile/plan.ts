/**
 * What to write and what to remove, from the list of wanted objects and what is there. Pure.
 *
 * Components change one after the other, each when the one before has rolled out: on a fresh cluster virt-api first,
 * so that nothing is refused for want of it; in an update virt-handler first, because a new handler serves old
 * launchers and old controllers, and an old one need not understand what a new controller writes. Until all of an
 * update has rolled out, what both versions need is installed (`overlap.ts`).
 */
import type { KubernetesObject } from '@podvisor/api';
import { differs } from '../install/differs.ts';
import type { Manifest } from '../install/manifest.ts';
import { nameOf } from '../install/ownership.ts';
import { overlapping } from './overlap.ts';
import { isRolledOut } from './rollout.ts';
import type { AppliedObjects } from './applied-objects.ts';

const INSTALL_ORDER = ['virt-api', 'virt-controller', 'virt-handler', 'virt-data-volumes', 'virt-ui'];

export interface ObjectPlan {
  /** To apply now, in this order; objects of one kind go together. */
  readonly apply: readonly Manifest[];
  /** Ours, and not wanted any more. Only when everything wanted runs. */
  readonly remove: readonly KubernetesObject[];
  /** The component that others wait for; undefined: all have rolled out. */
  readonly waitsFor?: string;
  /** Every wanted object exists. */
  readonly created: boolean;
}

export function planObjects(
  wanted: readonly Manifest[],
  live: ReadonlyMap<string, KubernetesObject>,
  isUpdate: boolean,
  applied: Pick<AppliedObjects, 'has'> = { has: () => false },
): ObjectPlan {
  const isDue = (object: Manifest): boolean => {
    const found = live.get(nameOf(object));
    return found === undefined || (differs(object, found) && !applied.has(object, found));
  };
  const order = isUpdate ? INSTALL_ORDER.toReversed() : INSTALL_ORDER;
  const components = order
    .map((name) => wanted.find((object) => isComponent(object, name)))
    .filter((object) => object !== undefined);
  const isWaitedFor = (object: Manifest): boolean => {
    const found = live.get(nameOf(object));
    return isDue(object) || found === undefined || !isRolledOut(found);
  };
  const first = components.findIndex(isWaitedFor);
  const component = components[first];
  const others = wanted.filter((object) => !components.includes(object));
  const rest = (isUpdate && component !== undefined ? overlapping(others, live) : others).filter(isDue);
  // A component is not touched before everything that it relies on is there.
  const apply = rest.length > 0 ? rest : component !== undefined && isDue(component) ? [component] : [];
  const names = new Set(wanted.map(nameOf));
  const isApplied = apply.length === 0 && component === undefined;
  return {
    apply,
    remove: isApplied ? [...live].filter(([name]) => !names.has(name)).map(([, object]) => object) : [],
    ...(component === undefined ? {} : { waitsFor: component.metadata?.name ?? '' }),
    created: wanted.every((object) => live.has(nameOf(object))),
  };
}

function isComponent(object: Manifest, name: string): boolean {
  return (object.kind === 'Deployment' || object.kind === 'DaemonSet') && object.metadata?.name === name;
}
