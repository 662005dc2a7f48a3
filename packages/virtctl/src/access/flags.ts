/**
 * The flags that every command takes: which cluster, as whom, in which namespace. They are kubectl's. A
 * command may have a flag of its own with the same name (`--user` of `credentials`): there, its own wins.
 */
import { type Command, Option } from 'commander';

export interface AccessFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly server?: string;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly asUid?: string;
  readonly requestTimeout?: string;
  readonly certificateAuthority?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
}

/** Flag, meaning. Also what `virtctl options` prints. */
export const GLOBAL_FLAGS: readonly (readonly [flag: string, summary: string])[] = [
  ['--kubeconfig <file>', 'kubeconfig file ($KUBECONFIG, ~/.kube/config, or that of `podvisor up`)'],
  ['--context <name>', 'context of the kubeconfig to use'],
  ['--cluster <name>', 'cluster of the kubeconfig to use'],
  ['--user <name>', 'user of the kubeconfig to use'],
  ['-n, --namespace <namespace>', 'namespace of the object (default: the context\'s, else "default")'],
  ['-s, --server <url>', 'address and port of the API server'],
  ['--token <token>', 'bearer token to sign in with'],
  ['--username <name>', 'user name to sign in with'],
  ['--password <password>', 'password to sign in with'],
  ['--as <user>', 'act as this user'],
  ['--as-group <group...>', 'act as a member of this group; may be repeated'],
  ['--as-uid <uid>', 'act with this user id'],
  ['--request-timeout <time>', 'give up on a request after this time, e.g. 30s, 2m; 0 waits for ever'],
  ['--certificate-authority <file>', 'certificate authority of the server'],
  ['--client-certificate <file>', 'client certificate to sign in with'],
  ['--client-key <file>', 'key of the client certificate'],
  ['--tls-server-name <name>', "name that the server's certificate must have"],
  ['--insecure-skip-tls-verify', "do not check the server's certificate"],
  ['-v, --v <level>', 'how much to log (0 … 9)'],
];

const addedTo = new WeakMap<Command, ReadonlySet<string>>();

/** Gives `command` and all below it the global flags that they do not have themselves. */
export function addGlobalFlags(command: Command): void {
  const own = new Set(command.options.flatMap((option) => [option.long, option.short]));
  const added = new Set<string>();
  for (const [flags, summary] of GLOBAL_FLAGS) {
    const option = new Option(flags, summary).hideHelp(command.parent !== null);
    if (own.has(option.long)) continue;
    // A short form that the command uses for something else stays the command's.
    const free = option.short === undefined || !own.has(option.short);
    command.addOption(free ? option : new Option(flags.replace(/^-\w, /, ''), summary).hideHelp());
    added.add(option.attributeName());
  }
  addedTo.set(command, added);
  for (const child of command.commands) addGlobalFlags(child);
}

/** The global flags as given to `command` or to those above it; the innermost wins. */
export function accessFlags(command: Command): AccessFlags {
  const chain: Command[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) chain.unshift(at);
  const merged: Record<string, unknown> = {};
  for (const link of chain) {
    const added = addedTo.get(link);
    for (const [key, value] of Object.entries(link.opts<Record<string, unknown>>()))
      if (added?.has(key) === true) merged[key] = value;
  }
  return merged;
}

/** The flags again as words, for a program that we start (ssh's ProxyCommand). */
export function accessWords(flags: AccessFlags): readonly string[] {
  return GLOBAL_FLAGS.flatMap(([text]) => {
    const option = new Option(text);
    const value: unknown = Object.entries(flags).find(([key]) => key === option.attributeName())?.[1];
    if (value === undefined || option.long === '--namespace' || option.long === undefined) return [];
    if (value === true) return [option.long];
    return (Array.isArray(value) ? value : [value]).map((item) => `${option.long}=${String(item)}`);
  });
}
