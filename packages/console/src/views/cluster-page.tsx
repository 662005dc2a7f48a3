/** The installation: components, versions, certificates, checks, alerts. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { readOwnJson } from '../live/requests.ts';
import { collectionAt, useCollection } from '../live/use-collection.ts';
import { componentRows, daysTone, type KubeVirtObject, type PodObject } from '../model/cluster.ts';
import type { Tone } from '../model/rows.ts';
import { Command, ConditionsTable, Freshness, Problem, Status, Table } from './parts.tsx';

/** What the page's server answers at `/cluster`. */
interface Facts {
  readonly certificates: readonly { readonly name: string; readonly days: number }[];
  readonly doctor?: readonly {
    readonly level: 'PASS' | 'WARN' | 'FAIL';
    readonly what: string;
    readonly found: string;
    readonly fix?: string;
  }[];
  readonly alerts?: readonly { readonly name: string; readonly severity: string; readonly summary: string }[];
  readonly problems: readonly string[];
}

const TONES: Readonly<Record<'PASS' | 'WARN' | 'FAIL', Tone>> = { PASS: 'good', WARN: 'busy', FAIL: 'bad' };

export function ClusterPage(): JSX.Element {
  const kubevirts = useCollection(collectionAt<KubeVirtObject>('/apis/kubevirt.io/v1/kubevirts'));
  const [kubevirt] = kubevirts.items.values();
  const namespace = kubevirt?.metadata?.namespace ?? 'kubevirt';
  return (
    <>
      <h1>Cluster</h1>
      <Freshness snapshot={kubevirts} what="the installation" />
      {kubevirt === undefined ? null : <Installation kubevirt={kubevirt} />}
      <Components namespace={namespace} />
      <FactsView />
    </>
  );
}

function Installation({ kubevirt: { status } }: { kubevirt: KubeVirtObject }): JSX.Element {
  const { phase = 'Unknown', observedKubeVirtVersion = 'unknown', targetKubeVirtVersion, conditions = [] } = status ?? {};
  const isMoving = targetKubeVirtVersion !== undefined && targetKubeVirtVersion !== observedKubeVirtVersion;
  return (
    <>
      <p>
        <Status text={phase} tone={phase === 'Deployed' ? 'good' : 'busy'} /> version {observedKubeVirtVersion}
        {isMoving ? `, on its way to ${targetKubeVirtVersion}` : ''}
      </p>
      <ConditionsTable heading="Condition" conditions={conditions} />
    </>
  );
}

function Components({ namespace }: { namespace: string }): JSX.Element {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  const pods = useCollection(collectionAt<PodObject>(path));
  return (
    <>
      <h2>Components</h2>
      <Freshness snapshot={pods} what="Pods of the installation" />
      <Table headings={['Name', 'Node', 'State', 'Restarts']}>
        {componentRows([...pods.items.values()]).map(({ name, node, state, tone, restarts }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>{node}</td>
            <td>
              <Status text={state} tone={tone} />
            </td>
            <td>{restarts}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function FactsView(): JSX.Element {
  const [facts, setFacts] = useState<Facts>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    readOwnJson<Facts>('/cluster', stop.signal)
      .then(setFacts)
      .catch((error: unknown) => stop.signal.aborted || setProblem(String(error)));
    return () => stop.abort();
  }, []);
  if (problem !== undefined) return <Problem>{problem}</Problem>;
  if (facts === undefined) return <p class="faint">Looking …</p>;
  return (
    <>
      {facts.problems.map((words) => (
        <Problem key={words}>{words}</Problem>
      ))}
      <h2>Certificates</h2>
      <Table headings={['Of', 'Days left']}>
        {facts.certificates.map(({ name, days }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>
              <Status text={String(days)} tone={daysTone(days)} />
            </td>
          </tr>
        ))}
      </Table>
      {facts.alerts === undefined ? null : <Alerts alerts={facts.alerts} />}
      {facts.doctor === undefined ? null : <Doctor checks={facts.doctor} />}
    </>
  );
}

function Alerts({ alerts }: { alerts: NonNullable<Facts['alerts']> }): JSX.Element {
  if (alerts.length === 0) return <p>No alert fires.</p>;
  return (
    <>
      <h2>Alerts</h2>
      <Table headings={['Alert', 'Severity', 'What']}>
        {alerts.map(({ name, severity, summary }) => (
          <tr key={`${name} ${summary}`}>
            <td>{name}</td>
            <td>
              <Status text={severity} tone={severity === 'critical' ? 'bad' : 'busy'} />
            </td>
            <td>{summary}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function Doctor({ checks }: { checks: NonNullable<Facts['doctor']> }): JSX.Element {
  const wrong = checks.filter(({ level }) => level !== 'PASS');
  return (
    <>
      <h2>Doctor</h2>
      <p>
        {checks.length - wrong.length} of {checks.length} checks pass. In a terminal: <Command text="./podvisor doctor" />
      </p>
      <Table headings={['Check', 'Result', 'Found', 'What to do']}>
        {wrong.map(({ level, what, found, fix = '' }) => (
          <tr key={`${what} ${found}`}>
            <td>{what}</td>
            <td>
              <Status text={level} tone={TONES[level]} />
            </td>
            <td>{found}</td>
            <td>{fix}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}
