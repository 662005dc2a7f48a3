/** Who is told what of a guest's past: virt-api of guests of this node, another node's virt-handler of guests it has now. */
import type { VirtualMachineInstance } from '@podvisor/api';
import type { Clock, UsageHistory, UsagePoint } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import type { LauncherConnection } from '../launcher-client/connection.ts';
import type { UsageKeeper } from './usage-keeper.ts';
import { historyOf, joined, parseHistory } from './usage-points.ts';

const ASK_MS = 3_000;

export interface UsageAnswerOptions {
  readonly client: Pick<KubeClient, 'find'>;
  readonly keeper: Pick<UsageKeeper, 'history'>;
  readonly clock: Clock;
}

export class UsageAnswer {
  readonly #options: UsageAnswerOptions;

  constructor(options: UsageAnswerOptions) {
    this.#options = options;
  }

  /** What is kept here, and before that what a launcher of an older version has kept itself; later ones keep nothing. */
  async ofGuest(
    { metadata }: VirtualMachineInstance,
    connection: Pick<LauncherConnection, 'ask'>,
  ): Promise<UsageHistory> {
    const { keeper, clock } = this.#options;
    const launchers = await askLauncher(connection, clock);
    return historyOf(joined(launchers, keeper.history(metadata?.uid ?? '')?.points ?? []), clock.now());
  }

  /**
   * For the virt-handler of another node, which has shown its certificate: the past of a guest that runs there now, by
   * the API server's word. Undefined: it does not, or nothing is known of it here.
   */
  async ofGuestThatLeft(node: string, namespace: string, name: string): Promise<UsageHistory | undefined> {
    const { client, keeper } = this.#options;
    const vmi = await client.find(resources.virtualMachineInstances, { namespace, name });
    return vmi?.status?.nodeName === node ? keeper.history(vmi.metadata?.uid ?? '') : undefined;
  }
}

async function askLauncher(
  connection: Pick<LauncherConnection, 'ask'>,
  clock: Clock,
): Promise<readonly UsagePoint[]> {
  try {
    const said = await connection.ask('getUsageHistory', AbortSignal.timeout(ASK_MS));
    return parseHistory(JSON.parse(said), clock.now());
  } catch {
    return []; // it does not keep any
  }
}
