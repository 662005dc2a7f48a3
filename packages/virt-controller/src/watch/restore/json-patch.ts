/** The operations of RFC 6902 that change something, applied to a copy. Pure. */

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** Applies patches, each the JSON text of one operation. Throws with the patch that cannot be applied. */
export function patchObject<T extends object>(object: T, patches: readonly string[]): T {
  const copy = structuredClone(object);
  for (const text of patches) {
    const { op, path, value } = JSON.parse(text) as Operation;
    const steps = path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = steps.pop() ?? '';
    const parent = steps.reduce<unknown>(
      (at, step) => (at as Record<string, unknown> | undefined)?.[step],
      copy,
    );
    if (typeof parent !== 'object' || parent === null)
      throw new Error(`patch ${text} cannot be applied: there is no ${path}`);
    apply(parent as Record<string, unknown>, last, op, value);
  }
  return copy;
}

function apply(parent: Record<string, unknown> | unknown[], key: string, op: string, value: unknown): void {
  if (Array.isArray(parent)) {
    const index = key === '-' ? parent.length : Number(key);
    if (op === 'remove') parent.splice(index, 1);
    else parent.splice(index, op === 'replace' ? 1 : 0, value);
    return;
  }
  if (op === 'remove') delete parent[key];
  else parent[key] = value;
}
