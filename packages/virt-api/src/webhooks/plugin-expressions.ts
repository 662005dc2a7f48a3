/**
 * Whether the CEL expressions of a Plugin can be used. A condition gives a bool; a mutation is a `Domain{…}`
 * literal with the fields of libvirt's domain. Hooks of the domain and the Plugin as a whole name a VMI's fields as
 * KubeVirt's Go code does (`vmi.Name`, `vmi.Spec`), hooks of the node as its JSON does (`vmi.metadata`, `vmi.spec`).
 * Checked as far as types are known: what is below the spec is free, so a condition that is one of its fields may
 * turn out not to be a bool only when it is evaluated.
 */
import { Environment } from '@marcbachmann/cel-js';
import type { ExpressionUse } from '@podvisor/api';

/** Fields of a domain that hold plain text or numbers; all others are structs or lists of structs. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set(
  'Type ID Name UUID GenID Title Description IOThreads OnPoweroff OnReboot OnCrash Bootloader BootloaderArgs'.split(
    ' ',
  ),
);
const STRUCT_FIELDS: ReadonlySet<string> = new Set(
  (
    'XMLName Metadata MaximumMemory Memory CurrentMemory BlockIOTune MemoryTune MemoryBacking VCPU VCPUs IOThreadIDs ' +
    'DefaultIOThread CPUTune NUMATune Resource SysInfo OS IDMap ThrottleGroups Features CPU Clock PM Perf Devices ' +
    'SecLabel KeyWrap LaunchSecurity QEMUCommandline QEMUCapabilities QEMUOverride QEMUDeprecation LXCNamespace ' +
    'BHyveCommandline VMWareDataCenterPath XenCommandline'
  ).split(' '),
);

/** Types of the fields of metadata, which Go shows as fields of the object too. */
const METADATA: Readonly<Record<string, string>> = {
  ...typed('string', 'Name GenerateName Namespace SelfLink UID ResourceVersion'),
  ...typed('int', 'Generation DeletionGracePeriodSeconds'),
  ...typed('map<string, string>', 'Labels Annotations'),
  ...typed('dyn', 'CreationTimestamp DeletionTimestamp OwnerReferences Finalizers ManagedFields'),
};
const VMI_OF_GO = {
  ...METADATA,
  ...typed('string', 'Kind APIVersion'),
  ...typed('dyn', 'TypeMeta ObjectMeta Spec Status'),
};
const VMI_OF_JSON = { ...typed('string', 'kind apiVersion'), ...typed('dyn', 'metadata spec status') };

const domainEnvironment = new Environment({ homogeneousAggregateLiterals: false })
  .registerVariable({ name: 'vmi', schema: VMI_OF_GO })
  .registerVariable({
    name: 'domainSpec',
    schema: typed('dyn', [...PLAIN_FIELDS, ...STRUCT_FIELDS].join(' ')),
  });
const nodeEnvironment = new Environment({ homogeneousAggregateLiterals: false }).registerVariable({
  name: 'vmi',
  schema: VMI_OF_JSON,
});

function typed(type: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, type]));
}

/** What is wrong with an expression, in one line; undefined when it can be used. */
export function expressionProblem(expression: string, use: ExpressionUse): string | undefined {
  if (use === 'mutation') return mutationProblem(expression);
  if (use === 'condition') return conditionProblem(domainEnvironment, expression, 'compiling expression');
  return conditionProblem(nodeEnvironment, expression, 'CEL compilation failed');
}

function conditionProblem(environment: Environment, expression: string, failure: string): string | undefined {
  const checked = environment.check(expression);
  if (!checked.valid) return `${failure}: ${firstLine(checked.error)}`;
  const { type } = checked;
  return type === 'bool' || type === 'dyn' ? undefined : `condition must return bool, got ${type}`;
}

function mutationProblem(expression: string): string | undefined {
  const checked = domainEnvironment.check(structsAsMaps(expression));
  if (!checked.valid) return `compiling expression: ${firstLine(checked.error)}`;
  if (!/^\s*(\w+\.)*Domain\s*\{/.test(expression)) {
    return checked.type === 'dyn' ? undefined : `mutation must return Domain, got ${checked.type}`;
  }
  for (const { name, value } of topLevelFields(expression)) {
    const isPlain = PLAIN_FIELDS.has(name);
    if (!isPlain && !STRUCT_FIELDS.has(name)) return `compiling expression: undefined field '${name}'`;
    const type = domainEnvironment.check(structsAsMaps(value)).type ?? 'dyn';
    const isAggregate = type.startsWith('map') || type.startsWith('list');
    if (type !== 'dyn' && isPlain === isAggregate) {
      return `compiling expression: field '${name}' does not take a value of type '${type}'`;
    }
  }
  return undefined;
}

/** A token of CEL: text in quotes (also one that nobody closes), a name (with dots), or any one character. */
const TOKEN = /"(?:\\[\s\S]|[^"\\])*"?|'(?:\\[\s\S]|[^'\\])*'?|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|\s+|[\s\S]/g;

/** `Name{Field: value}` becomes `{"Field": value}`, which the parser knows. */
function structsAsMaps(expression: string): string {
  const tokens = expression.match(TOKEN) ?? [];
  const solid = (from: number, step: 1 | -1): string => {
    for (let i = from; i >= 0 && i < tokens.length; i += step) if (tokens[i]?.trim()) return tokens[i] ?? '';
    return '';
  };
  const isName = (token: string): boolean => /^[A-Za-z_]/.test(token);
  // For each open bracket: whether it belongs to a struct.
  const open: boolean[] = [];
  return tokens
    .map((token, i) => {
      if (isName(token)) {
        if (solid(i + 1, 1) === '{') return '';
        return open.at(-1) && ['{', ','].includes(solid(i - 1, -1)) && solid(i + 1, 1) === ':'
          ? `"${token}"`
          : token;
      }
      if ('{[('.includes(token)) open.push(token === '{' && isName(solid(i - 1, -1)));
      if ('}])'.includes(token)) open.pop();
      return token;
    })
    .join('');
}

/** The fields of the outermost struct, with the text of their values. */
function topLevelFields(expression: string): readonly { readonly name: string; readonly value: string }[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const token of expression.match(TOKEN) ?? []) {
    if ('}])'.includes(token)) depth -= 1;
    if (depth === 1 && token === ',') parts.push('');
    else if (depth >= 1) parts[parts.length - 1] += token;
    if ('{[('.includes(token)) depth += 1;
  }
  return parts.flatMap((part) => {
    const [, name, value] = /^\s*(\w+)\s*:([\s\S]*)$/.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
