/** Rules of Plugins. Expressions are compiled by whoever has CEL at hand. */
import { type ClusterConfig, isGateEnabled } from '../../config/cluster-config.ts';
import type { Plugin } from '../../types/index.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';
import { type Cause, invalid, when } from '../rule.ts';

/** Conditions give a bool, and hooks of nodes name fields otherwise than others; a mutation gives a Domain. */
export type ExpressionUse = 'condition' | 'node condition' | 'mutation';

export interface PluginContext {
  readonly config: ClusterConfig;
  /** What is wrong with a CEL expression, or undefined. */
  readonly celProblem: (expression: string, use: ExpressionUse) => string | undefined;
}

/** Whether a plugin may be created (`isNew`) or changed. */
export function validatePlugin(plugin: Plugin, context: PluginContext, isNew = true): Admission {
  if (isNew && !isGateEnabled(context.config, 'Plugins'))
    return refusal('Plugins feature gate is not enabled', 400);
  const { condition, domainHooks = [], nodeHooks = [] } = plugin.spec;
  return admissionOf([
    ...conditionCauses(condition, 'spec.condition', context),
    ...domainHooks.flatMap((hook, index) => {
      const field = `spec.domainHooks[${index}]`;
      const mutation = hook.cel && context.celProblem(hook.cel.expression, 'mutation');
      return [
        ...conditionCauses(hook.condition, `${field}.condition`, context),
        ...when(mutation, () =>
          invalid(`${field}.cel.expression`, `invalid CEL mutation expression: ${mutation}`),
        ),
        ...(hook.sidecar ? socketCauses(hook.sidecar.socketPath, `${field}.sidecar.socketPath`) : []),
      ];
    }),
    ...nodeHooks.flatMap((hook, index) =>
      conditionCauses(hook.condition, `spec.nodeHooks[${index}].condition`, context, 'node condition'),
    ),
  ]);
}

function conditionCauses(
  condition: string | undefined,
  field: string,
  { celProblem }: PluginContext,
  use: ExpressionUse = 'condition',
): readonly Cause[] {
  const problem = condition ? celProblem(condition, use) : undefined;
  return when(problem, () => invalid(field, `invalid CEL condition expression: ${problem}`));
}

function socketCauses(path: string, field: string): readonly Cause[] {
  const parts = path.split('/').slice(1);
  const isClean = path === '/' || parts.every((part) => part !== '' && part !== '.' && part !== '..');
  return [
    ...when(!path.startsWith('/'), () => invalid(field, 'socketPath must be an absolute path')),
    ...when(path.startsWith('/') && !isClean, () =>
      invalid(field, "socketPath must be a clean path (no '..' segments or redundant separators)"),
    ),
  ];
}
