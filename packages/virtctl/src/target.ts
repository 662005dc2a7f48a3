/** `type/name[/namespace]`: how port-forward, ssh and scp name a VM. */

export interface Target {
  readonly kind: 'vm' | 'vmi';
  readonly name: string;
  readonly namespace?: string;
}

const KINDS: Readonly<Record<string, Target['kind']>> = {
  vm: 'vm',
  vms: 'vm',
  virtualmachine: 'vm',
  virtualmachines: 'vm',
  vmi: 'vmi',
  vmis: 'vmi',
  virtualmachineinstance: 'vmi',
  virtualmachineinstances: 'vmi',
};

/** The short form of a kind's name, whatever form was given; undefined for other kinds. */
export function kindOf(text: string): Target['kind'] | undefined {
  return KINDS[text.toLowerCase()];
}

/** Reads a target; the error says which part is missing. */
export function parseTarget(text: string): Target {
  if (text === '') throw new Error('target cannot be empty');
  const [kindText = '', name, namespace, ...more] = text.split('/');
  if (name === undefined)
    throw new Error(`target must contain type and name separated by '/': vm/${text} or vmi/${text}`);
  if (more.length > 0) throw new Error("target is not valid with more than two '/'");
  if (namespace === '') throw new Error('namespace cannot be empty');
  const kind = kindOf(kindText);
  if (kind === undefined) throw new Error(`unsupported resource type '${kindText}'`);
  if (name === '') throw new Error('name cannot be empty');
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** `[user@]type/name[/namespace]`. */
export function parseUserTarget(text: string): Target & { readonly user?: string } {
  const [first = '', second] = text.split('@');
  if (second === undefined) return parseTarget(first);
  if (first === '') throw new Error("expected username before '@'");
  if (second === '') throw new Error("expected target after '@'");
  return { ...parseTarget(second), user: first };
}
