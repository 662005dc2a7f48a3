/**
 * What the processes of a home use and may not bring themselves, because none of them may load kernel modules or
 * AppArmor profiles (docs/security-privileges.md): root does it before the supervisor starts. Idempotent. What cannot be
 * brought is told and does not keep the home from running.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { messageOf } from '@podvisor/base';
import { run, type RunOptions } from '@podvisor/sys';
import { appArmorProfiles } from '../access-control/app-armor-profiles.ts';
import { readAccessControl } from '../access-control/host.ts';

/** What is used of the machine; a test brings its own. */
export interface PreparedMachine {
  readonly hasAppArmor: boolean;
  /** Bridges show what they carry to nftables: the kernel has br_netfilter, built in or loaded. */
  readonly filtersBridges: boolean;
  start(program: string, args: readonly string[], options?: RunOptions): Promise<unknown>;
  /** Writes a file of the kernel. */
  write(path: string, text: string): void;
}

/** Where the module says for which packets of all bridges of a network namespace nftables is asked. */
const BRIDGE_SETTINGS = '/proc/sys/net/bridge';

/** A slow machine takes its time to compile profiles. */
const PROFILES_MS = 120_000;

/** Returns what could not be brought, a sentence each. */
export async function prepareMachine(machine: PreparedMachine = thisMachine()): Promise<readonly string[]> {
  const told = await Promise.all([filterBridges(machine), loadProfiles(machine)]);
  return told.flatMap((sentence) => sentence ?? []);
}

/** The kernel loads most of what we use when it is used, but not this: nothing asks for it by name. */
async function filterBridges(machine: PreparedMachine): Promise<string | undefined> {
  if (machine.filtersBridges) return undefined;
  try {
    await machine.start('modprobe', ['br_netfilter']);
    // Our own bridges ask for it each. Those of others stay as they were: loaded alone, the module changes them all.
    for (const kind of ['iptables', 'ip6tables', 'arptables'])
      machine.write(`${BRIDGE_SETTINGS}/bridge-nf-call-${kind}`, '0');
    return undefined;
  } catch (error) {
    return `NetworkPolicies do not hold between Pods of one node: br_netfilter could not be loaded (${messageOf(error)})`;
  }
}

/** Replaces older ones. Where that fails, containers that ask for no profile run without. */
async function loadProfiles(machine: PreparedMachine): Promise<string | undefined> {
  if (!machine.hasAppArmor) return undefined;
  try {
    const options = { input: appArmorProfiles(), timeoutMs: PROFILES_MS };
    await machine.start('apparmor_parser', ['--replace', '--skip-cache'], options);
    return undefined;
  } catch (error) {
    return `containers run without AppArmor: its profiles could not be loaded (${messageOf(error)})`;
  }
}

function thisMachine(): PreparedMachine {
  return {
    hasAppArmor: readAccessControl().appArmor !== undefined,
    filtersBridges: existsSync(BRIDGE_SETTINGS),
    start: run,
    write: writeFileSync,
  };
}
