/**
 * Keeps the policy tables of all nodes: hears of NetworkPolicies, Pods and Namespaces, and writes a node's table
 * when its text changed, one transaction each. Packets between Pods of one bridge reach the tables because the
 * bridge shows them to nftables (`nf_call_iptables`, set with the node's network).
 */
import { existsSync } from 'node:fs';
import type { KubernetesObject, NetworkPolicy, Pod } from '@podvisor/api';
import { backoffMs, type Clock, messageOf, sleep } from '@podvisor/base';
import { type Informer, type Log, resources, type SharedInformers } from '@podvisor/kube';
import { type InstanceConfig, nftAccepts, nftApply } from '@podvisor/sys';
import { acceptable } from '../services/acceptable.ts';
import { serviceNetworks } from '../services/machine.ts';
import { serviceRanges } from '../services/service-range.ts';
import { type Isolation, isolations } from './decide.ts';
import { policyRuleset, policyTable } from './ruleset.ts';
import { networkPolicies } from './types.ts';

export interface PolicyEnforcerOptions {
  readonly config: InstanceConfig;
  readonly informers: SharedInformers;
  readonly clock: Clock;
  readonly log: Log;
}

/** Changes within this time are one transaction. */
const GATHER_MS = 5;

export class PolicyEnforcer {
  readonly #options: PolicyEnforcerOptions;
  readonly #policies: Informer<NetworkPolicy>;
  readonly #pods: Informer<Pod>;
  readonly #namespaces: Informer<KubernetesObject>;
  /** Text in each network, by its path. */
  readonly #written = new Map<string, string>();
  #dirty = Promise.withResolvers<void>();

  /** Asks for its informers; whoever owns them starts them afterwards. */
  constructor(options: PolicyEnforcerOptions) {
    this.#options = options;
    const { informers } = options;
    this.#policies = informers.of(networkPolicies);
    this.#pods = informers.of(resources.pods);
    this.#namespaces = informers.of(resources.namespaces);
  }

  /** Runs until the signal ends it. The tables stay. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    await Promise.all([this.#policies.synced(), this.#pods.synced(), this.#namespaces.synced()]);
    const dirty = (): void => this.#dirty.resolve();
    for (const informer of [this.#policies, this.#pods, this.#namespaces])
      informer.on({ add: dirty, update: dirty, delete: dirty });
    signal.addEventListener('abort', dirty, { once: true });
    for (let failures = 0; !signal.aborted; ) {
      this.#dirty = Promise.withResolvers<void>();
      try {
        await this.#write();
        failures = 0;
        if (!signal.aborted) await this.#dirty.promise;
        await sleep(clock, GATHER_MS, signal).catch(() => undefined);
      } catch (error) {
        failures += 1;
        log.warn(
          { error: messageOf(error), failures },
          'network policies could not be written, trying again',
        );
        await sleep(clock, backoffMs(failures, { firstMs: 100, maxMs: 10_000 }), signal).catch(
          () => undefined,
        );
      }
    }
  }

  async #write(): Promise<void> {
    const { config } = this.#options;
    const all = isolations({
      policies: this.#policies.list(),
      pods: this.#pods.list(),
      namespaceLabels: (name) => this.#namespaces.get(name)?.metadata?.labels ?? {},
      dns: serviceRanges(config).map(({ dns }) => dns),
    });
    for (const { path, nodeName } of serviceNetworks(config)) {
      if (nodeName === undefined || (path !== undefined && !existsSync(path))) continue;
      const here = all.filter((pod) => pod.nodeName === nodeName);
      const text = policyRuleset(policyTable(config.name), here);
      const before = this.#written.get(path ?? '');
      // Before the first policy there is no table, and none is made.
      if (text === before) continue;
      await this.#apply(path, here, text);
      this.#written.set(path ?? '', text);
    }
  }

  /**
   * Writes a table. Where nft does not take the whole, Pods whose rules it does not take are allowed nothing in the
   * directions that their policies speak of, and all others have their rules.
   */
  async #apply(path: string | undefined, pods: readonly Isolation[], text: string): Promise<void> {
    const { config, log } = this.#options;
    try {
      await nftApply(path, text);
    } catch (error) {
      const textOf = (some: readonly Isolation[]): string => {
        const open = new Set(some);
        const all = pods.map((pod) => (open.has(pod) ? pod : closed(pod)));
        return policyRuleset(policyTable(config.name), all);
      };
      const taken = await acceptable(pods, (some) => nftAccepts(path, textOf(some)));
      // Nothing can be closed: it is not the content that is wrong.
      if (taken.length === pods.length) throw error;
      await nftApply(path, textOf(taken));
      const kept = new Set(taken);
      const left = pods.filter((pod) => !kept.has(pod)).map(({ uid }) => uid);
      log.warn(
        { error: messageOf(error), pods: left },
        'rules of some Pods could not be written: they are cut off',
      );
    }
  }
}

function closed(pod: Isolation): Isolation {
  return {
    ...pod,
    ...(pod.ingress === undefined ? {} : { ingress: [] }),
    ...(pod.egress === undefined ? {} : { egress: [] }),
  };
}
