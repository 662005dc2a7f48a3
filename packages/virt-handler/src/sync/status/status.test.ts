import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DomainState, VirtualMachineInstance } from '@podvisor/api';
import { domainState, vmiOf } from '../../testing/objects.ts';
import { SYNC_FAILED_REASON } from '../conditions/conditions.ts';
import type { Situation } from '../situation.ts';
import { nextStatus } from './status.ts';

const NOW = Date.parse('2026-01-01T00:01:00Z');

function situation(changes: Parameters<typeof domainState>[0] = {}, nowMs = NOW): Situation {
  return {
    vmi: { kind: 'unknown' },
    view: { kind: 'present', domain: domainState(changes) },
    connected: true,
    linkSinceMs: 0,
    pod: {
      metadata: {},
      spec: { containers: [] },
      status: { podIP: '10.1.0.7', podIPs: [{ ip: '10.1.0.7' }] },
    },
    mayRunOnTarget: false,
    shutdown: {},
    isSpecSynced: true,
    plugged: new Set(),
    addressPromise: 'true',
    syncNotBeforeMs: 0,
    nowMs,
  };
}

const scheduled = vmiOf({
  phase: 'Scheduled',
  phaseTransitionTimestamps: [{ phase: 'Scheduled', phaseTransitionTimestamp: '2026-01-01T00:00:00Z' }],
  volumeStatus: [{ name: 'os', target: '' }],
  conditions: [{ type: 'Ready', status: 'False' }],
});
const withStatus = (
  vmi: VirtualMachineInstance,
  status: VirtualMachineInstance['status'],
): VirtualMachineInstance => ({ ...vmi, status });

describe('nextStatus', () => {
  test('going Running tells everything in one status', () => {
    const status = nextStatus(
      scheduled,
      situation({ memoryBytes: { current: 2 ** 30, max: 2 ** 30 }, machineType: 'pc-q35-7.2' }),
      { kind: 'ok' },
    );
    assert.equal(status.phase, 'Running');
    assert.deepEqual(status.phaseTransitionTimestamps?.at(-1), {
      phase: 'Running',
      phaseTransitionTimestamp: '2026-01-01T00:01:00Z',
    });
    assert.deepEqual(status.interfaces, [
      {
        name: 'default',
        mac: '02:00:00:00:00:05',
        ipAddress: '10.1.0.7',
        ipAddresses: ['10.1.0.7'],
        podInterfaceName: 'eth0',
        infoSource: 'domain',
      },
    ]);
    assert.deepEqual(status.volumeStatus, [{ name: 'os', target: 'vda' }]);
    assert.equal(status.migrationMethod, 'BlockMigration');
    assert.deepEqual(status.machine, { type: 'pc-q35-7.2' });
    assert.equal(status.memory?.guestCurrent, '1Gi');
    assert.deepEqual(
      status.conditions?.map((c) => [c.type, c.status]),
      [
        ['Ready', 'False'],
        ['LiveMigratable', 'True'],
        ['StorageLiveMigratable', 'True'],
        ['FencedByLease', 'False'],
      ],
    );
  });

  test('whether others can tell its end: by a lease that is kept, and renewed', () => {
    const shared = {
      ...scheduled,
      spec: { ...scheduled.spec, volumes: [{ name: 'os', persistentVolumeClaim: { claimName: 'c' } }] },
      status: {
        ...scheduled.status,
        volumeStatus: [
          { name: 'os', target: '', persistentVolumeClaimInfo: { accessModes: ['ReadWriteMany'] } },
        ],
      },
    };
    const told = (vmi: typeof scheduled, lease?: DomainState['lease']): string | undefined =>
      nextStatus(vmi, situation(lease === undefined ? {} : { lease }), { kind: 'ok' }).conditions?.find(
        ({ type }) => type === 'FencedByLease',
      )?.reason;
    assert.equal(told(scheduled), 'NoSharedDisk');
    assert.equal(told(shared), 'LeaseNotKept');
    assert.equal(told(shared, { volume: 'os' }), 'LeaseRenewed');
    assert.equal(told(shared, { volume: 'os', overdue: 'EIO' }), 'StorageLost');
  });

  test('a VM whose address a migration would change says so before, and only then', () => {
    const { addressPromise: _, ...unsure } = situation();
    const said = nextStatus(scheduled, unsure, { kind: 'ok' });
    const condition = said.conditions?.find(({ type }) => type === 'AddressesKept');
    assert.equal(condition?.status, 'False');
    assert.match(condition.message ?? '', /interface default: 10\.1\.0\.7 /);
    const known = nextStatus(withStatus(scheduled, said), situation(), { kind: 'ok' });
    assert.equal(
      known.conditions?.some(({ type }) => type === 'AddressesKept'),
      false,
    );
    const unseen = nextStatus(withStatus(scheduled, said), { ...unsure, pod: undefined }, { kind: 'ok' });
    assert.equal(
      unseen.conditions?.some(({ type }) => type === 'AddressesKept'),
      true,
    );
  });

  test('the SELinux context of the launcher is told as it is now, and kept while it cannot be', () => {
    const GUEST = 'system_u:system_r:container_t:s0:c1,c2';
    const told = (before: string | undefined, now: string | undefined): string | undefined =>
      nextStatus(
        withStatus(scheduled, {
          ...scheduled.status,
          ...(before === undefined ? {} : { selinuxContext: before }),
        }),
        { ...situation(), ...(now === undefined ? {} : { seLinuxContext: now }) },
        { kind: 'ok' },
      ).selinuxContext;
    assert.equal(told(undefined, 'none'), 'none');
    assert.equal(told(undefined, GUEST), GUEST);
    assert.equal(told('none', GUEST), GUEST, 'on a node with SELinux, where it was not looked at before');
    assert.equal(told(GUEST, undefined), GUEST);
    assert.equal(told(undefined, undefined), undefined, 'nobody says that there is no SELinux');
  });

  test('nothing new, nothing to write: also later', () => {
    const running = withStatus(scheduled, nextStatus(scheduled, situation(), { kind: 'ok' }));
    const later = nextStatus(running, situation({}, NOW + 3_600_000), { kind: 'ok' });
    assert.deepEqual(later, running.status);
  });

  test('agent, pause and freeze come and go', () => {
    const running = withStatus(scheduled, nextStatus(scheduled, situation(), { kind: 'ok' }));
    const agent = nextStatus(
      running,
      situation({ agentConnected: true, guestOS: { name: 'Debian' }, fsFreezeStatus: 'frozen' }),
      { kind: 'ok' },
    );
    assert.equal(agent.conditions?.find((c) => c.type === 'AgentConnected')?.status, 'True');
    assert.deepEqual(agent.guestOSInfo, { name: 'Debian' });
    assert.equal(agent.fsFreezeStatus, 'frozen');
    const paused = nextStatus(withStatus(running, agent), situation({ state: 'Paused', reason: 'User' }), {
      kind: 'ok',
    });
    assert.equal(paused.conditions?.find((c) => c.type === 'Paused')?.reason, 'PausedByUser');
    assert.equal(
      paused.conditions?.some((c) => c.type === 'AgentConnected'),
      false,
    );
    assert.deepEqual(paused.guestOSInfo, {});
    const resumed = nextStatus(withStatus(running, paused), situation(), { kind: 'ok' });
    assert.equal(
      resumed.conditions?.some((c) => c.type === 'Paused'),
      false,
    );
  });

  test('a failed sync is told once, by its first message, and taken back on success', () => {
    const absent: Situation = { ...situation(), view: { kind: 'absent', proof: 'launcher-says-so' } };
    const first = nextStatus(scheduled, absent, { kind: 'failed', message: 'no disk' });
    const condition = first.conditions?.find((c) => c.type === 'Synchronized');
    assert.deepEqual(
      [condition?.status, condition?.reason, condition?.message],
      ['False', SYNC_FAILED_REASON, 'no disk'],
    );
    const second = nextStatus(withStatus(scheduled, first), absent, { kind: 'failed', message: 'another' });
    assert.deepEqual(second, first);
    const fine = nextStatus(withStatus(scheduled, first), situation(), { kind: 'ok' });
    assert.equal(
      fine.conditions?.some((c) => c.type === 'Synchronized'),
      false,
    );
  });

  test('why a VM cannot migrate', () => {
    const bridged = {
      ...scheduled,
      spec: { ...scheduled.spec, domain: { devices: { interfaces: [{ name: 'default', bridge: {} }] } } },
    };
    const verdict = nextStatus(bridged, situation(), { kind: 'ok' }).conditions?.find(
      (c) => c.type === 'LiveMigratable',
    );
    assert.deepEqual([verdict?.status, verdict?.reason], ['False', 'InterfaceNotLiveMigratable']);
    const claimed = {
      ...scheduled,
      spec: { ...scheduled.spec, volumes: [{ name: 'os', persistentVolumeClaim: { claimName: 'data' } }] },
    };
    const conditions = nextStatus(claimed, situation(), { kind: 'ok' }).conditions;
    assert.equal(conditions?.find((c) => c.type === 'LiveMigratable')?.reason, 'DisksNotLiveMigratable');
    // Its disks could move along.
    assert.equal(conditions?.find((c) => c.type === 'StorageLiveMigratable')?.status, 'True');
  });
});
