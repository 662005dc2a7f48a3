/** Backups and checkpoints against a real libvirtd and a real QEMU. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { LibvirtConnection } from './connection.ts';
import type { DomainEvent } from './events.ts';
import { isLibvirtError } from './libvirt-error.ts';
import { ERROR_CODE } from './protocol/constants.ts';
import type { DomainRef } from './protocol/domain-ref.ts';
import { type SessionLibvirtd, startSessionLibvirtd } from './testing/session-libvirtd.ts';

const OPERATION_BACKUP = 9;

describe('backups of a domain', { timeout: 120_000 }, () => {
  let daemon: SessionLibvirtd;
  let connection: LibvirtConnection;
  let domain: DomainRef;
  const ends: DomainEvent[] = [];
  let heard: () => void = () => {};
  const ended = async (): Promise<DomainEvent> => {
    while (ends.length === 0)
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    const [end] = ends.splice(0, 1);
    assert.ok(end);
    return end;
  };
  const xml = (): string => `<domain type='qemu'><name>b</name><memory unit='MiB'>64</memory><vcpu>1</vcpu>
    <os><type arch='x86_64' machine='q35'>hvm</type></os><devices><emulator>/usr/bin/qemu-system-x86_64</emulator>
    <disk type='file' device='disk'><driver name='qemu' type='qcow2'/><source file='${daemon.directory}/disk'/>
    <target dev='vda' bus='virtio'/></disk></devices></domain>`;
  const backup = (name: string, since = ''): string =>
    `<domainbackup mode='push'>${since}<disks><disk name='vda' backup='yes' type='file'><target file='${daemon.directory}/out/${name}'/></disk></disks></domainbackup>`;
  const checkpoint = (name: string): string =>
    `<domaincheckpoint><name>${name}</name><creationTime>1700000000</creationTime><disks><disk name='vda' checkpoint='bitmap'/></disks></domaincheckpoint>`;

  before(async () => {
    daemon = await startSessionLibvirtd();
    const disk = join(daemon.directory, 'disk');
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', disk, '1M']);
    mkdirSync(join(daemon.directory, 'out'));
    for (const path of [disk, join(daemon.directory, 'out')]) chownSync(path, daemon.uid, daemon.uid);
    connection = await LibvirtConnection.open({ socketPath: daemon.socketPath });
    await connection.subscribe(['jobCompleted'], (event) => {
      ends.push(event);
      heard();
    });
    domain = await connection.create(await connection.defineXml(xml()), 0);
  });
  after(async () => {
    await connection?.close();
    await daemon?.[Symbol.asyncDispose]();
  });

  test('a full one with a checkpoint, and one of what changed since', async () => {
    await connection.backup.begin(domain, backup('full'), checkpoint('one'));
    const first = await ended();
    assert.ok(first.kind === 'jobCompleted');
    assert.deepEqual([first.stats['operation'], first.stats['success']], [OPERATION_BACKUP, true]);
    assert.deepEqual(await connection.backup.checkpoints(domain), ['one']);
    await connection.backup.begin(
      domain,
      backup('next', '<incremental>one</incremental>'),
      checkpoint('two'),
    );
    await ended();
    assert.ok(existsSync(join(daemon.directory, 'out/next')));
    assert.deepEqual([...(await connection.backup.checkpoints(domain))].toSorted(), ['one', 'two']);
  });

  test('one that is pulled is served until it is cancelled, which is told as a success with a message', async () => {
    const socket = `${daemon.directory}/nbd.sock`;
    const pull = `<domainbackup mode='pull'><incremental>two</incremental><server transport='unix' socket='${socket}'/><disks><disk name='vda' backup='yes' type='file' exportname='data' exportbitmap='changed'><scratch file='${daemon.directory}/out/scratch'/></disk></disks></domainbackup>`;
    await connection.backup.begin(domain, pull, checkpoint('pulled'));
    assert.ok(existsSync(socket));
    await connection.migration.abortJob(domain);
    const end = await ended();
    assert.ok(end.kind === 'jobCompleted');
    assert.deepEqual([end.stats['operation'], end.stats['success']], [OPERATION_BACKUP, true]);
    assert.equal(end.stats['errmsg'], 'Operation canceled');
    assert.deepEqual([...(await connection.backup.checkpoints(domain))].toSorted(), ['one', 'pulled', 'two']);
    await connection.backup.deleteCheckpoint(domain, 'pulled');
  });

  test('checkpoints are removed; one whose bitmap is missing cannot be defined', async () => {
    await connection.backup.deleteCheckpoint(domain, 'one');
    await connection.backup.deleteCheckpoint(domain, 'one');
    assert.deepEqual(await connection.backup.checkpoints(domain), ['two']);
    await assert.rejects(
      connection.backup.redefineCheckpoint(domain, checkpoint('three')),
      (error: unknown) => isLibvirtError(error, ERROR_CODE.checkpointInconsistent),
    );
  });
});
