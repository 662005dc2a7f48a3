/**
 * Unplugging is a question to the guest, and a guest that was busy (booting, or just given the device) may
 * miss it. It is asked again while the device is still there, slower than QEMU's own patience with a guest
 * (5 s), because a second request within that time would take the first one back.
 */
import { domainFromXml } from '@podvisor/translate';
import type { DomainRef } from '@podvisor/libvirt';
import { messageOf } from '@podvisor/base';
import type { DomainContext } from '../context.ts';
import { applyDeviceChange } from './apply.ts';
import type { DeviceChange } from './plan.ts';

const AFTER_MS = 7_000;
const TRIES = 10;

/** Returns at once; the asking goes on until the device is gone, the tries are used up or the domain ended. */
export function askAgain(
  context: DomainContext,
  domain: DomainRef,
  change: DeviceChange,
  tries = TRIES,
): void {
  if (tries === 0) return;
  context.clock.after(AFTER_MS, () => {
    if (context.signal.aborted) return;
    askIfThere(context, domain, change).then(
      (isThere) => (isThere ? askAgain(context, domain, change, tries - 1) : undefined),
      // The domain or the connection is gone: whoever comes next plans anew.
      (error: unknown) =>
        context.log.info({ device: change.name, error: messageOf(error) }, 'device is not asked for again'),
    );
  });
}

async function askIfThere(context: DomainContext, domain: DomainRef, change: DeviceChange): Promise<boolean> {
  const { connection } = context.session;
  const { devices } = domainFromXml(await connection.getXml(domain));
  const aliases = [...(devices?.disks ?? []), ...(devices?.interfaces ?? [])].map(({ alias }) => alias?.name);
  if (!aliases.includes(`ua-${change.name}`)) return false;
  context.log.info(
    { change: change.kind, device: change.name },
    'the guest still holds the device: asking again',
  );
  await applyDeviceChange(connection, domain, change).catch((error: unknown) =>
    context.log.info({ device: change.name, error: messageOf(error) }, 'the device is still being let go'),
  );
  return true;
}
