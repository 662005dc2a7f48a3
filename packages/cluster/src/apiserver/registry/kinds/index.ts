/** The rules of built-in kinds, by `group/plural`. A kind without rules is stored as it is. */
import type { KindRules } from '../definition.ts';

const RULES: Readonly<Record<string, KindRules>> = {};

export function rulesOf(group: string, plural: string): KindRules {
  return RULES[`${group}/${plural}`] ?? {};
}
