/** Whether there is a home, and whether this user may look into it. A home is root's alone (0700). */
import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { instancePaths } from '@podvisor/sys';

/** `denied`: whether there is one cannot be seen. */
export function homeOf(home: string): 'present' | 'absent' | 'denied' {
  try {
    statSync(instancePaths(home).config);
    return 'present';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'absent';
  }
}

/** For commands that are about a home: throws, with the way out, where there is none or it is somebody else's. */
export function neededHome(home: string): void {
  if (accessibleHome(home) === 'absent')
    throw new Error(
      `${home} is not set up yet: run \`podvisor up\` first (PODVISOR_HOME names another home)`,
    );
}

/** Throws, with the fix, where it cannot be seen: unknown is not absent. */
export function accessibleHome(home: string): 'present' | 'absent' {
  const found = homeOf(home);
  if (found !== 'denied') return found;
  throw new Error(
    `${home} belongs to root, and ${userInfo().username} may not look into it: run it with sudo. VMs need no root: with a kubeconfig of the home, kubectl and virtctl work for everybody`,
  );
}
