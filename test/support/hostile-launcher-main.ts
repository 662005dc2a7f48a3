/**
 * A launcher that was lost to its guest: a process in the launcher's cgroup and with its user, that listens where the
 * launcher did and says what it likes. Arguments: the directories of the cgroup (joined by `:`), the Pod's directory
 * of sockets, and the domain that it claims to run, as JSON. Prints `watched` when virt-handler listens to it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDirectory } from '@podvisor/sys';
import { FakeLauncher } from '../../packages/virt-handler/src/testing/fake-launcher.ts';

const LAUNCHER_USER = 107;
const [cgroups = '', directory = '', domain = '{}'] = process.argv.slice(2);
for (const cgroup of cgroups.split(':')) writeFileSync(join(cgroup, 'cgroup.procs'), String(process.pid));
// Opened while we are root: the way to it is nobody else's.
const sockets = openDirectory(directory);
process.setgroups?.([]);
process.setgid?.(LAUNCHER_USER);
process.setuid?.(LAUNCHER_USER);
const launcher = new FakeLauncher(`${sockets.procPath}/.`);
launcher.onWatched = () => {
  launcher.setDomain(JSON.parse(domain));
  launcher.tell('Warning', 'GuestPanicked', 'said by a hostile launcher');
  process.stdout.write('watched\n');
};
await launcher.start();
process.stdout.write('listening\n');
