/** A VirtualMachineTemplate becomes a VirtualMachine. Pure but for the chance, which is passed in. */
import { messageOf } from '@podvisor/base';
import { fieldProblems } from '../manifest/field-problems.ts';
import { at, plainOf, textOf } from '../plain.ts';
import type { Chance } from './expression.ts';
import { parameterValues, type TemplateParameter } from './parameters.ts';
import { references, substituted, substitutedText } from './substitute.ts';

export interface ProcessedTemplate {
  readonly virtualMachine: unknown;
  /** What the template's author has to say to whoever uses it; may be empty. */
  readonly message: string;
}

const IDENTITY = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' };

export function processTemplate(
  template: unknown,
  parameters: readonly TemplateParameter[],
  chance: Chance,
): ProcessedTemplate {
  const machine = at(template, 'spec', 'virtualMachine');
  if (machine === undefined || machine === null)
    throw new Error(
      'spec.virtualMachine: Invalid value: null: virtualMachine is required and cannot be empty',
    );
  const values = parameterValues(parameters, chance);
  const filled = told('error processing template', () => substituted(withoutNamespace(machine), values));
  const virtualMachine = { ...plainOf(filled), ...IDENTITY };
  const [problem] = fieldProblems(virtualMachine);
  if (problem !== undefined) throw new Error(`spec.virtualMachine: Invalid value: ${problem.text}`);
  const words = textOf(at(template, 'spec', 'message')) ?? '';
  return {
    virtualMachine,
    message: told('error processing message', () => substitutedText(words, values)),
  };
}

/** Whoever creates the machine decides where, unless the template takes the namespace from a parameter. */
function withoutNamespace(machine: unknown): unknown {
  const { metadata, ...rest } = plainOf(machine);
  const { namespace, ...others } = plainOf(metadata);
  const kept = references(textOf(namespace) ?? '').length > 0 ? { namespace } : {};
  return { ...rest, metadata: { ...others, ...kept } };
}

function told<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error });
  }
}
