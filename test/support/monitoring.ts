/** What the Prometheus of a home (`up --monitoring`) has seen, and what its rules say. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALERTS } from '@podvisor/api';
import { eventually } from './eventually.ts';
import { type Instance, root } from './instance.ts';

interface Target {
  readonly labels: Readonly<Record<string, string>>;
  readonly health: string;
  readonly lastError: string;
}

interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}

export class Monitoring {
  readonly #instance: Instance;

  constructor(instance: Instance) {
    this.#instance = instance;
  }

  /** `pod health error` of every target, when each has been read at least once. */
  async targets(): Promise<readonly string[]> {
    return eventually('every target was read', 60_000, async () => {
      const { activeTargets } = await this.#get<{ activeTargets: readonly Target[] }>('targets');
      const lines = activeTargets.map(({ labels, health, lastError }) =>
        `${labels['pod']} ${health} ${lastError}`.trim(),
      );
      return lines.some((line) => line.includes('unknown')) ? undefined : lines.toSorted();
    });
  }

  /** Names of families that have had a sample. */
  async families(): Promise<ReadonlySet<string>> {
    const names = await this.#get<readonly string[]>('label/__name__/values');
    return new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
  }

  /** Labels of the results of a query. */
  async results(query: string): Promise<readonly Readonly<Record<string, string>>[]> {
    const { result } = await this.#get<{ result: readonly { metric: Record<string, string> }[] }>('query', {
      query,
    });
    return result.map(({ metric }) => metric);
  }

  /** Of these families those that have had one value only, as long as anybody looked; of histograms it is the count. */
  async unchanged(names: readonly string[]): Promise<readonly string[]> {
    const still = names.map(async (name) => {
      const series = `{__name__=~"${name}(_count)?"}[1h]`;
      const query = `max(max_over_time(${series})) == min(min_over_time(${series}))`;
      return (await this.results(query)).length > 0 ? [name] : [];
    });
    return (await Promise.all(still)).flat().toSorted();
  }

  /** Alerts whose condition holds now, whether for long enough or not. */
  async conditions(): Promise<readonly string[]> {
    const held = await Promise.all(
      ALERTS.map(async ({ name, expression }) => ((await this.results(expression)).length > 0 ? [name] : [])),
    );
    return [...new Set(held.flat())].toSorted();
  }

  /**
   * From now on alerts fire as soon as their conditions hold: tests have no quarter of an hour. `intervalSeconds`: how
   * often processes are read and rules asked.
   */
  async withoutPatience(intervalSeconds = 15): Promise<void> {
    const directory = `${this.#instance.home}/monitoring`;
    const rewrite = (name: string, change: (text: string) => string): void =>
      writeFileSync(`${directory}/${name}`, change(readFileSync(`${directory}/${name}`, 'utf8')));
    rewrite('rules.yaml', (text) => text.replaceAll(/^ *for: .*\n/gm, '').replaceAll('> 300', '> 3'));
    rewrite('prometheus.yml', (text) =>
      text.replaceAll(/_(interval|timeout): "?15s"?/g, `_$1: ${intervalSeconds}s`),
    );
    process.kill(await this.#instance.pidOf('prometheus'), 'SIGHUP');
  }

  /** Alerts that fire, by Prometheus itself. */
  async firing(): Promise<readonly string[]> {
    const { alerts } = await this.#get<{
      alerts: readonly { readonly labels: Readonly<Record<string, string>>; readonly state: string }[];
    }>('alerts');
    const names = alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => labels['alertname'] ?? '');
    return [...new Set(names)].toSorted();
  }

  /** Alerts that have reached Alertmanager and are not over, each with the address of its runbook. */
  async fired(): Promise<ReadonlyMap<string, string>> {
    interface Fired {
      readonly labels: { readonly alertname: string };
      readonly annotations: { readonly runbook_url?: string };
    }
    const answer = await this.#ask(11, '/api/v2/alerts?active=true');
    const alerts = (await answer.json()) as readonly Fired[];
    return new Map(
      alerts.map(({ labels, annotations }) => [labels.alertname, annotations.runbook_url ?? '']),
    );
  }

  /** The page at an address of this Prometheus. */
  async page(url: string): Promise<string> {
    const answer = await this.#ask(10, new URL(url).pathname);
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    return answer.text();
  }

  /** Rules and queries of dashboards that Prometheus cannot answer, with its words. */
  async broken(): Promise<readonly string[]> {
    const { groups } = await this.#get<{
      groups: readonly { rules: readonly { name: string; health: string; lastError?: string }[] }[];
    }>('rules');
    const rules = groups
      .flatMap((group) => group.rules)
      .filter(({ health }) => health === 'err')
      .map(({ name, lastError }) => `${name}: ${lastError}`);
    const queries = dashboardQueries().map(async (query) => {
      try {
        await this.results(query);
        return [];
      } catch (error) {
        return [`${query}: ${String(error)}`];
      }
    });
    return [...rules, ...(await Promise.all(queries)).flat()];
  }

  async #get<T>(path: string, query: Record<string, string> = {}): Promise<T> {
    const answer = await this.#ask(10, `/api/v1/${path}?${new URLSearchParams(query)}`);
    const body = (await answer.json()) as { readonly data: T; readonly error?: string };
    if (!answer.ok) throw new Error(body.error ?? String(answer.status));
    return body.data;
  }

  /** `port`: beyond the API server's. */
  #ask(port: number, path: string): Promise<Response> {
    const { home, apiPort } = this.#instance;
    const password = readFileSync(`${home}/monitoring/password`, 'utf8');
    const authorization = `Basic ${Buffer.from(`podvisor:${password}`).toString('base64')}`;
    return fetch(`http://127.0.0.1:${apiPort + port}${path}`, { headers: { authorization } });
  }
}

/** As Grafana would send them. */
function dashboardQueries(): readonly string[] {
  const directory = join(root, 'monitoring/dashboards');
  return readdirSync(directory).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(join(directory, file), 'utf8')) as {
      panels: readonly Panel[];
    };
    return panels
      .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
      .map((expr) =>
        expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$(namespace|name|node)\b/g, '.*'),
      );
  });
}
