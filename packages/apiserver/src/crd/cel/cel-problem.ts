/** What is wrong with a CEL expression, and where. */

interface Node {
  readonly pos?: number;
  readonly op?: string;
  readonly args?: unknown;
}

/**
 * Undefined for problems that our checker may see where there are none: it knows fewer types than the real one,
 * and refusing a good rule would be worse than taking a bad one.
 */
export function celProblem(error: unknown, text: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const [first = ''] = error.message.split('\n');
  const node = (error as { node?: Node }).node;
  const position = node?.pos ?? 0;
  if (error.name === 'ParseError' || error.constructor.name === 'ParseError') {
    const isEnd = first.includes('EOF');
    const what = isEnd ? 'the expression ends too early' : first;
    return marked(`Syntax error: ${what}`, text, isEnd ? text.length : position);
  }
  const field = /^No such key: (.*)$/.exec(first)?.[1];
  if (field !== undefined) return marked(`undefined field '${field}'`, text, Math.max(0, position - 1));
  const name = /^Unknown variable: (\w+)$/.exec(first)?.[1];
  if (name !== undefined)
    return mayBeKnown(name, text)
      ? undefined
      : marked(`undeclared reference to '${name}' (in container '')`, text, position);
  const overload = /^no such overload: (string|int|bool|double) (==|!=) (string|int|bool|double)$/.exec(
    first,
  );
  if (overload === null) return undefined;
  const [, left, operator = '', right] = overload;
  return marked(
    `found no matching overload for '_${operator}_' applied to '(${left}, ${right})'`,
    text,
    operatorPosition(node, operator, text),
  );
}

/** The checker knows fewer types than the real one: only of an expression of one of these it is sure what it comes to. */
export const CERTAIN_TYPES: ReadonlySet<string> = new Set([
  'bool',
  'string',
  'int',
  'uint',
  'double',
  'bytes',
]);

/** Where functions of Kubernetes and CEL live that our checker does not know. */
const NAMESPACES: ReadonlySet<string> = new Set(
  'base64 format google JSONPatch lists math Object optional sets strings'.split(' '),
);

/** It may name functions, or what a macro of two variables introduces: `m.transformMap(key, value, …)`. */
function mayBeKnown(name: string, text: string): boolean {
  return NAMESPACES.has(name) || new RegExp(`[(,]\\s*${name}\\s*,`).test(text);
}

/** The operator stands right before its second operand. */
function operatorPosition(node: Node | undefined, operator: string, text: string): number {
  const second: unknown = Array.isArray(node?.args) ? node.args[1] : undefined;
  const from =
    typeof second === 'object' && second !== null && 'pos' in second && typeof second.pos === 'number'
      ? second.pos
      : text.length;
  return Math.max(0, text.lastIndexOf(operator, from));
}

function marked(message: string, text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = text.split('\n')[before.length - 1] ?? '';
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}
