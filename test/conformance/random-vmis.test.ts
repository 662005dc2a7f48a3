/**
 * Random VMIs, made of pieces of known ones: whatever admission lets through must become a domain and a launcher
 * Pod, or be refused by one of their own errors. Nothing may crash, admitted or not. Repeatable from a seed.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { randomFrom } from '@podvisor/base';
import {
  clusterConfig,
  DefaultsError,
  defaultVmi,
  type VirtualMachineInstance,
  validateVmiCreate,
} from '@podvisor/api';
import { QuantityError } from '@podvisor/base';
import {
  ConversionError,
  type ConverterContext,
  convertVmiToDomain,
  domainToXml,
  explainDomain,
  kubevirtOverhead,
  LauncherPodError,
  memoryOverheadBytes,
  renderLauncherPod,
} from '@podvisor/translate';
import { typicalVmis } from '../../packages/translate/src/testing/typical-vmis.ts';
import { jsonLines } from './records.ts';

const RUNS = 3_000;
const SEED = 20_261_115;
const MAX_PIECES = 3;
const random = randomFrom(SEED);
const chance = (share: number): boolean => random() < share;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where recorded files keep their VMIs. */
const RECORDED: readonly [file: string, field: string][] = [
  ['converter/e2e.jsonl', 'defaultedVMI'],
  ['converter/cases.jsonl', 'vmi'],
  ['launcher-pod/cases.jsonl', 'vmi'],
  ['admission.jsonl', 'object'],
];

function recordedVmis(): readonly unknown[] {
  const directory = process.env['PODVISOR_CONFORMANCE'];
  if (directory === undefined || !existsSync(directory)) return [];
  return RECORDED.flatMap(([file, field]) =>
    jsonLines<Fields>(readFileSync(join(directory, file), 'utf8')).flatMap((record) => record[field] ?? []),
  );
}

/** Parts of both, and now and then a part left out. */
function mix(one: unknown, other: unknown, depth = 0): unknown {
  if (Array.isArray(one) && Array.isArray(other)) {
    const names = new Set<unknown>();
    return [...one, ...other.filter(() => chance(0.5))].filter((item) => {
      if (!isFields(item) || item['name'] === undefined) return true;
      return names.has(item['name']) ? false : names.add(item['name']) !== undefined;
    });
  }
  if (!isFields(one) || !isFields(other)) return chance(0.5) ? one : other;
  const taken = Object.entries(other)
    .filter(() => chance(0.5))
    .map(([key, value]) => [key, key in one ? mix(one[key], value, depth + 1) : value] as const);
  const all = Object.entries({ ...one, ...Object.fromEntries(taken) });
  return Object.fromEntries(all.filter(() => depth < 2 || !chance(0.06)));
}

function randomVmi(seeds: readonly unknown[]): VirtualMachineInstance {
  const pick = (): unknown => structuredClone(seeds[Math.floor(random() * seeds.length)]);
  let mixed = pick();
  for (let pieces = 1 + Math.floor(random() * MAX_PIECES); pieces > 0; pieces -= 1)
    mixed = mix(mixed, pick());
  const vmi = mixed as VirtualMachineInstance;
  const domain = { ...vmi.spec?.domain, devices: vmi.spec?.domain?.devices ?? {} };
  return {
    ...vmi,
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { ...vmi.metadata, name: 'vm', namespace: 'default', uid: 'uid-1' },
    spec: { ...vmi.spec, domain },
  };
}

const GATES = [
  'CPUManager',
  'DownwardMetrics',
  'EnableVirtioFsStorageVolumes',
  'ExperimentalIgnitionSupport',
  'HostDevices',
  'HostDisk',
  'IncrementalBackup',
  'NetworkDevicesWithDRA',
  'Sidecar',
  'UtilityVolumes',
  'VSOCK',
  'WorkloadEncryptionTDX',
];
const config = clusterConfig({
  spec: { configuration: { developerConfiguration: { featureGates: GATES } } },
});
const cpuIds = Array.from({ length: 64 }, (_, id) => id);

function contextFor({ spec }: VirtualMachineInstance): ConverterContext {
  return {
    kvmAvailable: chance(0.5),
    allowEmulation: true,
    interfaces: (spec.domain.devices.interfaces ?? []).map(({ name }) => ({ name })),
    cpuSet: cpuIds,
    hostTopology: [{ id: 0, cpus: cpuIds.map((id) => ({ id })) }],
  };
}

/** What the function refused with, or undefined; other errors go on. */
function refusalOf(
  work: () => unknown,
  ...known: readonly (new (
    ...given: never[]
  ) => Error)[]
): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (known.some((type) => error instanceof type)) return error as Error;
    throw error;
  }
}

/** One VMI all the way; true when it was admitted. */
function run(vmi: VirtualMachineInstance): boolean {
  let defaulted: VirtualMachineInstance = vmi;
  const options = {
    config,
    now: '2026-01-01T00:00:00Z',
    newUuid: () => '00000000-0000-4000-8000-000000000000',
  };
  if (refusalOf(() => (defaulted = defaultVmi(vmi, options)), DefaultsError)) return false;
  const { allowed } = validateVmiCreate(defaulted, { config, isKubeVirtServiceAccount: false });
  const context = contextFor(defaulted);
  // A quantity that is none never gets past admission; behind it, it may be refused anyhow.
  const quantities = allowed ? [] : [QuantityError];
  refusalOf(() => domainToXml(convertVmiToDomain(defaulted, context)), ConversionError, ...quantities);
  refusalOf(() => explainDomain(defaulted, context), ConversionError, ...quantities);
  refusalOf(
    () => renderLauncherPod(defaulted, { launcherImage: 'l', config }),
    LauncherPodError,
    ...quantities,
  );
  const table = { table: kubevirtOverhead, architecture: defaulted.spec.architecture ?? 'amd64' };
  refusalOf(() => memoryOverheadBytes(defaulted.spec, table), ...quantities);
  return allowed;
}

test(`${RUNS} VMIs made of pieces of others: no crash`, () => {
  const seeds = [...typicalVmis.map(({ vmi }) => vmi), ...recordedVmis()];
  let admitted = 0;
  for (let count = 0; count < RUNS; count += 1) {
    const vmi = randomVmi(seeds);
    try {
      if (run(vmi)) admitted += 1;
    } catch (error) {
      assert.fail(`run ${count}: ${String((error as Error).stack)}\n${JSON.stringify(vmi)}`);
    }
  }
  assert.ok(
    admitted > RUNS / 100,
    `only ${admitted} were admitted: the pieces are too wild to show anything`,
  );
});
