/** What is wrong with a CEL expression, and where, in cel-go's words. */
import { type CheckedType, goType, goTypes } from './go-types.ts';
import { syntaxProblem } from './cel-syntax.ts';

/** A node of the expression, as the CEL library has it when its types are known. */
interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  readonly pos: number;
  readonly checkedType?: CheckedType;
  /** Of a call. */
  readonly argTypes?: readonly CheckedType[];
}

/** What the CEL library throws. */
interface Problem {
  readonly code: string;
  readonly node: Node | undefined;
}

/**
 * What is wrong. `names`: functions and macros that there are. Undefined for a function of an extension that we do not
 * have: a rule that is refused although it is good would be worse than one that fails when it is evaluated.
 */
export function celProblem(error: unknown, text: string, names: ReadonlySet<string>): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, node } = error as Error & Problem;
  if (error.name === 'ParseError') {
    if (code === 'invalid_macro_argument')
      return marked('argument must be a simple name', text, node?.start ?? 0);
    const { message, at } = syntaxProblem(text, node?.pos ?? 0);
    return marked(`Syntax error: ${message}`, text, at);
  }
  if (node === undefined) return undefined;
  const told = typeProblem(code, node, text, names);
  return told === undefined ? undefined : marked(told[0], text, told[1]);
}

type Told = readonly [message: string, at: number];

function typeProblem(code: string, node: Node, text: string, names: ReadonlySet<string>): Told | undefined {
  switch (code) {
    case 'unknown_variable':
      return mayBeKnown(String(node.args), text) ? undefined : undeclared(String(node.args), node.start);
    case 'no_such_key':
      return [`undefined field '${String(partsOf(node)[1])}'`, Math.max(0, node.pos - 1)];
    case 'cannot_index_type':
    case 'invalid_index_type':
      return notIndexed(node, text);
    case 'no_such_overload':
    case 'invalid_logical_operand':
      return operatorProblem(node, text);
    case 'incompatible_ternary_branches':
      return ternaryProblem(node, text);
    case 'invalid_condition_type':
      return [
        `found no matching overload for '_?_:_' applied to '(${goType(node.checkedType)}, dyn, dyn)'`,
        text.indexOf('?', node.end),
      ];
    case 'no_matching_overload':
      return callProblem(node, text, names);
    case 'invalid_comprehension_range':
      return [
        `expression of type '${goType(node.checkedType)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        node.start,
      ];
    case 'invalid_macro_argument':
      return ['invalid argument to has() macro', node.start];
    default:
      return undefined;
  }
}

const undeclared = (name: string, at: number): Told => [
  `undeclared reference to '${name}' (in container '')`,
  at,
];

const noOverload = (name: string, applied: string, at: number): Told => [
  `found no matching overload for '${name}' applied to '${applied}'`,
  at,
];

/** `a.b` and `a[b]` of what has no fields. */
function notIndexed(node: Node, text: string): Told {
  const [base, key] = partsOf(node);
  const type = isNode(base) ? base.checkedType : undefined;
  if (node.op === '.') return [`type '${goType(type)}' does not support field selection`, node.pos - 1];
  const types = goTypes([type, isNode(key) ? key.checkedType : undefined]);
  return noOverload('_[_]', `(${types})`, text.indexOf('[', isNode(base) ? base.end : node.start));
}

const OPERATORS: Readonly<Record<string, string>> = { in: '@in', '!_': '!_', '-_': '-_' };

function operatorProblem(node: Node, text: string): Told {
  const operands = (Array.isArray(node.args) ? partsOf(node) : [node.args]).filter(isNode);
  const types = goTypes(operands.map(({ checkedType }) => checkedType));
  const [first, second] = operands;
  const name = Object.hasOwn(OPERATORS, node.op) ? (OPERATORS[node.op] ?? '') : `_${node.op}_`;
  // An operator stands right before its second operand.
  const at = second === undefined ? node.start : text.lastIndexOf(node.op, second.start - 1);
  return noOverload(name, `(${types})`, Math.max(first === undefined ? 0 : node.start, at));
}

function ternaryProblem(node: Node, text: string): Told {
  const operands = partsOf(node).filter(isNode);
  const types = goTypes(operands.map(({ checkedType }) => checkedType));
  return noOverload('_?_:_', `(${types})`, text.indexOf('?', operands[0]?.end ?? node.start));
}

/** A call stands where its parenthesis opens. */
function callProblem(node: Node, text: string, names: ReadonlySet<string>): Told | undefined {
  const [called, receiver] = partsOf(node);
  const name = String(called);
  const types = goTypes(node.argTypes ?? []);
  if (node.op !== 'rcall' || !isNode(receiver)) {
    const at = text.indexOf('(', node.start);
    return names.has(name) ? noOverload(name, `(${types})`, at) : undeclared(name, at);
  }
  const at = text.indexOf('(', receiver.end);
  if (!names.has(name)) return undeclared(name, at);
  return noOverload(name, `${goType(receiver.checkedType)}.(${types})`, at);
}

/** Where functions of CEL's extensions live that we do not have. */
const NAMESPACES: ReadonlySet<string> = new Set(['base64', 'google', 'math']);

/** It names functions of an extension that we do not have, and is no variable. */
function mayBeKnown(name: string, text: string): boolean {
  return NAMESPACES.has(name) && new RegExp(`\\b${name}\\s*[.{]`).test(text);
}

function partsOf({ args }: Node): readonly unknown[] {
  return Array.isArray(args) ? args : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'start' in value;
}

function marked(message: string, text: string, offset: number): string {
  const before = text.slice(0, Math.max(0, offset)).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = text.split('\n')[before.length - 1] ?? '';
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}
