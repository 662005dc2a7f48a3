/** What is wrong with a label selector, in the words in which Kubernetes' own reader of selectors says it. Pure. */
import type { LabelSelector, SelectorRequirement } from '../types/index.ts';
import { labelValueProblems, qualifiedNameProblems } from './kubernetes-names.ts';

/** The first requirement that makes no sense; undefined when all do. */
export function selectorProblem(selector: LabelSelector | undefined): string | undefined {
  const exact = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => keyAndValues(key, [value]));
  const expressions = (selector?.matchExpressions ?? []).map(requirementProblems);
  const found = [...exact, ...expressions].find((problems) => problems.length > 0);
  return found === undefined || found.length === 1 ? found?.[0] : `[${found.join(', ')}]`;
}

function requirementProblems({ key, operator, values = [] }: SelectorRequirement): readonly string[] {
  const told = `values: Invalid value: ${JSON.stringify(values)}:`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length === 0
        ? [`${told} for 'in', 'notin' operators, values set can't be empty`, ...keyAndValues(key, values)]
        : keyAndValues(key, values);
    case 'Exists':
    case 'DoesNotExist':
      return values.length > 0
        ? [`${told} values set must be empty for exists and does not exist`, ...keyAndValues(key, values)]
        : keyAndValues(key, values);
    default:
      return [`${JSON.stringify(operator)} is not a valid label selector operator`];
  }
}

function keyAndValues(key: string, values: readonly string[]): readonly string[] {
  return [
    ...keyProblems(key),
    ...values.flatMap((value, index) =>
      labelValueProblems(value).map(
        (problem) => `values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${problem}`,
      ),
    ),
  ];
}

function keyProblems(key: string): readonly string[] {
  const problems = qualifiedNameProblems(key);
  return problems.length === 0 ? [] : [`key: Invalid value: ${JSON.stringify(key)}: ${problems.join('; ')}`];
}
