/** The URL grammar of virt-handler's REST server. Pure. */

/** Verbs answered by one call to the launcher. */
export const LIFECYCLE = ['pause', 'unpause', 'softreboot', 'reset', 'freeze', 'unfreeze'] as const;
export const QUESTIONS = ['guestosinfo', 'userlist', 'filesystemlist', 'domainstats', 'domainxml'] as const;
export const BACKUPS = ['backup', 'redefine-checkpoint'] as const;
export const PROGRESS = ['migrationprogress', 'backupprogress'] as const;
export const STREAMS = ['console', 'vnc', 'usbredir'] as const;

export type Route =
  | ({ readonly kind: 'lifecycle'; readonly verb: (typeof LIFECYCLE)[number] } & Target)
  | ({ readonly kind: 'question'; readonly verb: (typeof QUESTIONS)[number] } & Target)
  | ({ readonly kind: 'stream'; readonly verb: (typeof STREAMS)[number] } & Target)
  | ({ readonly kind: 'backup'; readonly verb: (typeof BACKUPS)[number] } & Target)
  | ({ readonly kind: 'networkpath' } & Target)
  | ({ readonly kind: 'diskpath' } & Target)
  | ({ readonly kind: 'usagehistory' } & Target)
  | ({ readonly kind: 'progress'; readonly verb: (typeof PROGRESS)[number] } & Target)
  | ({ readonly kind: 'screenshot' } & Target);

interface Target {
  readonly namespace: string;
  readonly name: string;
}

const PATTERN =
  /^\/v1\/namespaces\/([a-z0-9-]{1,63})\/virtualmachineinstances\/([a-z0-9.-]{1,253})\/([a-z/-]{1,32})$/;

/** The route of a path, or undefined when there is none. */
export function parseRoute(path: string): Route | undefined {
  const match = PATTERN.exec(path);
  const [, namespace = '', name = '', verb = ''] = match ?? [];
  if (match === null) return undefined;
  const target = { namespace, name };
  const lifecycle = LIFECYCLE.find((v) => v === verb);
  if (lifecycle !== undefined) return { kind: 'lifecycle', verb: lifecycle, ...target };
  const question = QUESTIONS.find((v) => v === verb);
  if (question !== undefined) return { kind: 'question', verb: question, ...target };
  const stream = STREAMS.find((v) => v === verb);
  if (stream !== undefined) return { kind: 'stream', verb: stream, ...target };
  const backup = BACKUPS.find((v) => v === verb);
  if (backup !== undefined) return { kind: 'backup', verb: backup, ...target };
  if (verb === 'networkpath') return { kind: 'networkpath', ...target };
  if (verb === 'diskpath') return { kind: 'diskpath', ...target };
  if (verb === 'usagehistory') return { kind: 'usagehistory', ...target };
  const progress = PROGRESS.find((v) => v === verb);
  if (progress !== undefined) return { kind: 'progress', verb: progress, ...target };
  return verb === 'vnc/screenshot' ? { kind: 'screenshot', ...target } : undefined;
}
