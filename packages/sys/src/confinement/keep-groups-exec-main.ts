/**
 * `keep-groups-exec PROGRAM ARGS…`: becomes the program, for which leaving its supplementary groups succeeds without
 * doing anything. For QEMU's virtiofsd, which ends where it may not leave them, as in any user namespace that was made
 * without privileges; and it should not leave the Pod's fsGroup, to which its files belong.
 */
import { setNoNewPrivileges } from './confine.ts';
import { keepGroups } from './keep-groups.ts';

const [program = '', ...args] = process.argv.slice(2);
setNoNewPrivileges();
keepGroups();
process.execve?.(program, [program, ...args], process.env);
