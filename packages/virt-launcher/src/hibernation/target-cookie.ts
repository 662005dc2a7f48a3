/**
 * What libvirt's source hears from its target before it sends the guest: here there is no target, so it hears what one
 * of the same version would say. Without it libvirtd 9.0 crashes. The name of the host only has to be another.
 */
const NOBODY =
  '<hostname>hibernation.invalid</hostname><hostuuid>7c1d6a3e-5b0f-4c8e-9a57-0f5f3a1f8f10</hostuuid>';

export function targetCookie(fromSource: Buffer): Buffer {
  const source = fromSource.toString('utf8');
  const part = (pattern: RegExp): string => pattern.exec(source)?.[0] ?? '';
  const name = part(/<name>.*?<\/name>/s);
  const uuid = part(/<uuid>.*?<\/uuid>/s);
  const capabilities = part(/<capabilities>.*?<\/capabilities>/s);
  return Buffer.from(`<qemu-migration>${name}${uuid}${NOBODY}${capabilities}</qemu-migration>\0`);
}
