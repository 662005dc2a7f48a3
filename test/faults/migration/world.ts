/** A cluster of three nodes with one VM that keeps a journal, and the questions that a fault test asks about it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isFinalMigrationPhase,
  type MigrationPolicy,
  type MigrationPolicySpec,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { defineResource, type KubeClient, resources } from '@podvisor/kube';
import { type InstancePaths, instancePaths, readInstanceConfig } from '@podvisor/sys';
import { eventually } from '../../support/eventually.ts';
import { Instance, root } from '../../support/instance.ts';
import { JournalReports } from '../../support/guests/journal-reports.ts';
import { journalVm } from '../../support/guests/journal-vm.ts';
import { podProcesses } from '../../support/pod-processes.ts';

const KEY = { namespace: 'default', name: 'traveller' };
const POLICIES = defineResource<MigrationPolicy>(
  'MigrationPolicy',
  'migrationpolicies',
  'migrations.kubevirt.io/v1alpha1',
  'Cluster',
);
const POLICY = { name: 'traveller' };
/** Software emulation on a busy machine. */
const BOOT_MS = 180_000;

export class World implements AsyncDisposable {
  readonly instance: Instance;
  readonly reports: JournalReports;
  readonly paths: InstancePaths;
  /** One for all questions: each has connections of its own, and the server keeps them. */
  readonly client: KubeClient;

  private constructor(instance: Instance, reports: JournalReports) {
    this.instance = instance;
    this.reports = reports;
    this.paths = instancePaths(instance.home);
    this.client = instance.client;
  }

  /** `claim`: of the journal; it is there already when the VM comes. */
  static async create(
    options: { readonly memoryLoadMiB?: number; readonly claim?: string } = {},
    prepare: (instance: Instance) => Promise<void> = async () => {},
  ): Promise<World> {
    const instance = await Instance.prepare();
    try {
      const up = await instance.up('--nodes', '3', `${root}/examples/hello.yaml`);
      assert.equal(up.code, 0, up.stdout + up.stderr);
      await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: 'hello' });
      await prepare(instance);
      const address = readInstanceConfig(instance.home).nodeNetwork?.address ?? '';
      const world = new World(instance, await JournalReports.listen(address));
      const reportTo = { address, port: world.reports.port };
      await instance.client.create(resources.virtualMachines, journalVm({ ...KEY, reportTo, ...options }));
      await world.reporting(Date.now(), BOOT_MS);
      return world;
    } catch (error) {
      await instance.purge();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.reports.close();
    await this.client.close();
    await this.instance.purge();
  }

  vmi(): Promise<VirtualMachineInstance | undefined> {
    return this.client.find(resources.virtualMachineInstances, KEY);
  }

  migration(name: string): Promise<VirtualMachineInstanceMigration | undefined> {
    return this.client.find(resources.virtualMachineInstanceMigrations, { ...KEY, name });
  }

  async migrate(): Promise<string> {
    const made = await this.client.create(resources.virtualMachineInstanceMigrations, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstanceMigration',
      metadata: { namespace: KEY.namespace, generateName: 'move-' },
      spec: { vmiName: KEY.name },
    });
    return made.metadata?.name ?? '';
  }

  /** A migration from beginning to end; answers its last phase. */
  /** The last phase, and why where that is a failure. */
  async move(): Promise<string> {
    const name = await this.migrate();
    return await eventually('the migration ends', 240_000, async () => {
      const { phase, migrationState } = (await this.migration(name))?.status ?? {};
      if (!isFinalMigrationPhase(phase)) return undefined;
      return phase === 'Failed' ? `Failed: ${migrationState?.failureReason ?? 'no reason is told'}` : phase;
    });
  }

  /** Names that the guest and its clients know its devices by. */
  async deviceNames(): Promise<unknown> {
    const { volumeStatus, interfaces } = (await this.vmi())?.status ?? {};
    return {
      disks: volumeStatus?.map(({ name, target }) => [name, target]),
      nics: interfaces?.map(({ name, mac }) => [name, mac]),
    };
  }

  /** The settings of the migrations to come. */
  async setPolicy(settings: Omit<MigrationPolicySpec, 'selectors'>): Promise<void> {
    const selectors = { virtualMachineInstanceSelector: { app: KEY.name } };
    const policy: MigrationPolicy = {
      apiVersion: 'migrations.kubevirt.io/v1alpha1',
      kind: 'MigrationPolicy',
      metadata: POLICY,
      spec: { ...settings, selectors },
    };
    await this.client.delete(POLICIES, POLICY).catch(() => {});
    await this.client.create(POLICIES, policy);
  }

  /** Resolves when the guest reports something that it wrote after `sinceMs`. */
  async reporting(sinceMs: number, timeoutMs: number): Promise<void> {
    await eventually('the guest writes and reports', timeoutMs, () =>
      this.reports.since(sinceMs).length > 1 ? true : undefined,
    );
  }

  async pods(): Promise<readonly Pod[]> {
    const selector = { namespace: KEY.namespace, labelSelector: 'kubevirt.io=virt-launcher' };
    const { items } = await this.client.list(resources.pods, selector);
    return items.filter((pod) => pod.metadata.annotations?.['kubevirt.io/domain'] === KEY.name);
  }

  async runningPod(): Promise<Pod | undefined> {
    return (await this.pods()).find((pod) => pod.status?.phase === 'Running');
  }

  async pod(name: string | undefined): Promise<Pod | undefined> {
    return (await this.pods()).find((pod) => pod.metadata.name === name);
  }

  /** Every QEMU of the VM on this machine, whatever the API says. */
  async qemus(): Promise<readonly number[]> {
    const uids = readdirSync(join(this.instance.home, 'nodes'))
      .map((node) => join(this.instance.home, 'nodes', node, 'kubelet/pods'))
      .filter((directory) => existsSync(directory))
      .flatMap((directory) => readdirSync(directory));
    return uids.flatMap((uid) =>
      podProcesses(uid)
        .filter(
          ({ command }) => command.includes('qemu-system') && command.includes(`guest=default_${KEY.name},`),
        )
        .map(({ pid }) => pid),
    );
  }

  /** What the launcher of a Pod has logged. */
  log({ metadata: { uid = '' }, spec }: Pod): string {
    const directory = join(this.instance.home, 'nodes', spec.nodeName ?? '', 'containers', uid, 'compute');
    return readdirSync(directory)
      .map((attempt) => readFileSync(join(directory, attempt, 'log'), 'utf8'))
      .join('');
  }

  /** Entries of a boot that are really on the guest's disk. */
  async onDisk(boot: string): Promise<ReadonlySet<number>> {
    const address = (await this.vmi())?.status?.interfaces?.[0]?.ipAddress ?? '';
    const url = `http://${address}/cgi-bin/journal`;
    const text = await eventually('the guest shows its journal', 60_000, async () =>
      (await fetch(url, { signal: AbortSignal.timeout(10_000) })).text(),
    );
    const entries = text.split('\n').filter((line) => line.startsWith(boot));
    return new Set(entries.map((line) => Number(line.split(' ')[1])));
  }

  /** Sockets of migrations in the directories of Pods. */
  migrationSockets(): readonly string[] {
    const nodes = join(this.instance.home, 'nodes');
    return readdirSync(nodes).flatMap((node) => {
      const pods = join(nodes, node, 'kubelet/pods');
      const uids = existsSync(pods) ? readdirSync(pods) : [];
      return uids.flatMap((uid) => {
        const sockets = join(pods, uid, 'volumes/kubernetes.io~empty-dir/sockets');
        return existsSync(sockets)
          ? readdirSync(sockets).filter((name) => name.startsWith('migration-'))
          : [];
      });
    });
  }
}
