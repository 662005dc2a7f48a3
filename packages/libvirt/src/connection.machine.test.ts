/** The client against a real libvirtd and a real QEMU, all as an unprivileged user. */
import assert from 'node:assert/strict';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { LibvirtConnection } from './connection.ts';
import type { DomainEvent } from './events.ts';
import { isLibvirtError } from './libvirt-error.ts';
import {
  AFFECT,
  CREATE_FLAG,
  DOMAIN_STATE,
  ERROR_CODE,
  LIFECYCLE_EVENT,
  STATS,
} from './protocol/constants.ts';
import { type SessionLibvirtd, startSessionLibvirtd } from './testing/session-libvirtd.ts';

describe('a libvirt connection', { timeout: 120_000 }, () => {
  let daemon: SessionLibvirtd;
  let connection: LibvirtConnection;
  const events: DomainEvent[] = [];
  let heard: () => void = () => {};

  const xml = (name: string): string => `<domain type='qemu'>
    <name>${name}</name><memory unit='MiB'>64</memory><vcpu>1</vcpu>
    <os><type arch='x86_64' machine='q35'>hvm</type></os><features><acpi/></features>
    <devices><emulator>/usr/bin/qemu-system-x86_64</emulator>
      <disk type='file' device='disk'><driver name='qemu' type='raw'/><source file='${daemon.directory}/disk'/>
        <target dev='vda' bus='virtio'/><alias name='ua-root'/></disk>
      <channel type='unix'><target type='virtio' name='org.qemu.guest_agent.0'/></channel>
      <video><model type='vga'/></video><graphics type='vnc' socket='${daemon.directory}/vnc'/>
    </devices></domain>`;

  const eventOf = async (wanted: (event: DomainEvent) => boolean): Promise<DomainEvent> => {
    for (;;) {
      const found = events.find(wanted);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    }
  };

  before(async () => {
    daemon = await startSessionLibvirtd();
    writeFileSync(join(daemon.directory, 'disk'), Buffer.alloc(1024 * 1024));
    chownSync(join(daemon.directory, 'disk'), daemon.uid, daemon.uid);
    connection = await LibvirtConnection.open({ socketPath: daemon.socketPath });
    await connection.subscribe(
      [
        'lifecycle',
        'reboot',
        'ioError',
        'deviceAdded',
        'deviceRemoved',
        'deviceRemovalFailed',
        'memoryDeviceSizeChange',
        'blockJob',
        'agentLifecycle',
        'migrationIteration',
        'jobCompleted',
      ],
      (event) => {
        events.push(event);
        heard();
      },
    );
  });
  after(async () => {
    await connection?.close();
    await daemon?.[Symbol.asyncDispose]();
  });

  test('tells versions and capabilities', async () => {
    assert.ok((await connection.libvirtVersion()) >= 7_000_000);
    assert.ok((await connection.hypervisorVersion()) >= 5_000_000);
    assert.match(await connection.capabilities(), /^<capabilities>/);
    assert.match(await connection.domainCapabilities({ virtType: 'qemu' }), /<domainCapabilities>/);
  });

  test('takes a domain through its life, with events', async () => {
    const defined = await connection.defineXml(xml('life'));
    assert.equal(defined.id, -1);
    const domain = await connection.create(defined, CREATE_FLAG.paused);
    assert.equal((await connection.state(domain)).state, DOMAIN_STATE.paused);
    await connection.resume(domain);
    assert.equal((await connection.state(domain)).state, DOMAIN_STATE.running);
    assert.equal((await connection.inspect.info(domain)).maxMemKiB, 64 * 1024);
    assert.match(await connection.getXml(domain), /ua-root/);
    assert.deepEqual(await connection.lookupByUuid(domain.uuid), domain);
    assert.deepEqual(await connection.listDomains(), [domain]);
    const [stats] = await connection.inspect.allStats(STATS.state | STATS.block, 0, [domain]);
    assert.equal(stats?.params['block.0.name'], 'vda');
    const picture = await connection.inspect.screenshot(domain);
    assert.ok(picture.data.length > 100, picture.mime);
    await connection.reset(domain);
    await connection.devices.blockResize(domain, 'vda', 2 * 1024 * 1024);
    await connection.setMetadata(
      domain,
      "<k xmlns='http://kubevirt.io'><uid>1</uid></k>",
      'k',
      'http://kubevirt.io',
      1,
    );
    assert.match(await connection.getXml(domain), /<uid>1<\/uid>/);
    await connection.suspend(domain);
    await connection.destroy(domain);
    await eventOf((event) => event.kind === 'lifecycle' && event.event === LIFECYCLE_EVENT.stopped);
    assert.equal((await connection.state(domain)).state, DOMAIN_STATE.shutoff);
    await connection.undefine(domain);
    assert.equal(await connection.lookupByName('life'), undefined);
    const seen = events.flatMap((event) => (event.kind === 'lifecycle' ? [event.event] : []));
    for (const wanted of [
      LIFECYCLE_EVENT.defined,
      LIFECYCLE_EVENT.started,
      LIFECYCLE_EVENT.suspended,
      LIFECYCLE_EVENT.undefined,
    ])
      assert.ok(seen.includes(wanted), `event ${wanted} was told`);
  });

  test('attaches and detaches a device', async () => {
    const domain = await connection.createXml(xml('devices'), CREATE_FLAG.paused);
    await connection.devices.attach(
      domain,
      "<input type='tablet' bus='usb'><alias name='ua-tablet'/></input>",
      AFFECT.live,
    );
    assert.match(await connection.getXml(domain), /ua-tablet/);
    await connection.devices.detachAlias(domain, 'ua-tablet', AFFECT.live);
    await eventOf((event) => event.kind === 'deviceRemoved' && event.alias === 'ua-tablet');
    assert.doesNotMatch(await connection.getXml(domain), /ua-tablet/);
    await connection.destroy(domain);
  });

  test('says what is wrong with a code', async () => {
    await assert.rejects(connection.defineXml('<domain/>'), (error) => isLibvirtError(error));
    const domain = await connection.createXml(xml('agentless'));
    await assert.rejects(connection.guest.agentCommand(domain, '{"execute":"guest-ping"}', 1), (error) =>
      isLibvirtError(error, ERROR_CODE.agentUnresponsive),
    );
    await assert.rejects(connection.guest.info(domain, 0), (error) => isLibvirtError(error));
    await assert.rejects(connection.migration.abortJob(domain), (error) =>
      isLibvirtError(error, ERROR_CODE.operationInvalid),
    );
    assert.equal((await connection.migration.jobStats(domain)).type, 0);
    await connection.migration.setMaxSpeed(domain, 100);
    await connection.destroy(domain);
    await assert.rejects(connection.state(domain), (error) => isLibvirtError(error, ERROR_CODE.noDomain));
  });

  test('two domains cannot write one disk', async () => {
    const first = await connection.createXml(xml('one'));
    await assert.rejects(connection.createXml(xml('two')), /lock/);
    await connection.destroy(first);
  });
});
