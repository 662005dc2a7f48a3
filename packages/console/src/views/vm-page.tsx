/** One VM: what it is, how far it came and why no further, its console and screen, its conditions, events and YAML. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { useWhy } from '../live/use-why.ts';
import { cloneVm, vmActions } from '../model/vm-actions.ts';
import { vmAddress } from '../model/route.ts';
import { rowsOf } from '../model/rows.ts';
import { ActionBar } from './action-button.tsx';
import { Disks } from './disks.tsx';
import { Events } from './events.tsx';
import { Lazy } from './lazy.tsx';
import { Network } from './network.tsx';
import { Pipeline } from './pipeline.tsx';
import { Snapshots } from './snapshots.tsx';
import { type Condition, ConditionsTable, Freshness, Problem, Status } from './parts.tsx';
import { commonText } from '../texts/common.ts';
import { vmText } from '../texts/vm.ts';
import { vmsText } from '../texts/vms.ts';

type Tab = keyof typeof vmText.tabs;
const TABS: readonly Tab[] = ['pipeline', 'console', 'screen', 'usage', 'network', 'disks', 'snapshots', 'conditions', 'yaml'];
/** Tabs that show a guest, and nothing while there is none. */
const OF_A_GUEST: readonly Tab[] = ['console', 'screen', 'usage', 'network'];

export function VmPage({ namespace, name, tab: opened }: { namespace: string; name: string; tab: string }): JSX.Element {
  const collections = useCollections();
  const vms = useCollection(collections.vms);
  const vmis = useCollection(collections.vmis);
  const tab = TABS.find((id) => id === opened) ?? 'pipeline';
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
  const shown = vmi === undefined && OF_A_GUEST.includes(tab) ? undefined : tab;
  return (
    <>
      <h1>
        {name} <Status text={row.status} tone={row.tone} />
      </h1>
      <Freshness snapshot={vms} what={vmText.what} />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <ActionBar actions={[...vmActions, cloneVm]} row={row} onProblem={setProblem} />
      <dl class="facts">
        <Fact name={commonText.namespace} value={row.namespace} />
        <Fact name={commonText.node} value={row.node} />
        <Fact name={vmText.address} value={row.address} />
        <Fact name={commonText.size} value={`${vmText.cpus(row.cpus)}, ${row.memory}`} />
      </dl>
      <Tabs tab={tab} onTab={(id) => (location.hash = vmAddress(namespace, name, id))} />
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
      {shown === undefined ? <p class="faint">{vmText.notRunning}</p> : null}
      {tab === 'pipeline' ? <Pipeline report={report} problem={unknown} row={row} onProblem={setProblem} /> : null}
      {shown === 'console' ? (
        <Lazy load={() => import('./serial.tsx')} with={{ namespace, name }} what={vmText.terminal} />
      ) : null}
      {shown === 'screen' ? (
        <Lazy load={() => import('./screen.tsx')} with={{ namespace, name }} what={vmText.screen} />
      ) : null}
      {shown === 'usage' ? (
        <Lazy load={() => import('./charts.tsx')} with={{ namespace, name }} what={vmText.charts} />
      ) : null}
      {shown === 'network' ? <Network namespace={namespace} name={name} /> : null}
      {tab === 'disks' ? <Disks vm={vm} vmi={vmi} /> : null}
      {tab === 'snapshots' ? <Snapshots namespace={namespace} name={name} /> : null}
      {tab === 'conditions' ? <Conditions conditions={vmi?.status?.conditions ?? vm?.status?.conditions ?? []} /> : null}
      {tab === 'conditions' ? <Events namespace={namespace} about={name} /> : null}
      {tab === 'yaml' ? (
        <Lazy load={() => import('./object.tsx')} with={{ vm, vmi }} what={vmText.editor} />
      ) : null}
      </div>
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value === '' ? commonText.none : value}</dd>
    </div>
  );
}

/** One stop of the Tab key; arrows lead from tab to tab, as the pattern of ARIA has it. */
function Tabs({ tab, onTab }: { tab: Tab; onTab: (tab: Tab) => void }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = tabAfter(event.key, TABS.indexOf(tab), TABS.length);
    const id = next === undefined ? undefined : TABS[next];
    if (id === undefined) return;
    event.preventDefault();
    onTab(id);
    list.current?.querySelector<HTMLElement>(`#tab-${id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={vmText.views} ref={list} onKeyDown={onKeyDown}>
      {TABS.map((id) => (
        <button
          type="button"
          role="tab"
          id={`tab-${id}`}
          key={id}
          aria-selected={tab === id}
          aria-controls="tab-panel"
          tabIndex={tab === id ? 0 : -1}
          onClick={() => onTab(id)}
        >
          {vmText.tabs[id]}
        </button>
      ))}
    </div>
  );
}

function tabAfter(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

function Conditions({ conditions }: { conditions: readonly Condition[] }): JSX.Element {
  return (
    <>
      <h2>{vmText.conditions}</h2>
      <ConditionsTable heading={vmText.condition} conditions={conditions} />
    </>
  );
}
