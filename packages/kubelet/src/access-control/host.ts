/** The mandatory access control that this node has, and our profiles loaded into it. */
import { existsSync, readFileSync } from 'node:fs';
import { messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { run } from '@podvisor/sys';
import type { AppArmorHost } from './app-armor.ts';
import { appArmorProfiles } from './app-armor-profiles.ts';

export interface AccessControlHost {
  readonly appArmor: AppArmorHost | undefined;
  readonly hasSeLinux: boolean;
}

const ENABLED = '/sys/module/apparmor/parameters/enabled';
const LOADED = '/sys/kernel/security/apparmor/profiles';

/** Looked at when a Pod comes: an administrator may load a profile at any time. */
export function readAccessControl(): AccessControlHost {
  const isOn = existsSync(ENABLED) && readFileSync(ENABLED, 'utf8').startsWith('Y');
  return {
    appArmor: isOn
      ? { loaded: parseLoaded(existsSync(LOADED) ? readFileSync(LOADED, 'utf8') : '') }
      : undefined,
    hasSeLinux: existsSync('/sys/fs/selinux/enforce'),
  };
}

/** Lines `NAME (enforce)`; a name may have blanks. Pure. */
export function parseLoaded(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split('\n')
      .flatMap((line) => /^(.+) \((?:enforce|complain|kill|unconfined)\)$/.exec(line)?.[1] ?? []),
  );
}

/** Loads our profiles, replacing older ones. Where that fails, launchers run without and the log says why. */
export async function loadProfiles(log: Log, host: AccessControlHost = readAccessControl()): Promise<void> {
  if (host.appArmor === undefined) return;
  try {
    await run('apparmor_parser', ['--replace', '--skip-cache'], { input: appArmorProfiles() });
  } catch (error) {
    log.warn({ error: messageOf(error) }, 'AppArmor profiles for containers could not be loaded');
  }
}
