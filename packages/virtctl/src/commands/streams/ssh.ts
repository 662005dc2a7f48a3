/** ssh and scp: the local client, with a tunnel of ours as its ProxyCommand. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { accessFlags, accessWords } from '../../access/flags.ts';
import { kubeconfigPaths } from '../../access/kubeconfig.ts';
import { openSession } from '../../kube-access.ts';
import type { Shell } from '../../shell.ts';
import { identityOfHome } from '../../run/ssh-identity.ts';
import { requireGuest } from '../../streams/absent-guest.ts';
import { parseUserTarget, type Target } from '../../target.ts';
import { hostKeyName } from './host-key-name.ts';

/** Guests come and go under the same names: their keys stay apart from those of real hosts. */
export const DEFAULT_KNOWN_HOSTS = join(homedir(), '.ssh/kubevirt_known_hosts');

export interface SshFlags {
  readonly username?: string;
  readonly identityFile?: string;
  readonly knownHosts?: string;
  readonly port: string;
  readonly localSshOpts?: readonly string[];
  readonly acceptHostKey?: boolean;
  readonly vsock?: boolean;
  readonly localSsh?: boolean;
}

export function addSshCommands(program: Command, shell: Shell): void {
  sshFlags(
    program.command('ssh <target>').description('Open a shell in a guest: [user@]vm|vmi/NAME[/NAMESPACE].'),
  )
    .option('-c, --command <command>', 'run this command in the guest instead of a shell')
    .action(async (text: string, given: SshFlags & { readonly command?: string }, self: Command) => {
      const flags = withIdentity(given, self, shell);
      const { user, ...named } = parseUserTarget(text);
      const { client, namespace } = openSession(self, shell);
      const target = { namespace, ...named };
      const words = [hostOf(target, user ?? userOf(flags, shell))];
      if (flags.command !== undefined) words.push(flags.command);
      makeRoomForKeys(flags);
      const proxy = proxyCommand(target, flags, self, shell);
      const [keyName] = await Promise.all([hostKeyName(client, target), requireGuest(client, target)]);
      const advice = adviceForUnknownKey(flags, keyName, shell);
      shell.become('ssh', clientWords(flags, proxy, words, keyName), advice);
    });
  sshFlags(
    program
      .command('scp <source> <destination>')
      .description('Copy files to or from a guest: one side is [user@]vm|vmi/NAME[/NAMESPACE]:PATH.'),
  )
    .option('-r, --recursive', 'copy directories with all they hold', false)
    .option('--preserve', 'keep times and modes', false)
    .action(async (source: string, destination: string, given: SshFlags & ScpFlags, self: Command) => {
      const flags = withIdentity(given, self, shell);
      const sides = [source, destination].map(parseSide);
      const remotes = sides.filter((side) => side.target !== undefined);
      const [remote] = remotes;
      if (remotes.length !== 1 || remote?.target === undefined)
        throw new Error(
          'exactly one of source and destination must be a guest: [user@]vm|vmi/NAME[/NAMESPACE]:PATH',
        );
      if (sides[0]?.target === undefined && !existsSync(source))
        throw new Error(`there is no file ${source}`);
      const { user, ...named } = remote.target;
      const { client, namespace } = openSession(self, shell);
      const target = { namespace, ...named };
      const host = hostOf(target, user ?? userOf(flags, shell));
      const words = [
        ...(flags.recursive ? ['-r'] : []),
        ...(flags.preserve ? ['-p'] : []),
        ...sides.map((side) => (side.target === undefined ? localPath(side.path) : `${host}:${side.path}`)),
      ];
      makeRoomForKeys(flags);
      const proxy = proxyCommand(target, flags, self, shell);
      const [keyName] = await Promise.all([hostKeyName(client, target), requireGuest(client, target)]);
      const advice = adviceForUnknownKey(flags, keyName, shell);
      shell.become('scp', clientWords(flags, proxy, words, keyName), advice);
    });
}

/** The key that `podvisor run` gave to the guests of a home, for who has none of his own. */
function withIdentity<Flags extends SshFlags>(flags: Flags, self: Command, shell: Shell): Flags {
  const userHome = shell.env['HOME'] ?? homedir();
  const identityFile =
    flags.identityFile ?? identityOfHome(kubeconfigPaths(accessFlags(self), shell.env), userHome);
  return identityFile === undefined ? flags : { ...flags, identityFile };
}

/** ssh makes the directory of its own file alone: who never used it could not keep the key of a guest. */
function makeRoomForKeys({ knownHosts = DEFAULT_KNOWN_HOSTS }: SshFlags): void {
  mkdirSync(dirname(knownHosts), { recursive: true, mode: 0o700 });
}

/** Where nobody can be asked, ssh says only that the key's verification failed: the way out is said after it. */
function adviceForUnknownKey(
  { knownHosts = DEFAULT_KNOWN_HOSTS, acceptHostKey, localSshOpts = [] }: SshFlags,
  keyName: string | undefined,
  { stdin }: Shell,
): string | undefined {
  if (stdin.isTTY === true || acceptHostKey === true || localSshOpts.length > 0) return undefined;
  if (keyName === undefined) return undefined;
  const known = existsSync(knownHosts) ? readFileSync(knownHosts, 'utf8') : '';
  // Names may be hashed; then only ssh knows.
  if (known.includes(keyName) || known.includes('|1|')) return undefined;
  return 'the key of this guest is not known yet, and there is no terminal to ask on: --accept-host-key takes it';
}

interface ScpFlags {
  readonly recursive: boolean;
  readonly preserve: boolean;
}

function sshFlags(command: Command): Command {
  return command
    .option('-l, --username <name>', 'user to sign in as')
    .option(
      '-i, --identity-file <file>',
      'private key (default: what ssh finds below ~/.ssh, else the key that `podvisor run` made for the home)',
    )
    .option('--known-hosts <file>', `known hosts file (default ${DEFAULT_KNOWN_HOSTS})`)
    .option('-p, --port <port>', "port of the guest's ssh server", '22')
    .option(
      '-t, --local-ssh-opts <option>',
      'further option for the local ssh, e.g. "-o StrictHostKeyChecking=no"; may be repeated',
      (value: string, all: readonly string[] = []) => [...all, value],
    )
    .option(
      '--accept-host-key',
      'take the key of a guest that is not known yet without asking, as scripts need; a changed key is refused',
      false,
    )
    .option('--vsock', 'connect over VSOCK', false)
    .option('--local-ssh', 'always so: the local ssh client is used', true)
    .option('--no-local-ssh', 'refused: there is no other client than the local one');
}

interface Side {
  readonly path: string;
  readonly target?: Target & { readonly user?: string };
}

/** `user@vm/name:path` is a guest, everything else a local file. */
export function parseSide(text: string): Side {
  const [, head, path] = /^([^:]*\/[^:]*):(.*)$/.exec(text) ?? [];
  if (head === undefined || path === undefined || /^[./]/.test(head)) return { path: text };
  return { path, target: parseUserTarget(head) };
}

/** As scp takes it for a file of this machine, whatever somebody has named it: no option, and no other machine's. */
export function localPath(path: string): string {
  return /^-|^[^/]*:/.test(path) ? `./${path}` : path;
}

function userOf(flags: SshFlags, shell: Shell): string | undefined {
  const { env } = shell;
  return flags.username ?? env['USER'] ?? env['USERNAME'] ?? env['LOGNAME'];
}

/** The name under which ssh knows the guest: `[user@]kind.name.namespace`. */
export function hostOf({ kind, name, namespace }: Target, user: string | undefined): string {
  if (user?.startsWith('-') === true) throw new Error(`a user's name begins with no "-": ${user}`);
  return `${user === undefined || user === '' ? '' : `${user}@`}${kind}.${name}.${namespace}`;
}

/** The words for ssh or scp before their own. Of an option that is given twice ssh takes the first: the user's. */
export function clientWords(
  flags: SshFlags,
  proxy: string,
  words: readonly string[],
  keyName?: string,
): readonly string[] {
  if (flags.localSsh === false)
    throw new Error(
      '--local-ssh=false is not possible: virtctl has no ssh client of its own, it uses the local one',
    );
  return [
    '-o',
    proxy,
    ...['-o', `UserKnownHostsFile=${flags.knownHosts ?? DEFAULT_KNOWN_HOSTS}`],
    ...(flags.acceptHostKey === true ? ['-o', 'StrictHostKeyChecking=accept-new'] : []),
    ...(flags.localSshOpts ?? []),
    ...(keyName === undefined ? [] : ['-o', `HostKeyAlias=${keyName}`]),
    ...(flags.identityFile === undefined ? [] : ['-i', flags.identityFile]),
    ...words,
  ];
}

function proxyCommand(target: Target, flags: SshFlags, self: Command, shell: Shell): string {
  const words = [
    ...shell.self,
    'port-forward',
    '--stdio=true',
    ...(flags.vsock === true ? ['--vsock', '--vsock-tls=false'] : []),
    ...accessWords(accessFlags(self)),
    `${target.kind}/${target.name}/${target.namespace}`,
    flags.port,
  ];
  return `ProxyCommand=${words.map(proxyWord).join(' ')}`;
}

/** ssh gives the text to a shell and replaces %-signs before. */
export function proxyWord(word: string): string {
  const quoted = /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return quoted.replaceAll('%', '%%');
}
