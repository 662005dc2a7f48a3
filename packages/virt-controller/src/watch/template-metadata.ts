/**
 * Labels and annotations that a VMI takes over from a template. Those by which our components find VMIs, and those that
 * only virt-controller says, are not among them, whoever wrote the template: what is made from a VM, a replica set or
 * a restored, cloned or pooled VM is made in our name, and admission lets us write them.
 */
import { annotations as names, restrictedVmiLabels } from '@podvisor/api';

type Texts = Readonly<Record<string, string>>;

/** Which memory a VMI goes on from. */
const CONTROLLERS_ANNOTATIONS: readonly string[] = [names.hibernatedState];

export function templateLabels(labels: Texts | undefined): Texts | undefined {
  return without(labels, restrictedVmiLabels);
}

export function templateAnnotations(annotations: Texts | undefined): Texts | undefined {
  return without(annotations, CONTROLLERS_ANNOTATIONS);
}

function without(texts: Texts | undefined, keys: readonly string[]): Texts | undefined {
  if (texts === undefined || !keys.some((key) => Object.hasOwn(texts, key))) return texts;
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !keys.includes(key)));
}
