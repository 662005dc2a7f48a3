/** The mandatory access control that this node has, and whether our profiles are loaded into it. */
import { existsSync, readFileSync } from 'node:fs';
import type { Log } from '@podvisor/kube';
import type { AppArmorHost } from './app-armor.ts';
import { OWN_PROFILES } from './app-armor-profiles.ts';

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

/**
 * Tells when AppArmor is on and our profiles are not loaded: containers that ask for none run without. They are loaded
 * before the home starts (prepare-machine/), because no process of a home may.
 */
export function tellMissingProfiles(log: Log, host: AccessControlHost = readAccessControl()): void {
  const missing = OWN_PROFILES.filter((name) => host.appArmor?.loaded.has(name) === false);
  if (missing.length > 0) log.warn({ missing }, 'AppArmor profiles for containers are not loaded');
}
