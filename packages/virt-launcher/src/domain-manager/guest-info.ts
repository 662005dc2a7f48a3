/** What the guest agent says, in the shapes of KubeVirt's guestosinfo, userlist and filesystemlist. */
import { LauncherError } from '../launcher-error.ts';
import type { DomainContext } from './context.ts';

export function guestInfo(context: DomainContext): object {
  const facts = requireAgent(context);
  return {
    guestAgentVersion: facts.version,
    supportedCommands: facts.commands?.map((name) => ({ name, enabled: true })),
    hostname: facts.hostname,
    os: facts.os,
    timezone: facts.timezone,
    userList: facts.users,
    fsInfo: { disks: facts.filesystems },
    fsFreezeStatus: facts.fsFreezeStatus,
  };
}

export function guestUsers(context: DomainContext): object {
  return { items: requireAgent(context).users ?? [] };
}

export function guestFilesystems(context: DomainContext): object {
  return { items: requireAgent(context).filesystems ?? [] };
}

function requireAgent(context: DomainContext): DomainContext['agent']['facts'] {
  const { known } = context.observer;
  if (known.kind !== 'present' || !known.state.agentConnected)
    throw new LauncherError('the guest agent is not connected');
  return context.agent.facts;
}
