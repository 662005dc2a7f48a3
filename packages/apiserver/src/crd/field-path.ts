/** Paths into a schema, as `fieldPath` of a rule and selectable fields write them: `.a.b['c.d']`. */
import { isObject, type JsonObject, at } from '../wire/json.ts';

export type FoundField =
  | { readonly kind: 'found'; readonly schema: JsonObject; readonly steps: readonly string[] }
  | { readonly kind: 'problem'; readonly problem: string };

/** The schema at the path, or why the path leads nowhere, in Kubernetes' words. */
export function fieldAt(schema: JsonObject, path: string, brackets: boolean): FoundField {
  const tokens = tokensOf(path);
  const steps: string[] = [];
  let node = schema;
  for (let i = 0; i < tokens.length; ) {
    const token = tokens[i];
    let name: string;
    if (token === '[') {
      if (!brackets) return problem('array notation is not allowed');
      const text = tokens[i + 1];
      if (text === undefined) return problem('unexpected end of JSON path');
      if (text.length < 2 || !text.startsWith("'") || !text.endsWith("'"))
        return problem(`expected single quoted string but got ${text}`);
      name = text.slice(1, -1).replaceAll(/\\(['\\])/g, '$1');
      i += 2;
    } else if (token === '.') {
      const text = tokens[i + 1];
      if (text === undefined) return problem('unexpected end of JSON path');
      name = text;
      i += 2;
    } else return problem(`expected [ or . but got: ${token}`);
    const next = step(node, name);
    if (next === undefined) return problem('does not refer to a valid field');
    node = next;
    steps.push(name);
    if (token !== '[') continue;
    if (tokens[i] === undefined) return problem('unexpected end of JSON path');
    if (tokens[i] !== ']') return problem(`expected ] but got ${tokens[i]}`);
    i += 1;
  }
  return { kind: 'found', schema: node, steps };
}

function problem(text: string): FoundField {
  return { kind: 'problem', problem: text };
}

/** `.`, `[` and `]` on their own, quoted text whole, and what is between. */
function tokensOf(path: string): string[] {
  return path.match(/[.[\]]|'(?:[^'\\]|\\.)*'?|[^.[\]']+/g) ?? [];
}

function step(node: JsonObject, name: string): JsonObject | undefined {
  if (isObject(node['properties'])) {
    const child = at(node, 'properties', name);
    return isObject(child) ? child : undefined;
  }
  const values = node['additionalProperties'];
  return isObject(values) ? values : undefined;
}
