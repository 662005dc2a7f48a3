/** Loop devices: a file seen as a block device. Found by what the kernel says, so a restart loses nothing. */
import { run } from '../processes/run.ts';

/** The loop devices that show `file`, oldest first. */
export async function loopDevicesOf(file: string): Promise<readonly string[]> {
  const { stdout } = await run('losetup', ['--json', '--list', '--output', 'NAME', '--associated', file]);
  if (stdout.trim() === '') return [];
  const parsed = JSON.parse(stdout) as { loopdevices?: readonly { name: string }[] };
  return (parsed.loopdevices ?? []).map((device) => device.name);
}

/** Attaches `file` and gives the device; one that is attached already is taken. */
export async function attachLoopDevice(file: string): Promise<string> {
  const [present] = await loopDevicesOf(file);
  if (present !== undefined) return present;
  const direct = await run('losetup', ['--find', '--show', '--direct-io=on', file], { okCodes: [0, 1] });
  if (direct.code === 0) return direct.stdout.trim();
  // Not every file system can do direct I/O; without it the device works the same, only cached twice.
  return (await run('losetup', ['--find', '--show', file])).stdout.trim();
}

/** Detaches every loop device of `file`. */
export async function detachLoopDevices(file: string): Promise<void> {
  for (const device of await loopDevicesOf(file)) await run('losetup', ['--detach', device]);
}

/** Tells every loop device of `file` that the file has grown. */
export async function refreshLoopDevices(file: string): Promise<void> {
  for (const device of await loopDevicesOf(file)) await run('losetup', ['--set-capacity', device]);
}
