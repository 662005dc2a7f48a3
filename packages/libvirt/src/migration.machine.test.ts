/** Two libvirtd on one machine, driven step by step: memory and disk over unix sockets, as unprivileged users. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { LibvirtConnection } from './connection.ts';
import { isLibvirtError } from './libvirt-error.ts';
import { DOMAIN_STATE, ERROR_CODE, MIGRATE_FLAG, XML_FLAG } from './protocol/constants.ts';
import type { DomainRef } from './protocol/domain-ref.ts';
import type { TypedParam } from './protocol/typed-param.ts';
import { type SessionLibvirtd, startSessionLibvirtd } from './testing/session-libvirtd.ts';

const DISK = Buffer.concat([randomBytes(2 * 1024 * 1024), Buffer.alloc(2 * 1024 * 1024)]);
const FLAGS =
  MIGRATE_FLAG.live |
  MIGRATE_FLAG.persistDestination |
  MIGRATE_FLAG.nonSharedIncremental |
  MIGRATE_FLAG.changeProtection;
const NO_COOKIE = Buffer.alloc(0);
const PAUSED_FOR_MIGRATION = 2;
const SHUT_OFF_MIGRATED = 4;

const text = (field: string, value: string): TypedParam => ({ field, type: 'string', value });

describe('a migration, step by step', { timeout: 120_000 }, () => {
  const daemons: SessionLibvirtd[] = [];
  const connections: LibvirtConnection[] = [];
  const carriers: Server[] = [];
  let domain: DomainRef;

  before(async () => {
    for (const content of [DISK, Buffer.alloc(DISK.length)]) {
      const daemon = await startSessionLibvirtd();
      daemons.push(daemon);
      writeFileSync(join(daemon.directory, 'disk'), content);
      chownSync(join(daemon.directory, 'disk'), daemon.uid, daemon.uid);
      connections.push(await LibvirtConnection.open({ socketPath: daemon.socketPath }));
    }
    for (const channel of ['memory', 'disks']) carriers.push(await carry(channel));
    domain = await source().create(await source().defineXml(xml(at(0))));
  });
  after(async () => {
    for (const connection of connections) await connection.close().catch(() => {});
    for (const carrier of carriers) carrier.close();
    for (const daemon of daemons) await daemon[Symbol.asyncDispose]();
  });

  const at = (side: 0 | 1): string => daemons[side]?.directory ?? '';
  const connection = (side: 0 | 1): LibvirtConnection => {
    const found = connections[side];
    assert.ok(found);
    return found;
  };
  const source = (): LibvirtConnection => connection(0);
  const target = (): LibvirtConnection => connection(1);
  const disks = [text('migrate_disks', 'vda')];
  const uris = (side: 0 | 1): readonly TypedParam[] => [
    text('migrate_uri', `unix://${at(side)}/memory`),
    text('disks_uri', `unix://${at(side)}/disks`),
  ];

  /** What virt-handlers do: the source's sockets lead to the target's. */
  async function carry(channel: string): Promise<Server> {
    const server = createServer((near) => {
      const far = connect(join(at(1), channel));
      near.pipe(far).on('error', () => near.destroy());
      far.pipe(near).on('error', () => far.destroy());
    });
    const path = join(at(0), channel);
    await new Promise<void>((resolve) => server.listen(path, resolve));
    chownSync(path, daemons[0]?.uid ?? 0, daemons[0]?.uid ?? 0);
    return server;
  }

  async function beginAndPrepare(): Promise<Buffer> {
    const wanted = (await source().getXml(domain, XML_FLAG.migratable)).replaceAll(at(0), at(1));
    const params = [...disks, text('destination_xml', wanted), text('persistent_xml', wanted)];
    const begun = await source().migration.begin(domain, { params, flags: FLAGS });
    assert.ok(begun.xml.includes(at(1)));
    const prepared = await target().migration.prepare({
      params: [...disks, text('destination_xml', begun.xml), ...uris(1)],
      cookie: begun.cookie,
      flags: FLAGS,
    });
    return prepared.cookie;
  }

  test('given up before the data moves: the source is free again, the target empty', async () => {
    await beginAndPrepare();
    await source().migration.confirm(domain, { params: disks, cookie: NO_COOKIE, flags: FLAGS }, true);
    const cancel = { params: [text('destination_name', 'm')], cookie: NO_COOKIE, flags: FLAGS };
    await assert.rejects(target().migration.finish(cancel, true), (error: unknown) => isLibvirtError(error));
    assert.equal(await target().lookupByName('m'), undefined);
    assert.equal((await source().state(domain)).state, DOMAIN_STATE.running);
  });

  test('memory and disk arrive, and between perform and finish the guest stands still on the source', async () => {
    const cookie = await beginAndPrepare();
    const moved = await source().migration.perform(domain, {
      params: [...disks, ...uris(0)],
      cookie,
      flags: FLAGS,
    });
    assert.deepEqual(await source().state(domain), {
      state: DOMAIN_STATE.paused,
      reason: PAUSED_FOR_MIGRATION,
    });
    const finished = await target().migration.finish(
      { params: [text('destination_name', 'm')], cookie: moved, flags: FLAGS },
      false,
    );
    assert.equal((await target().state(finished.domain)).state, DOMAIN_STATE.running);
    await source().migration.confirm(domain, { params: [], cookie: finished.cookie, flags: FLAGS }, false);
    assert.deepEqual(await source().state(domain), {
      state: DOMAIN_STATE.shutoff,
      reason: SHUT_OFF_MIGRATED,
    });
    const { type, stats } = await source().migration.jobStats(domain, { completed: true });
    assert.equal(type, 3);
    assert.equal(stats['disk_total'], DISK.length);
    assert.equal(typeof stats['downtime'], 'number');
    assert.ok(readFileSync(join(at(1), 'disk')).equals(DISK), 'the disk is the same');
    await target().destroy(finished.domain);
  });

  test('what does not migrate cannot be confirmed', async () => {
    await assert.rejects(
      source().migration.confirm(domain, { params: [], cookie: NO_COOKIE, flags: FLAGS }, false),
      (error: unknown) => isLibvirtError(error) && error.code !== ERROR_CODE.rpc,
    );
  });
});

function xml(directory: string): string {
  return `<domain type='qemu'>
    <name>m</name><memory unit='MiB'>64</memory><vcpu>1</vcpu>
    <os><type arch='x86_64' machine='q35'>hvm</type></os><features><acpi/></features>
    <devices><emulator>/usr/bin/qemu-system-x86_64</emulator>
      <disk type='file' device='disk'><driver name='qemu' type='raw'/><source file='${directory}/disk'/>
        <target dev='vda' bus='virtio'/></disk>
    </devices></domain>`;
}
