/** The parameters of a VirtualMachineTemplate: given values, values of chance, and who refers to whom. Pure. */
import { messageOf } from '@podvisor/base';
import { at, listOf, plainOf } from '../plain.ts';
import { type Chance, expressionValue } from './expression.ts';
import { references, textsOf } from './substitute.ts';

export interface TemplateParameter {
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly value?: string;
  readonly generate?: string;
  readonly from?: string;
  readonly required?: boolean;
}

export function parametersOf(template: unknown): readonly TemplateParameter[] {
  return listOf(at(template, 'spec', 'parameters')).map((parameter) => ({
    name: '',
    ...(plainOf(parameter) as Partial<TemplateParameter>),
  }));
}

/** The parameters with the values that somebody gave. */
export function withGivenValues(
  parameters: readonly TemplateParameter[],
  given: Readonly<Record<string, string>>,
): readonly TemplateParameter[] {
  const unknown = Object.keys(given).find((name) => parameters.every((parameter) => parameter.name !== name));
  if (unknown !== undefined) throw new Error(`parameter ${unknown} not found in template`);
  return parameters.map((parameter) =>
    Object.hasOwn(given, parameter.name) ? { ...parameter, value: given[parameter.name] ?? '' } : parameter,
  );
}

/** Parameters that nothing refers to, and references to parameters that are not there. */
export function referenceProblems(
  template: unknown,
  parameters: readonly TemplateParameter[],
): { readonly warnings: readonly string[]; readonly errors: readonly string[] } {
  const texts = [
    ...textsOf(at(template, 'spec', 'virtualMachine')),
    String(at(template, 'spec', 'message') ?? ''),
  ];
  const referenced = new Set(texts.flatMap(references));
  const defined = new Set(parameters.map(({ name }) => name));
  return {
    warnings: parameters.flatMap(({ name }, index) =>
      referenced.has(name) ? [] : [`spec.parameters[${index}].name: ${name} is defined but never referenced`],
    ),
    errors: [...referenced]
      .filter((name) => !defined.has(name))
      .sort()
      .map((name) => `spec.virtualMachine: Invalid value: "${name}": references undefined parameter ${name}`),
  };
}

/** The value of each parameter, by its name; what can be made is made. */
export function parameterValues(
  parameters: readonly TemplateParameter[],
  chance: Chance,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  parameters.forEach((parameter, index) => {
    const path = `spec.parameters[${index}]`;
    const { name, required = false } = parameter;
    if (name === '') throw new Error(`${path}.name: Invalid value: "": parameter name is empty`);
    if (values.has(name)) throw new Error(`${path}.name: Duplicate value: "${name}"`);
    const value = parameter.value || madeValue(parameter, path, chance);
    if (value === '' && required)
      throw new Error(
        `${path}.value: Required value: parameter '${name}' is required and a value must be specified`,
      );
    values.set(name, value);
  });
  return values;
}

function madeValue(
  { name, generate = '', from = '' }: TemplateParameter,
  path: string,
  chance: Chance,
): string {
  if (generate === '') return '';
  if (generate !== 'expression')
    throw new Error(
      `${path}.generate: Invalid value: "${generate}": unknown generator name '${generate}' for parameter '${name}'`,
    );
  const invalid = `${path}.from: Invalid value: ${JSON.stringify(from)}`;
  if (from === '')
    throw new Error(`${invalid}: from cannot be empty for parameter '${name}' using generator '${generate}'`);
  try {
    return expressionValue(from, chance);
  } catch (error) {
    throw new Error(`${invalid}: ${messageOf(error)}`, { cause: error });
  }
}
