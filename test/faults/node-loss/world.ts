/**
 * A cluster of a few nodes with VMs whose journals are on shared storage, and what is asked about them when their node is
 * lost: where it runs, what others see, and whether the journal holds every entry that was ever acknowledged.
 */
import assert from 'node:assert/strict';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { labels, type VirtualMachineInstance, type VMICondition } from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import { readInstanceConfig } from '@podvisor/sys';
import { eventually } from '../../support/eventually.ts';
import { Instance } from '../../support/instance.ts';
import { JournalReports } from '../../support/guests/journal-reports.ts';
import { ENTRY_BYTES, journalVm } from '../../support/guests/journal-vm.ts';
import { podProcesses } from '../../support/pod-processes.ts';

/** Software emulation on a busy machine. */
const BOOT_MS = 180_000;
/** That are told of a failure. */
const MOST_EVENTS = 60;

export interface Times {
  readonly leaseSeconds: number;
  readonly silenceSeconds: number;
}

export class LossWorld implements AsyncDisposable {
  readonly instance: Instance;
  readonly client: KubeClient;
  readonly #survivors: Survivor[] = [];

  private constructor(instance: Instance) {
    this.instance = instance;
    this.client = instance.client;
  }

  /** A home with nodes. Without times: the defaults. */
  static async create(times?: Times, nodes = 2): Promise<LossWorld> {
    const instance = await Instance.prepare();
    try {
      const up = await instance.up('--nodes', `${nodes}`);
      assert.equal(up.code, 0, up.stdout + up.stderr);
      const world = new LossWorld(instance);
      if (times !== undefined) await world.configure(times);
      return world;
    } catch (error) {
      await instance.purge();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const survivor of this.#survivors) survivor.reports.close();
    await this.client.close();
    await this.instance.purge();
  }

  /** Guests that are started from now on have these times. */
  async configure(times: Times): Promise<void> {
    const body = { spec: { configuration: { nodeLoss: times } } };
    const key = { namespace: 'kubevirt', name: 'kubevirt' };
    await this.client.patch(resources.kubeVirts, key, { type: 'merge', body });
  }

  /** VMs that write to their journals already. All begin on the first node, if it is there. */
  async start(...names: readonly string[]): Promise<readonly Survivor[]> {
    const survivors = await Promise.all(names.map((name) => Survivor.create(this.instance, name)));
    this.#survivors.push(...survivors);
    await Promise.all(survivors.map((survivor) => survivor.writes(0, BOOT_MS)));
    return survivors;
  }

  async fault(...words: readonly string[]): Promise<void> {
    const { code, stdout, stderr } = await this.instance.podvisor(['node', ...words]);
    assert.equal(code, 0, stdout + stderr);
  }

  /** The node is there again, and takes VMs. */
  async heal(name: string): Promise<void> {
    await this.fault('heal', name);
    await eventually(`${name} takes VMs again`, BOOT_MS, async () => {
      const node = await this.client.get(resources.nodes, { name });
      return node.metadata.labels?.[labels.schedulable] === 'true' ? true : undefined;
    });
  }
}

/** A VM with a journal on shared storage. */
export class Survivor {
  readonly reports: JournalReports;
  readonly #client: KubeClient;
  readonly #key: { readonly namespace: string; readonly name: string };
  readonly #disk: string;

  private constructor(client: KubeClient, name: string, reports: JournalReports, disk: string) {
    this.#client = client;
    this.#key = { namespace: 'default', name };
    this.reports = reports;
    this.#disk = disk;
  }

  static async create({ home, client }: Instance, name: string): Promise<Survivor> {
    const key = { namespace: 'default', name };
    const address = readInstanceConfig(home).nodeNetwork?.address ?? '';
    const reports = await JournalReports.listen(address);
    await client.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: key,
      spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '8Mi' } } },
    });
    const vm = journalVm({
      name,
      reportTo: { address, port: reports.port },
      claim: name,
      preferredNode: 'node-1',
    });
    await client.create(resources.virtualMachines, vm);
    const volume = await eventually('the claim is bound', 60_000, async () => {
      const claim = await client.get(resources.persistentVolumeClaims, key);
      return claim.spec.volumeName;
    });
    return new Survivor(client, name, reports, join(home, 'volumes', volume, 'disk.img'));
  }

  vmi(): Promise<VirtualMachineInstance | undefined> {
    return this.#client.find(resources.virtualMachineInstances, this.#key);
  }

  async node(): Promise<string> {
    return (await this.vmi())?.status?.nodeName ?? '';
  }

  async condition(type: string): Promise<VMICondition | undefined> {
    return (await this.vmi())?.status?.conditions?.find((condition) => condition.type === type);
  }

  /** Waits for a condition with this reason. */
  async told(type: string, reason: string, limitMs: number): Promise<VMICondition> {
    return await eventually(`${type} says ${reason}`, limitMs, async () => {
      const found = await this.condition(type);
      return found?.reason === reason ? found : undefined;
    });
  }

  /** Waits until another run of the VM is on another node. */
  async restarted(before: VirtualMachineInstance | undefined, limitMs: number): Promise<void> {
    await eventually('it runs elsewhere', limitMs, async () => {
      const now = await this.vmi();
      const isOther = now?.metadata?.uid !== before?.metadata?.uid;
      const isElsewhere = now?.status?.nodeName !== before?.status?.nodeName;
      return isOther && isElsewhere && now?.status?.phase === 'Running' ? true : undefined;
    });
  }

  /** Waits until the guest reports a new entry. */
  async writes(sinceMs: number, limitMs: number): Promise<void> {
    await eventually('the guest writes', limitMs, () =>
      this.reports.since(sinceMs).length > 2 ? true : undefined,
    );
  }

  /** Reasons of the events about the VM and its runs. */
  async events(): Promise<readonly string[]> {
    const { items } = await this.#client.list(resources.events, { namespace: this.#key.namespace });
    return items
      .filter(
        (event) => (event as { involvedObject?: { name?: string } }).involvedObject?.name === this.#key.name,
      )
      .map((event) => (event as { reason?: string }).reason ?? '');
  }

  /** What the API knows about it, for whoever reads of a failure later. */
  async evidence(): Promise<string> {
    const { namespace } = this.#key;
    const [vmi, pods, nodes, events] = await Promise.all([
      this.vmi(),
      this.#client.list(resources.pods, { namespace }),
      this.#client.list(resources.nodes),
      this.#client.list(resources.events, { namespace }),
    ]);
    return [
      `VMI ${JSON.stringify(vmi?.status)}`,
      ...pods.items.map(({ metadata, status }) => `Pod ${metadata.name} ${JSON.stringify(status)}`),
      ...nodes.items.map(
        ({ metadata, spec }) =>
          `node ${metadata.name}: takes VMs ${metadata.labels?.[labels.schedulable]}, taints ${JSON.stringify(spec?.taints)}`,
      ),
      ...events.items
        .slice(-MOST_EVENTS)
        .map((event) => event as { lastTimestamp?: string; reason?: string; message?: string })
        .map(({ lastTimestamp, reason, message }) => `${lastTimestamp} ${reason}: ${message}`),
      ...this.judge(),
    ].join('\n');
  }

  /** What is wrong with the journal: entries that were acknowledged and are not on the disk, and runs that overlap. */
  judge(): readonly string[] {
    const entries = this.#entries();
    const boots = [...new Set(this.reports.since(0).map(({ boot }) => boot))];
    const lost = this.reports.since(0).flatMap(({ boot, entry }) => {
      const found = entries[entry];
      // A later run begins again at the first place.
      const isThere = found !== undefined && boots.indexOf(found) >= boots.indexOf(boot);
      return isThere ? [] : [`entry ${entry} of run ${boot} was acknowledged and is not on the disk`];
    });
    let newest = -1;
    const overlaps = this.reports.since(0).flatMap(({ boot, entry }) => {
      const run = boots.indexOf(boot);
      newest = Math.max(newest, run);
      return run < newest ? [`run ${boot} wrote entry ${entry} after run ${boots[newest]} had begun`] : [];
    });
    const twice = this.reports
      .contradictions()
      .map(({ boot, entry }) => `entry ${entry} of ${boot} came twice`);
    return [...lost, ...overlaps, ...twice];
  }

  /** Which run wrote each entry. */
  #entries(): readonly (string | undefined)[] {
    const bytes = Buffer.alloc(Math.min(statSync(this.#disk).size, 1024 * 1024));
    const file = openSync(this.#disk, 'r');
    try {
      readSync(file, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(file);
    }
    return Array.from({ length: Math.floor(bytes.length / ENTRY_BYTES) }, (_, index) => {
      const text = bytes.toString('latin1', index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
      const match = /^([0-9a-f]{8}) (\d{8})\n$/.exec(text);
      return match !== null && Number(match[2]) === index ? match[1] : undefined;
    });
  }
}

/** Process ids in the launcher Pods of a run whose command has this word, seen from the machine. */
export function processesOf(vmi: VirtualMachineInstance | undefined, word: string): readonly number[] {
  return Object.keys(vmi?.status?.activePods ?? {}).flatMap((pod) =>
    podProcesses(pod)
      .filter(({ command }) => command.includes(word))
      .map(({ pid }) => pid),
  );
}

/** Stops the launcher of a run, and neither its QEMU nor the switch that ends that; answers how to let it go on. */
export function stopLauncher(vmi: VirtualMachineInstance | undefined): () => void {
  const pids = processesOf(vmi, 'virt-launcher.mjs');
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids)
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // It has ended with its Pod.
      }
  };
}
