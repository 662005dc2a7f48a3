/** Every rule that is kept as data, by what it guards. `docs/rules.md` is printed from it. */
import { flatRules, type Rule } from './rule.ts';
import { dataVolumeNamespaceRule, dataVolumeTemplateRules } from './vm/data-volume-templates.ts';
import { liveUpdateRules } from './vm/live-update.ts';
import { runStrategyRules } from './vm/run-strategy.ts';
import { discontinuedBindingRule } from './vmi/networks/bindings.ts';
import { vmiMachineRules, vmiSpecRules, vmiVolumeRules } from './vmi/index.ts';
import { annotationRules, labelRule, stateRule } from './vmi/metadata.ts';
import { utilityVolumeRules } from './vmi/storage/utility-volumes.ts';

/** What a reader needs of a rule. */
export type RuleEntry = Pick<Rule<never>, 'id' | 'field' | 'summary'>;

export interface RuleGroup {
  readonly title: string;
  /** Where the rules hold. */
  readonly scope: string;
  readonly rules: readonly RuleEntry[];
}

export const ruleGroups: readonly RuleGroup[] = [
  {
    title: 'The spec of a VirtualMachineInstance',
    scope: 'Hold in a VirtualMachineInstance and in the templates of machines, replica sets and pools.',
    rules: [discontinuedBindingRule, ...flatRules(vmiSpecRules)],
  },
  {
    title: 'A VirtualMachineInstance itself',
    scope: 'Hold when an instance is created, after its defaults are filled in.',
    rules: [...vmiVolumeRules, labelRule, stateRule, ...annotationRules, ...vmiMachineRules],
  },
  {
    title: 'A VirtualMachineInstance that runs',
    scope: 'Hold when our components attach volumes to it.',
    rules: utilityVolumeRules,
  },
  {
    title: 'A VirtualMachine',
    scope: 'Hold when a machine is created or changed; the rules of its template come first.',
    rules: [...runStrategyRules, ...dataVolumeTemplateRules, dataVolumeNamespaceRule, ...liveUpdateRules],
  },
];
