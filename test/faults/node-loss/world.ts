/**
 * A cluster of a few nodes with VMs on shared storage, and what is asked about them when their node is lost: where it
 * runs, what others see, and whether its disk holds every entry that was ever acknowledged.
 */
import assert from 'node:assert/strict';
import { labels, type VirtualMachineInstance, type VMICondition } from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import { eventually } from '../../support/eventually.ts';
import { Instance } from '../../support/instance.ts';
import { TickWatch } from '../../support/guests/tick-watch.ts';
import { createTickingVm } from '../../support/guests/ticking-vm.ts';
import { podProcesses } from '../../support/pod-processes.ts';
import { journalOf } from './journal.ts';
import { FIRST_NODE, type Witness } from './witness.ts';

/** Software emulation on a busy machine. */
const BOOT_MS = 300_000;
/** That are told of a failure. */
const MOST_EVENTS = 60;

export interface Times {
  readonly leaseSeconds: number;
  readonly silenceSeconds: number;
}

export interface TickingOptions {
  readonly accessMode?: string;
  readonly nodes?: readonly string[];
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
    for (const survivor of this.#survivors) survivor.witness.close();
    await this.client.close();
    await this.instance.purge();
  }

  /** Guests that are started from now on have these times. */
  configure(times: Times): Promise<void> {
    return this.#configure({ nodeLoss: times });
  }

  /** Migrations take minutes from now on. */
  slowMigrations(): Promise<void> {
    return this.#configure({ migrations: { bandwidthPerMigration: '256Ki' } });
  }

  async #configure(configuration: object): Promise<void> {
    const key = { namespace: 'kubevirt', name: 'kubevirt' };
    await this.client.patch(resources.kubeVirts, key, { type: 'merge', body: { spec: { configuration } } });
  }

  /** VMs that write to their journals already. All begin on the first node, if it is there. */
  start(...names: readonly string[]): Promise<readonly Survivor[]> {
    return this.#start(names, (name) => journalOf(this.instance, name));
  }

  /**
   * The same with guests of one boot sector, of which many start at once in little time. `nodes`: where they begin, in
   * turn.
   */
  startTicking(
    names: readonly string[],
    { accessMode, nodes = [FIRST_NODE] }: TickingOptions = {},
  ): Promise<readonly Survivor[]> {
    return this.#start(names, async (name) => {
      const node = nodes[names.indexOf(name) % nodes.length] ?? FIRST_NODE;
      return new TickWatch(await createTickingVm(this.instance, name, node, accessMode));
    });
  }

  async #start(
    names: readonly string[],
    create: (name: string) => Promise<Witness>,
  ): Promise<readonly Survivor[]> {
    const survivors = await Promise.all(
      names.map(async (name) => new Survivor(this.client, name, await create(name))),
    );
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
    // The command gives up after a minute and a half.
    await eventually(`${name} is back`, BOOT_MS, async () => {
      const { code } = await this.instance.podvisor(['node', 'heal', name]);
      return code === 0 ? true : undefined;
    });
    await eventually(`${name} takes VMs again`, BOOT_MS, async () => {
      const node = await this.client.get(resources.nodes, { name });
      return node.metadata.labels?.[labels.schedulable] === 'true' ? true : undefined;
    });
  }
}

/** A VM on shared storage whose guest writes as long as it runs. */
export class Survivor {
  readonly name: string;
  readonly witness: Witness;
  readonly #client: KubeClient;
  readonly #key: { readonly namespace: string; readonly name: string };

  constructor(client: KubeClient, name: string, witness: Witness) {
    this.#client = client;
    this.#key = { namespace: 'default', name };
    this.name = name;
    this.witness = witness;
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
      this.witness.writesSince(sinceMs) > 2 ? true : undefined,
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

  /** What is wrong, by its witness. */
  judge(): readonly string[] {
    return this.witness.problems().map((problem) => `${this.name}: ${problem}`);
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
  return stop(processesOf(vmi, 'virt-launcher.mjs'));
}

/**
 * Stops everything in the launcher Pods of a run, the switch too, as a machine does that is suspended; answers how to
 * let it go on. QEMU goes on first: whoever should end it is later.
 */
export function stopPod(vmi: VirtualMachineInstance | undefined): () => void {
  const qemu = processesOf(vmi, 'qemu-system');
  return stop([...qemu, ...processesOf(vmi, '').filter((pid) => !qemu.includes(pid))]);
}

function stop(pids: readonly number[]): () => void {
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of pids)
      try {
        process.kill(pid, name);
      } catch {
        // It has ended with its Pod.
      }
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}
