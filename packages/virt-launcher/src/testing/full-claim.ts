/** A claim of a launcher that has room for next to nothing, until it is disposed of. Needs root. */
import { execFileSync } from 'node:child_process';
import { type TestLauncher, UID } from './launcher-process.ts';

export function withoutRoom(launcher: TestLauncher, claim: string): Disposable {
  // The launcher has a mount namespace of its own, which gets nothing of what is mounted here.
  const inside = ['-t', String(launcher.libvirtdPid()), '-m'];
  const mount = ['-t', 'tmpfs', '-o', `size=64k,uid=${UID},mode=700`, 'tmpfs', claim];
  execFileSync('mount', mount);
  execFileSync('nsenter', [...inside, 'mount', ...mount]);
  return {
    [Symbol.dispose]: () => {
      execFileSync('nsenter', [...inside, 'umount', claim]);
      execFileSync('umount', [claim]);
    },
  };
}
