/** What macros use of the CEL library: what its own macros use. */

export interface Node {
  readonly op: string;
  readonly args: unknown;
}
export interface Type {
  readonly kind: string;
  readonly keyType?: Type;
  readonly valueType?: Type;
}
export interface Scope {
  forkWithVariable(name: string, type: Type): Scope;
  setIterValue(value: unknown, evaluator: Evaluator): Scope;
}
export interface Evaluator {
  run(node: Node, scope: Scope): unknown;
  /** The type of a value while a rule runs; `fieldLazy` gives undefined for a field that is not there. */
  debugType(value: unknown): {
    fieldLazy(value: unknown, field: string, node: Node, evaluator: Evaluator): unknown;
  };
}
export interface Checker {
  check(node: Node, scope: Scope): Type;
  getType(name: string): Type;
  readonly registry: {
    getListType(type: Type): Type;
    getMapType(key: Type, value: Type): Type;
    getOptionalType(type: Type): Type;
  };
  createError(code: string, message: string, node: Node): Error;
}
export interface Call {
  readonly args: readonly Node[];
  readonly receiver: Node;
}

export function nameOf(node: Node | undefined): string {
  if (node?.op !== 'id' || typeof node.args !== 'string') throw new Error('argument must be a simple name');
  return node.args;
}
