/**
 * Post-copy between two libvirtd on one machine, and what becomes of it when the connection between the two QEMUs
 * breaks: both ends stand still, and the migration is taken up again over a new connection.
 */
import assert from 'node:assert/strict';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { LibvirtConnection } from './connection.ts';
import { MIGRATE_FLAG, XML_FLAG } from './protocol/constants.ts';
import type { DomainRef } from './protocol/domain-ref.ts';
import type { TypedParam } from './protocol/typed-param.ts';
import { type SessionLibvirtd, startSessionLibvirtd } from './testing/session-libvirtd.ts';

/** A boot sector that goes to protected mode and writes to every page between 1 and 48 MiB, over and over. */
const BOOT =
  'fa31c08ed8660f0116587ce4920c02e6920f20c00c010f22c0ea1e7c080066b810008ed88ec031db43bf00001000891f81c70010000081ff0000000372f0ebe80000000000000000ffff0000009acf00ffff00000092cf001700407c0000';
const FLAGS =
  MIGRATE_FLAG.live |
  MIGRATE_FLAG.persistDestination |
  MIGRATE_FLAG.changeProtection |
  MIGRATE_FLAG.unsafe |
  MIGRATE_FLAG.postCopy;
const NO_COOKIE = Buffer.alloc(0);
/** State and reason, as libvirt numbers them. */
const RUNS_IN_POST_COPY = '1/10';
const HALF = '1/11';
const STANDS_STILL = '3/13';
const SHUT_OFF_MIGRATED = '5/4';
const RUNS_MIGRATED = '1/2';
/** QEMU itself and what the guest writes to. */
const FILLED_KIB = 80 * 1024;
/** An unprivileged QEMU handles page faults only where the machine allows it. */
const USERFAULTFD = '/proc/sys/vm/unprivileged_userfaultfd';
const text = (field: string, value: string): TypedParam => ({ field, type: 'string', value });

describe('post-copy', { timeout: 120_000 }, () => {
  const daemons: SessionLibvirtd[] = [];
  const connections: LibvirtConnection[] = [];
  const carried = new Set<Socket>();
  let carrier: Server;
  let domain: DomainRef;

  const at = (side: 0 | 1): string => daemons[side]?.directory ?? '';
  const connection = (side: 0 | 1): LibvirtConnection => {
    const found = connections[side];
    assert.ok(found);
    return found;
  };
  const state = async (side: 0 | 1): Promise<string> => {
    const found = await connection(side).lookupByName('m');
    if (found === undefined) return 'absent';
    const { state, reason } = await connection(side).state(found);
    return `${state}/${reason}`;
  };

  let allowed: string;

  before(async () => {
    allowed = readFileSync(USERFAULTFD, 'utf8');
    writeFileSync(USERFAULTFD, '1');
    for (let i = 0; i < 2; i += 1) {
      const daemon = await startSessionLibvirtd();
      daemons.push(daemon);
      const disk = join(daemon.directory, 'disk');
      const image = Buffer.alloc(1024 * 1024);
      Buffer.from(BOOT, 'hex').copy(image);
      image.writeUInt16LE(0xaa55, 510);
      writeFileSync(disk, image);
      chownSync(disk, daemon.uid, daemon.uid);
      connections.push(await LibvirtConnection.open({ socketPath: daemon.socketPath }));
    }
    carrier = createServer((near) => {
      const far = connect(join(at(1), 'memory'));
      for (const socket of [near, far]) {
        carried.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => (near.destroy(), far.destroy()));
      }
      near.pipe(far);
      far.pipe(near);
    });
    const path = join(at(0), 'memory');
    await new Promise<void>((resolve) => carrier.listen(path, resolve));
    chownSync(path, daemons[0]?.uid ?? 0, daemons[0]?.uid ?? 0);
    domain = await connection(0).create(await connection(0).defineXml(xml(at(0))));
    const pid = readFileSync(join(at(0), 'r/libvirt/qemu/run/m.pid'), 'utf8').trim();
    await until('the guest has written to its memory', async () => {
      const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return Number(rss) > FILLED_KIB;
    });
  });
  after(async () => {
    for (const one of connections) await one.close().catch(() => {});
    for (const socket of carried) socket.destroy();
    carrier?.close();
    for (const daemon of daemons) await daemon[Symbol.asyncDispose]();
    writeFileSync(USERFAULTFD, allowed);
  });

  const uri = (side: 0 | 1): TypedParam => text('migrate_uri', `unix://${at(side)}/memory`);
  const bandwidth = ['bandwidth', 'bandwidth.postcopy'].map(
    (field) => ({ field, type: 'ullong', value: 16n }) as const,
  );

  /** Where the source sends to, and how fast. */
  const outward = (): readonly TypedParam[] => [uri(0), ...bandwidth];
  const NAME = [text('destination_name', 'm')];

  test('a broken connection stops both ends, and a new one takes the migration up again', async () => {
    const wanted = (await connection(0).getXml(domain, XML_FLAG.migratable)).replaceAll(at(0), at(1));
    const params = [text('destination_xml', wanted), text('persistent_xml', wanted)];
    const begun = await connection(0).migration.begin(domain, { params, flags: FLAGS });
    const prepared = await connection(1).migration.prepare({
      params: [text('destination_xml', begun.xml), uri(1)],
      cookie: begun.cookie,
      flags: FLAGS,
    });
    const step = { params: outward(), cookie: prepared.cookie, flags: FLAGS };
    const moving = connection(0).migration.perform(domain, step);
    moving.catch(() => {}); // told where it is awaited
    await until('memory moves', async () => {
      const { stats } = await connection(0).migration.jobStats(domain);
      return Number(stats['memory_iteration'] ?? 0) >= 1;
    });
    await connection(0).migration.startPostCopy(domain);
    const cookie = await moving;
    const finishing = connection(1).migration.finish({ params: NAME, cookie, flags: FLAGS }, false);
    finishing.catch(() => {});
    await until('the guest runs on the target', async () => (await state(1)) === RUNS_IN_POST_COPY);
    // With the connection of its client: the target goes on by itself, and stops when no more memory comes.
    await connection(1).close();
    for (const socket of carried) socket.destroy();
    connections[1] = await LibvirtConnection.open({ socketPath: daemons[1]?.socketPath ?? '' });
    await assert.rejects(finishing);
    await until(
      'both ends stand still',
      async () => (await Promise.all([state(0), state(1)])).join() === [STANDS_STILL, HALF].join(),
    );

    const flags = FLAGS | MIGRATE_FLAG.postCopyResume;
    const again = async (): Promise<Buffer> => {
      const { xml, cookie } = await connection(0).migration.begin(domain, { params: [], flags });
      const listen = [text('destination_xml', xml), uri(1)];
      return (await connection(1).migration.prepare({ params: listen, cookie, flags })).cookie;
    };
    const giveUp = async (): Promise<void> => {
      const nothing = { params: NAME, cookie: NO_COOKIE, flags };
      await assert.rejects(connection(1).migration.finish(nothing, true));
      await connection(0)
        .migration.confirm(domain, { params: [], cookie: NO_COOKIE, flags }, true)
        .catch(() => {});
    };
    // An attempt that comes to nothing leaves both as they were.
    await again();
    await giveUp();
    assert.deepEqual([await state(0), await state(1)], [STANDS_STILL, HALF]);

    const confirm = (cookie: Buffer): Promise<void> =>
      connection(0).migration.confirm(domain, { params: [], cookie, flags }, false);
    const resume = async (): Promise<void> => {
      const step = { params: outward(), cookie: await again(), flags };
      const moved = await connection(0).migration.perform(domain, step);
      const finish = { params: NAME, cookie: moved, flags };
      await confirm((await connection(1).migration.finish(finish, false)).cookie);
    };
    // libvirt may take what it still hears of the failure before for the end of an attempt: what counts is how both stand.
    const seen: string[] = [];
    await until(seen, async () => {
      const [source, target] = await Promise.all([state(0), state(1)]);
      if (seen.at(-1) !== `${source} ${target}`) seen.push(`${source} ${target}`);
      if (target === RUNS_MIGRATED && source === STANDS_STILL) await confirm(NO_COOKIE);
      else if (source === STANDS_STILL) await resume().catch((error: Error) => seen.push(error.message));
      return source === SHUT_OFF_MIGRATED && target === RUNS_MIGRATED;
    });
  });
});

async function until(what: string | readonly string[], isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, `not in time: ${String(what)}`);
    await delay(50);
  }
}

function xml(directory: string): string {
  return `<domain type='qemu'>
    <name>m</name><memory unit='MiB'>64</memory><vcpu>1</vcpu>
    <os><type arch='x86_64' machine='q35'>hvm</type></os><features><acpi/></features>
    <devices><emulator>/usr/bin/qemu-system-x86_64</emulator>
      <disk type='file' device='disk'><driver name='qemu' type='raw' cache='none'/><source file='${directory}/disk'/>
        <target dev='vda' bus='virtio'/><readonly/></disk>
    </devices></domain>`;
}
