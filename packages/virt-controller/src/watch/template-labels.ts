/**
 * Labels that a VMI takes over from a template. Those by which our components find VMIs are not among them, whoever
 * wrote the template: what is made from a restored, cloned or pooled VM is made in our name, and admission lets us
 * write them.
 */
import { restrictedVmiLabels } from '@podvisor/api';

type Labels = Readonly<Record<string, string>>;

export function templateLabels(labels: Labels | undefined): Labels | undefined {
  if (labels === undefined || !restrictedVmiLabels.some((key) => Object.hasOwn(labels, key))) return labels;
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !restrictedVmiLabels.includes(key)));
}
