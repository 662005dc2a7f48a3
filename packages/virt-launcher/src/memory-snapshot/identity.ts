/**
 * Makes a copy of a guest another one, through its agent: MAC addresses, host name, machine id, SSH host keys, entropy
 * and time. The copy runs when this is called, and nobody has heard of it yet. What a guest does not have is left out; a
 * guest that cannot be reached, or keeps its name or a MAC address, is an error.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { VirtualMachineInstance } from '@podvisor/api';
import { sleep } from '@podvisor/base';
import type { DomainContext } from '../domain-manager/context.ts';
import { exec, guestPing } from '../domain-manager/exec.ts';
import { LauncherError } from '../launcher-error.ts';
import { type ChangedMac, readdress } from './own-macs.ts';
import { rename } from './own-name.ts';

/** How long the agent may take to answer after the guest went on. */
const AGENT_WAIT_MS = 15_000;
const AGENT_LOOK_MS = 50;
const EXEC_SECONDS = 30;
/** Somebody waits for the copy. */
const LONGEST_LOOK_MS = 80;
const SEED_BYTES = 64;

/**
 * For any POSIX shell, also busybox: $1 host name, $2 machine id, $3 seconds since 1970, $4 entropy in hexadecimal, then
 * MAC addresses in pairs, old and new.
 */
const SCRIPT = String.raw`
${readdress()}
${rename()}
date -s "@$3" >/dev/null 2>&1
echo "$4" > /dev/urandom
rename "$1" || exit 3
[ -e /etc/hostname ] && echo "$1" > /etc/hostname
[ -e /etc/machine-id ] && echo "$2" > /etc/machine-id
[ -f /var/lib/dbus/machine-id ] && [ ! -L /var/lib/dbus/machine-id ] && echo "$2" > /var/lib/dbus/machine-id
for key in /etc/ssh/ssh_host_*_key; do break; done
if [ -e "$key" ]; then
  rm -f /etc/ssh/ssh_host_*_key /etc/ssh/ssh_host_*_key.pub
  ssh-keygen -A >/dev/null 2>&1 || exit 4
  if command -v systemctl >/dev/null 2>&1; then systemctl try-restart ssh.service sshd.service >/dev/null 2>&1
  else service ssh restart >/dev/null 2>&1 || service sshd restart >/dev/null 2>&1; fi
fi
if command -v dropbear >/dev/null 2>&1; then
  rm -f /etc/dropbear/dropbear_*_host_key
  if killall dropbear 2>/dev/null; then dropbear -R -B >/dev/null 2>&1 </dev/null; fi
fi
shift 4
readdress "$@" || exit 5
`;

export async function giveIdentity(
  context: DomainContext,
  vmi: VirtualMachineInstance,
  macs: readonly ChangedMac[],
): Promise<void> {
  const { clock, signal } = context;
  const giveUpMs = clock.elapsed() + AGENT_WAIT_MS;
  for (;;) {
    try {
      await guestPing(context, 1);
      break;
    } catch (error) {
      if (clock.elapsed() >= giveUpMs)
        throw new LauncherError('the copy could not be given an identity of its own: its agent is silent', {
          cause: error,
        });
      await sleep(clock, AGENT_LOOK_MS, signal);
    }
  }
  const name = vmi.spec.hostname ?? vmi.metadata?.name ?? '';
  const { exitCode } = await exec(
    context,
    '/bin/sh',
    [
      '-c',
      SCRIPT,
      'identity',
      ...facts(context, name),
      ...macs.flatMap(({ before, after }) => [before, after]),
    ],
    EXEC_SECONDS,
    LONGEST_LOOK_MS,
  );
  if (exitCode !== 0)
    throw new LauncherError(
      `the copy could not be given an identity of its own: its script ended with ${exitCode}`,
    );
}

function facts({ vmiUid, clock }: DomainContext, name: string): readonly string[] {
  const machineId = createHash('sha256').update(`podvisor machine id ${vmiUid}`).digest('hex').slice(0, 32);
  return [name, machineId, String(Math.round(clock.now() / 1000)), randomBytes(SEED_BYTES).toString('hex')];
}
