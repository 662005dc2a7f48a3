/** One VM: what it is, how far it came and why no further, its console and screen, its conditions, events and YAML. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { useWhy, type WhyReport } from '../live/use-why.ts';
import { cloneVm, fixActions, vmActions } from '../model/vm-actions.ts';
import { rowsOf, type VmRow } from '../model/rows.ts';
import { ActionBar } from './action-button.tsx';
import { Disks } from './disks.tsx';
import { Events } from './events.tsx';
import { Lazy } from './lazy.tsx';
import { Network } from './network.tsx';
import { Snapshots } from './snapshots.tsx';
import { Command, type Condition, ConditionsTable, Freshness, Problem, Status } from './parts.tsx';
import { commonText } from '../texts/common.ts';
import { vmText } from '../texts/vm.ts';
import { vmsText } from '../texts/vms.ts';

type Tab = keyof typeof vmText.tabs;
const TABS: readonly Tab[] = ['way', 'console', 'screen', 'usage', 'network', 'disks', 'snapshots', 'conditions', 'object'];

export function VmPage({ namespace, name }: { namespace: string; name: string }): JSX.Element {
  const collections = useCollections();
  const vms = useCollection(collections.vms);
  const vmis = useCollection(collections.vmis);
  const [tab, setTab] = useState<Tab>('way');
  const [problem, setProblem] = useState<string>();
  const key = `${namespace}/${name}`;
  const [vm, vmi] = [vms.items.get(key), vmis.items.get(key)];
  const version = `${vm?.metadata?.resourceVersion}/${vmi?.metadata?.resourceVersion}`;
  const { report, problem: unknown } = useWhy(namespace, name, version);
  const row = rowsOf(
    new Map(vm === undefined ? [] : [[key, vm]]),
    new Map(vmi === undefined ? [] : [[key, vmi]]),
  )[0];
  if (row === undefined)
    return (
      <>
        <h1>{name}</h1>
        <Freshness snapshot={vms} what={vmsText.what} />
        {vms.state === 'live' ? (
          <p>
            {vmText.noSuch(name, namespace)} <a href="#/">{vmText.all}</a>
          </p>
        ) : null}
      </>
    );
  return (
    <>
      <h1>
        {name} <Status text={row.status} tone={row.tone} />
      </h1>
      <Freshness snapshot={vms} what={vmText.what} />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <ActionBar actions={[...vmActions, cloneVm]} row={row} onProblem={setProblem} />
      <dl class="facts">
        <dt>{commonText.namespace}</dt>
        <dd>{row.namespace}</dd>
        <dt>{commonText.node}</dt>
        <dd>{row.node === '' ? commonText.none : row.node}</dd>
        <dt>{vmText.address}</dt>
        <dd>{row.address === '' ? commonText.none : row.address}</dd>
        <dt>{commonText.size}</dt>
        <dd>
          {vmText.cpus(row.cpus)}, {row.memory}
        </dd>
      </dl>
      <div class="bar" role="tablist" aria-label={vmText.views}>
        {TABS.map((id) => (
          <button type="button" role="tab" aria-selected={tab === id} key={id} onClick={() => setTab(id)}>
            {vmText.tabs[id]}
          </button>
        ))}
      </div>
      {tab === 'way' ? <Way report={report} problem={unknown} row={row} onProblem={setProblem} /> : null}
      {tab === 'console' ? (
        <Lazy load={() => import('./serial.tsx')} with={{ namespace, name }} what={vmText.terminal} />
      ) : null}
      {tab === 'screen' ? (
        <Lazy load={() => import('./screen.tsx')} with={{ namespace, name }} what={vmText.screen} />
      ) : null}
      {tab === 'usage' ? (
        <Lazy load={() => import('./charts.tsx')} with={{ namespace, name }} what={vmText.charts} />
      ) : null}
      {tab === 'network' ? <Network namespace={namespace} name={name} /> : null}
      {tab === 'disks' ? <Disks vm={vm} vmi={vmi} /> : null}
      {tab === 'snapshots' ? <Snapshots namespace={namespace} name={name} /> : null}
      {tab === 'conditions' ? <Conditions conditions={vmi?.status?.conditions ?? vm?.status?.conditions ?? []} /> : null}
      {tab === 'conditions' ? <Events namespace={namespace} about={name} /> : null}
      {tab === 'object' ? (
        <Lazy load={() => import('./object.tsx')} with={{ vm, vmi }} what={vmText.editor} />
      ) : null}
    </>
  );
}

function Way({
  report,
  problem,
  row,
  onProblem,
}: {
  report: WhyReport | undefined;
  problem: string | undefined;
  row: VmRow;
  onProblem: (words: string | undefined) => void;
}): JSX.Element {
  if (problem !== undefined) return <Problem>{problem}</Problem>;
  if (report === undefined) return <p class="faint">{commonText.looking}</p>;
  return (
    <>
      <p>{report.verdict}</p>
      {report.diagnoses.map(({ id, title, cause, fix }) => (
        <div class="notice" key={id}>
          <strong>{title}</strong>
          <div>{cause}</div>
          <div>
            {vmText.toDo} {fix}
          </div>
          <ActionBar actions={fixActions(fix, row)} row={row} onProblem={onProblem} />
        </div>
      ))}
      <ol class="pipeline" aria-label={vmText.way}>
        {report.handoffs.map(({ number, from, to, sight, done, sinceLastMs }) => (
          <li key={number} class={done ? 'done' : number === report.waitingFor ? 'waiting' : ''}>
            <span>{number}</span>
            <span>
              {from} → {to}
            </span>
            <span class={done ? '' : 'faint'}>{done ? sight : vmText.notYet(sight)}</span>
            <span class="faint">{sinceLastMs === undefined ? '' : vmText.milliseconds(Math.round(sinceLastMs))}</span>
          </li>
        ))}
      </ol>
      <p class="faint">
        {commonText.sameInTerminal} <Command text={`virtctl why vm/${row.name} -n ${row.namespace}`} />
      </p>
    </>
  );
}

function Conditions({ conditions }: { conditions: readonly Condition[] }): JSX.Element {
  return (
    <>
      <h2>{vmText.conditions}</h2>
      <ConditionsTable heading={vmText.condition} conditions={conditions} />
    </>
  );
}
