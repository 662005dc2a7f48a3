/** The installation: components, versions, certificates, checks, alerts. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { readOwnJson } from '../live/requests.ts';
import { collectionAt, useCollection } from '../live/use-collection.ts';
import { componentRows, daysTone, type KubeVirtObject, type PodObject } from '../model/cluster.ts';
import type { Tone } from '../model/rows.ts';
import { Events } from './events.tsx';
import { Command, ConditionsTable, Freshness, Problem, Status, Table } from './parts.tsx';
import { clusterText } from '../texts/cluster.ts';
import { commonText } from '../texts/common.ts';

/** What the page's server answers at `/cluster`. */
interface Facts {
  /** Of an embedded home, not a cluster. */
  readonly isHome: boolean;
  readonly certificates: readonly { readonly name: string; readonly days: number }[];
  readonly doctor?: readonly {
    readonly level: 'PASS' | 'WARN' | 'FAIL';
    readonly what: string;
    readonly found: string;
    readonly fix?: string;
  }[];
  readonly alerts?: readonly { readonly name: string; readonly severity: string; readonly summary: string }[];
  readonly unwatched?: string;
  readonly unseen: readonly string[];
  readonly problems: readonly string[];
}

const TONES: Readonly<Record<'PASS' | 'WARN' | 'FAIL', Tone>> = { PASS: 'good', WARN: 'busy', FAIL: 'bad' };

const RECENT_EVENTS = 10;

export function ClusterPage(): JSX.Element {
  const kubevirts = useCollection(collectionAt<KubeVirtObject>('/apis/kubevirt.io/v1/kubevirts'));
  const [kubevirt] = kubevirts.items.values();
  const namespace = kubevirt?.metadata?.namespace ?? 'kubevirt';
  return (
    <>
      <h1>{clusterText.title}</h1>
      <Freshness snapshot={kubevirts} what={clusterText.what} />
      {kubevirt === undefined ? null : <Installation kubevirt={kubevirt} />}
      <Components namespace={namespace} />
      <FactsView />
      <Events namespace="" most={RECENT_EVENTS} />
    </>
  );
}

function Installation({ kubevirt: { status } }: { kubevirt: KubeVirtObject }): JSX.Element {
  const { phase = 'Unknown', observedKubeVirtVersion = 'unknown', targetKubeVirtVersion, conditions = [] } = status ?? {};
  const isMoving = targetKubeVirtVersion !== undefined && targetKubeVirtVersion !== observedKubeVirtVersion;
  return (
    <>
      <p>
        <Status text={phase} tone={phase === 'Deployed' ? 'good' : 'busy'} /> {clusterText.version(observedKubeVirtVersion)}
        {isMoving ? clusterText.onItsWay(targetKubeVirtVersion) : ''}
      </p>
      <ConditionsTable heading={clusterText.condition} conditions={conditions} />
    </>
  );
}

function Components({ namespace }: { namespace: string }): JSX.Element {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  const pods = useCollection(collectionAt<PodObject>(path));
  return (
    <>
      <h2>{clusterText.components}</h2>
      <Freshness snapshot={pods} what={clusterText.pods} />
      <Table headings={clusterText.componentHeadings} state={pods.state}>
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
  if (facts === undefined) return <p class="faint">{commonText.looking}</p>;
  return (
    <>
      {facts.problems.map((words) => (
        <Problem key={words}>{words}</Problem>
      ))}
      {facts.unseen.length === 0 ? null : <p class="faint">{clusterText.unseen(facts.unseen.join(', '))}</p>}
      <h2>{clusterText.alerts}</h2>
      {facts.alerts === undefined ? null : <Alerts alerts={facts.alerts} />}
      {facts.unwatched === undefined ? null : (
        <p class="faint">{clusterText.unwatched(facts.unwatched)}</p>
      )}
      <h2>{clusterText.certificates}</h2>
      <Table headings={clusterText.certificateHeadings}>
        {facts.certificates.map(({ name, days }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>
              <Status text={String(days)} tone={daysTone(days)} />
            </td>
          </tr>
        ))}
      </Table>
      {facts.doctor === undefined ? null : <Doctor checks={facts.doctor} isHome={facts.isHome} />}
    </>
  );
}

function Alerts({ alerts }: { alerts: NonNullable<Facts['alerts']> }): JSX.Element {
  if (alerts.length === 0) return <p>{clusterText.noAlert}</p>;
  return (
    <>
      <Table headings={clusterText.alertHeadings}>
        {alerts.map(({ name, severity, summary }) => (
          <tr key={`${name} ${summary}`}>
            <td>{name}</td>
            <td>
              <Status text={severity} tone={severity === 'critical' ? 'bad' : 'busy'} />
            </td>
            <td class="long">{summary}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function Doctor({ checks, isHome }: { checks: NonNullable<Facts['doctor']>; isHome: boolean }): JSX.Element {
  const wrong = checks.filter(({ level }) => level !== 'PASS');
  return (
    <>
      <h2>{clusterText.doctor}</h2>
      <p>
        {clusterText.checksPass(checks.length - wrong.length, checks.length)}{' '}
        {isHome ? (
          <>
            {commonText.inTerminal} <Command text="./podvisor doctor" />
          </>
        ) : null}
      </p>
      {wrong.length === 0 ? null : (
      <Table headings={clusterText.checkHeadings}>
        {wrong.map(({ level, what, found, fix = '' }) => (
          <tr key={`${what} ${found}`}>
            <td>{what}</td>
            <td>
              <Status text={level} tone={TONES[level]} />
            </td>
            <td class="long">{found}</td>
            <td class="long">{fix}</td>
          </tr>
        ))}
      </Table>
      )}
    </>
  );
}
