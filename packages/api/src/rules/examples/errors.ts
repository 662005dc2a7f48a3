/** The errors that the examples of all rules give. Used by the page of rules and by its test; not by any program. */
import { clusterConfig } from '../../config/cluster-config.ts';
import type { ObjectMeta, VirtualMachine, VMISpec, VMSpec } from '../../types/index.ts';
import { type Cause, flatRules, type Rule } from '../rule.ts';
import { dataVolumeNamespaceRule, dataVolumeTemplateRules } from '../vm/data-volume-templates.ts';
import { liveUpdateRules } from '../vm/live-update.ts';
import { runStrategyRules } from '../vm/run-strategy.ts';
import { discontinuedBindingRule } from '../vmi/networks/bindings.ts';
import { vmiMachineRules, vmiSpecRules, vmiVolumeRules } from '../vmi/index.ts';
import { annotationRules, labelRule, stateRule } from '../vmi/metadata.ts';
import { utilityVolumeRules } from '../vmi/storage/utility-volumes.ts';
import { specExamples } from './vmi.ts';

const config = clusterConfig();
const template = { spec: { domain: { devices: {} } } };

const vmExamples: Readonly<Record<string, VMSpec>> = {
  'vm.runStrategy': { runStrategy: 'Sometimes', template },
  'vm.dataVolumeTemplates': {
    runStrategy: 'Always',
    template,
    dataVolumeTemplates: [{ metadata: { name: 'd' }, spec: { source: { blank: {} }, pvc: {} } }],
  },
};
const machine: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'vm', namespace: 'mine' },
  spec: { template, dataVolumeTemplates: [{ metadata: { name: 'd', namespace: 'other' }, spec: {} }] },
};
const metadataExamples: Readonly<Record<string, ObjectMeta>> = {
  'metadata.labels.reserved': { labels: { 'kubevirt.io/nodeName': 'node-1' } },
  'metadata.annotations.state': { annotations: { 'podvisor.io/hibernated-state': 'claim id' } },
  'metadata.annotations.ignition': { annotations: { 'kubevirt.io/ignitiondata': '{}' } },
  'metadata.annotations.sidecars': { annotations: { 'hooks.kubevirt.io/hookSidecars': '[]' } },
};

/** The first error of the example of a rule; undefined when there is none. */
export const exampleErrors: ReadonlyMap<string, Cause | undefined> = new Map([
  ...[
    discontinuedBindingRule,
    ...flatRules(vmiSpecRules),
    ...vmiVolumeRules,
    ...vmiMachineRules,
    ...utilityVolumeRules,
    ...liveUpdateRules,
  ].map((rule) => specError(rule)),
  ...[...runStrategyRules, ...dataVolumeTemplateRules].map((rule): [string, Cause | undefined] => {
    const spec = vmExamples[rule.id];
    return [rule.id, spec && rule.check(spec, { config, path: 'spec' })[0]];
  }),
  ...[labelRule, stateRule, ...annotationRules].map((rule): [string, Cause | undefined] => {
    const context = { config, path: 'metadata', isKubeVirtServiceAccount: false };
    return [rule.id, rule.check(metadataExamples[rule.id] ?? {}, context)[0]];
  }),
  [dataVolumeNamespaceRule.id, dataVolumeNamespaceRule.check(machine, { config, path: 'spec' })[0]],
]);

function specError(rule: Rule<VMISpec>): [string, Cause | undefined] {
  const example = specExamples[rule.id];
  if (example === undefined) return [rule.id, undefined];
  const configuration = example.configuration ?? {};
  return [
    rule.id,
    rule.check(example.spec, { config: clusterConfig({ spec: { configuration } }), path: 'spec' })[0],
  ];
}
