import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainState } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import * as fc from 'fast-check';
import { domainState, VMI_UID } from '../testing/objects.ts';
import { RateLimit } from './rate-limit.ts';
import { DomainMessageError, parseDomain } from './parse-domain.ts';

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

test('a good message is taken as it is, an empty one means no domain', () => {
  assert.deepEqual(parseDomain(bytes(domainState())), domainState());
  assert.equal(parseDomain(new Uint8Array()), undefined);
});

/** Every field that a domain can have. */
const whole: Required<DomainState> = {
  ...domainState(),
  qemuPid: 7,
  exitDetail: 'signal 9',
  shutdownRequestedAt: '2026-01-01T00:00:00Z',
  diskBytes: { os: 1024 },
  pluggedVolumes: ['data'],
  imageBytes: { seed: 512 },
  diskTroubles: [{ volume: 'os', reason: 'no-space' }],
  lease: { volume: 'os', overdue: 'the storage does not answer' },
  interfaces: [
    {
      name: 'default',
      mac: '02:00:00:00:00:05',
      source: 'guest-agent',
      guestInterfaceName: 'eth0',
      ipAddresses: ['10.0.0.2'],
      linkState: 'up',
      queueCount: 2,
      lease: { address: '10.0.0.2', at: '2026-01-01T00:00:00Z' },
    },
  ],
  agentVersion: '9.0',
  agentCommands: ['guest-ping'],
  guestOS: {
    id: 'debian',
    kernelRelease: '6.1',
    kernelVersion: '#1',
    machine: 'x86_64',
    name: 'Debian',
    prettyName: 'Debian 12',
    version: '12',
    versionId: '12',
  },
  guestHostname: 'web',
  fsFreezeStatus: 'frozen',
  filesystems: [{ diskName: 'vda1', mountPoint: '/', fileSystemType: 'ext4', usedBytes: 1, totalBytes: 2 }],
  guestLoad: [0.5, 0.25, 0],
  memoryBytes: { current: 1, max: 2, requested: 2 },
  cpu: { sockets: 1, cores: 2, threads: 1 },
  machineType: 'q35',
  osArch: 'x86_64',
  migration: { role: 'target', uid: VMI_UID, stage: 'waiting' },
  accessCredentials: { succeeded: false, message: 'no agent' },
  hibernation: {
    phase: 'Failed',
    id: '0d8d1f7c-7a5e-4b9e-9d6e-0123456789ab',
    startTimestamp: '2026-01-01T00:00:00Z',
    endTimestamp: '2026-01-01T00:00:01Z',
    sizeBytes: 17,
    message: 'no room',
  },
  memorySnapshot: {
    phase: 'Taken',
    claimName: 'memory',
    startTimestamp: '2026-01-01T00:00:00Z',
    endTimestamp: '2026-01-01T00:00:01Z',
    sizeBytes: 17,
    pauseMilliseconds: 120,
    message: 'as it should be',
  },
  memoryDump: {
    volume: 'dump',
    claimName: 'dump',
    fileName: 'x.dump',
    startTimestamp: '2026-01-01T00:00:00Z',
    endTimestamp: '2026-01-01T00:00:01Z',
    failed: true,
    message: 'no room',
  },
  trackedVolumes: ['os'],
  backup: {
    name: 'b',
    startTimestamp: '2026-01-01T00:00:00Z',
    target: 'backup',
    endTimestamp: '2026-01-01T00:00:01Z',
    failed: true,
    message: 'no room',
    checkpointName: 'c',
    volumes: ['os'],
    quiesce: 'Failed',
  },
};

test('all that a launcher may say is taken over', () => {
  assert.deepEqual(parseDomain(bytes(whole)), whole);
});

test('what no field is for does not get through, at any depth', () => {
  const poisoned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(poisoned);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, field]) => [key, poisoned(field)]);
    return { ...Object.fromEntries(entries), forged: { nodeName: 'other' }, constructor: 'x' };
  };
  const { diskTargets: _t, diskBytes: _d, imageBytes: _i, ...others } = whole;
  assert.deepEqual(parseDomain(bytes({ ...whole, ...(poisoned(others) as object) })), whole);
});

test('a field of another kind is not there', () => {
  const wrong = { evil: { nodeName: 'other' } };
  for (const field of Object.keys(whole)) {
    if (field === 'state') continue;
    let parsed: DomainState | undefined;
    try {
      parsed = parseDomain(bytes({ ...whole, [field]: wrong }));
    } catch (error) {
      assert.ok(error instanceof DomainMessageError, field);
    }
    assert.ok(!JSON.stringify(parsed ?? {}).includes('nodeName'), field);
  }
});

test('any message gives a usable state or an error of its own kind', () => {
  const field = fc.oneof(fc.jsonValue(), fc.constantFrom('Running', 'Shutoff'));
  const message = fc.dictionary(
    fc.constantFrom('state', 'interfaces', 'diskTargets', 'reason', 'name'),
    field,
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), message), (value) => {
      try {
        const state = parseDomain(bytes(value));
        assert.ok(Array.isArray(state?.interfaces) && typeof state.diskTargets === 'object');
      } catch (error) {
        assert.ok(error instanceof DomainMessageError, String(error));
      }
    }),
    { numRuns: 500 },
  );
  assert.throws(() => parseDomain(Buffer.from('{')), DomainMessageError);
});

test('lists and texts are cut to size', () => {
  const many = Array.from({ length: 5000 }, () => ({ mac: 'x'.repeat(5000), source: 'domain' }));
  const state = parseDomain(bytes({ ...domainState(), interfaces: many }));
  assert.equal(state?.interfaces.length, 64);
  assert.equal(state?.interfaces[0]?.mac.length, 1024);
});

test('many changes at once are gathered, and the last one is never lost', () => {
  const clock = new FakeClock(5_000);
  let calls = 0;
  const rateLimit = new RateLimit(clock, () => (calls += 1));
  for (let i = 0; i < 1000; i += 1) rateLimit.notify();
  assert.equal(calls, 10);
  clock.advance(250);
  assert.equal(calls, 11);
  clock.advance(1000);
  rateLimit.notify();
  assert.equal(calls, 12);
});
