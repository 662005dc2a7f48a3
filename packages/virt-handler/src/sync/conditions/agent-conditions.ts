/** What clients are told of the guest agent: connected, too old, keys and passwords set. Pure. */
import type { DomainState, VirtualMachineInstance, VMICondition } from '@podvisor/api';
import { type WantedCondition, withCondition } from './conditions.ts';
import type { EventText } from '../events.ts';

/** Without these an agent is of little use. */
const BASIC_COMMANDS = [
  'guest-ping',
  'guest-get-time',
  'guest-info',
  'guest-shutdown',
  'guest-network-get-interfaces',
  'guest-get-fsinfo',
  'guest-get-host-name',
  'guest-get-users',
  'guest-get-timezone',
  'guest-get-osinfo',
];
const KEY_COMMANDS = ['guest-ssh-get-authorized-keys', 'guest-ssh-add-authorized-keys'];
const PASSWORD_COMMANDS = ['guest-set-user-password'];
const DEFAULT_VERSIONS = ['2.*', '3.*', '4.*', '5.*'];

/** The list with AgentConnected, AgentVersionNotSupported and AccessCredentialsSynchronized as they should be. */
export function withAgentConditions(
  conditions: readonly VMICondition[],
  vmi: VirtualMachineInstance,
  domain: DomainState,
  now: string,
  versions: readonly string[] = DEFAULT_VERSIONS,
): readonly VMICondition[] {
  const connected = domain.agentConnected ? ({ status: 'True' } as const) : undefined;
  const complaint = domain.agentConnected ? agentComplaint(vmi, domain, versions) : undefined;
  const unsupported = complaint === undefined ? undefined : { status: 'True', reason: complaint };
  let next = withCondition(conditions, 'AgentConnected', connected, now);
  next = withCondition(next, 'AgentVersionNotSupported', unsupported, now);
  // Keys that were set stay in the guest when its agent goes.
  const credentials = credentialsCondition(domain);
  return credentials === undefined
    ? next
    : withCondition(next, 'AccessCredentialsSynchronized', credentials, now);
}

/** The event for keys or passwords that have been set, or could not be. */
export function credentialsEvent(
  before: readonly VMICondition[] | undefined,
  after: readonly VMICondition[] | undefined,
): EventText | undefined {
  const of = (list: readonly VMICondition[] | undefined): VMICondition | undefined =>
    list?.find(({ type }) => type === 'AccessCredentialsSynchronized');
  const now = of(after);
  if (now === undefined || of(before)?.status === now.status) return undefined;
  return now.status === 'True'
    ? {
        type: 'Normal',
        reason: 'AccessCredentialsSyncSuccess',
        message: 'Access credentials sync successful.',
      }
    : {
        type: 'Warning',
        reason: 'AccessCredentialsSyncFailed',
        message: `Access credentials sync failed: ${now.message ?? ''}`,
      };
}

function credentialsCondition({ accessCredentials }: DomainState): Omit<WantedCondition, 'type'> | undefined {
  if (accessCredentials === undefined) return undefined;
  return accessCredentials.succeeded
    ? { status: 'True' }
    : { status: 'False', message: accessCredentials.message };
}

/** What the agent lacks; undefined while nothing is known against it. */
function agentComplaint(
  vmi: VirtualMachineInstance,
  { agentCommands, agentVersion }: DomainState,
  versions: readonly string[],
): string | undefined {
  if (agentCommands === undefined || agentCommands.length === 0) {
    if (agentVersion === undefined || versions.some((glob) => matches(glob, agentVersion))) return undefined;
    return `Guest agent version '${agentVersion}' is not supported`;
  }
  const lacks = (commands: readonly string[]): boolean =>
    commands.some((command) => !agentCommands.includes(command));
  const credentials = vmi.spec.accessCredentials ?? [];
  if (lacks(BASIC_COMMANDS)) return "This guest agent doesn't support required basic commands";
  if (
    credentials.some((c) => c.sshPublicKey?.propagationMethod.qemuGuestAgent !== undefined) &&
    lacks(KEY_COMMANDS)
  )
    return "This guest agent doesn't support required public key commands";
  if (
    credentials.some((c) => c.userPassword?.propagationMethod.qemuGuestAgent !== undefined) &&
    lacks(PASSWORD_COMMANDS)
  )
    return "This guest agent doesn't support required password commands";
  return undefined;
}

/** `5.*` and its like; a star stands for anything. */
function matches(glob: string, version: string): boolean {
  const [first = '', ...rest] = glob.split('*');
  if (!version.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = version.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return rest.length > 0 || at === version.length;
}
