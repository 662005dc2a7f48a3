/** All VMs, live. Only the rows that can be seen are drawn, so that ten thousand are no more work than thirty. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { vmActions } from '../model/vm-actions.ts';
import { vmAddress } from '../model/route.ts';
import {
  COLUMNS,
  countsOf,
  type Filter,
  filterRows,
  nextOrder,
  type Order,
  orderedRows,
  rowsOf,
  toneOf,
  type VmRow,
} from '../model/rows.ts';
import { ActionButton } from './action-button.tsx';
import { Command, Freshness, Problem, Status } from './parts.tsx';
import { commonText } from '../texts/common.ts';
import { vmsText } from '../texts/vms.ts';

const ROW_PX = 36;
const AROUND = 8;

export function VmTable(): JSX.Element {
  const collections = useCollections();
  const vms = useCollection(collections.vms);
  const vmis = useCollection(collections.vmis);
  const [filter, setFilter] = useState<Filter>({ text: '', status: '', node: '' });
  const [order, setOrder] = useState<Order>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string>();
  const all = useMemo(() => rowsOf(vms.items, vmis.items), [vms.items, vmis.items]);
  const rows = useMemo(() => orderedRows(filterRows(all, filter), order), [all, filter, order]);
  const marked = rows.filter(({ key }) => chosen.has(key));
  const toggle = (key: string): void => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    setChosen(next);
  };
  const toggleAll = (): void => setChosen(new Set(marked.length === rows.length ? [] : rows.map(({ key }) => key)));
  return (
    <>
      <h1>{vmsText.title}</h1>
      <Freshness snapshot={vms} what={vmsText.what} />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <div class="bar">
        <input
          type="search"
          aria-label={vmsText.filter}
          placeholder={vmsText.filterExample}
          value={filter.text}
          onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
        />
        <span class="faint" role="status">
          {vmsText.count(rows.length, all.length)}
        </span>
        <a class="button" href="#/new">
          {vmsText.newVm}
        </a>
      </div>
      <Facets all={all} filter={filter} onFilter={setFilter} />
      {marked.length === 0 ? null : (
        <div class="bar chosen" role="group" aria-label={vmsText.withChosen(marked.length)}>
          <span>{vmsText.withChosen(marked.length)}</span>
          {vmActions.map((action) => {
            const fitting = marked.filter(action.fits);
            return fitting.length === 0 ? null : (
              <ActionButton key={action.id} action={action} rows={fitting} onProblem={setProblem} />
            );
          })}
        </div>
      )}
      {all.length === 0 && vms.state === 'live' ? (
        <NoVms />
      ) : (
        <Rows {...{ rows, chosen, order, marked: marked.length }} onToggle={toggle} onToggleAll={toggleAll} onOrder={setOrder} />
      )}
      {all.length > 0 && rows.length === 0 ? <p class="faint">{vmsText.noneFits}</p> : null}
    </>
  );
}

function NoVms(): JSX.Element {
  return (
    <div class="empty">
      <p>{vmsText.none}</p>
      <p>
        <a class="button" href="#/new">
          {vmsText.newVm}
        </a>
      </p>
      <p class="faint">
        {commonText.inTerminal} <Command text="virtctl create vm --name NAME | kubectl create -f -" />
      </p>
    </div>
  );
}

interface FacetsProps {
  readonly all: readonly VmRow[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

/** How many VMs have each status, and which are shown of them; and those of one node, where there are several. */
function Facets({ all, filter, onFilter }: FacetsProps): JSX.Element | null {
  const statuses = useMemo(() => countsOf(all, 'status'), [all]);
  const nodes = useMemo(() => countsOf(all, 'node'), [all]);
  if (statuses.length < 2 && nodes.length < 2 && filter.status === '' && filter.node === '') return null;
  return (
    <div class="bar">
      <span class="bar tight" role="group" aria-label={vmsText.byStatus}>
        {statuses.map(({ value, count }) => (
          <button
            type="button"
            class="chip"
            key={value}
            aria-pressed={filter.status === value}
            onClick={() => onFilter({ ...filter, status: filter.status === value ? '' : value })}
          >
            <Status text={value} tone={toneOf(value)} /> {count}
          </button>
        ))}
      </span>
      {nodes.length < 2 && filter.node === '' ? null : (
        <label class="faint">
          {commonText.node}{' '}
          <select value={filter.node} onChange={(event) => onFilter({ ...filter, node: event.currentTarget.value })}>
            <option value="">{vmsText.allNodes}</option>
            {nodes.map(({ value, count }) => (
              <option key={value} value={value}>
                {vmsText.onNode(value, count)}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

interface RowsProps {
  readonly rows: readonly VmRow[];
  readonly chosen: ReadonlySet<string>;
  /** How many of the rows are chosen. */
  readonly marked: number;
  readonly order: Order | undefined;
  readonly onToggle: (key: string) => void;
  readonly onToggleAll: () => void;
  readonly onOrder: (order: Order | undefined) => void;
}

function Rows({ rows, chosen, marked, order, onToggle, onToggleAll, onOrder }: RowsProps): JSX.Element {
  const [top, setTop] = useState(0);
  const first = Math.max(0, Math.floor(top / ROW_PX) - AROUND);
  const shown = rows.slice(first, first + Math.ceil(innerHeight / ROW_PX) + 2 * AROUND);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div
      class="rows"
      tabIndex={0}
      role="table"
      aria-label={vmsText.title}
      aria-rowcount={rows.length + 1}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div class="row head" role="row">
        <span role="columnheader">
          <input
            type="checkbox"
            aria-label={vmsText.chooseAll}
            checked={marked > 0 && marked === rows.length}
            indeterminate={marked > 0 && marked < rows.length}
            onChange={onToggleAll}
          />
        </span>
        {COLUMNS.map((column) => (
          <span key={column} role="columnheader" aria-sort={sortOf(order, column)}>
            <button type="button" class="plain" onClick={() => onOrder(nextOrder(order, column))}>
              {vmsText.headings[column]}
            </button>
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: `${rows.length * ROW_PX}px`, paddingTop: `${first * ROW_PX}px` }}>
        {shown.map((row, index) => (
          <div class="row" role="row" key={row.key} aria-rowindex={first + index + 2}>
            <span role="cell">
              <input
                type="checkbox"
                aria-label={vmsText.choose(row.name)}
                checked={chosen.has(row.key)}
                onChange={() => onToggle(row.key)}
              />
            </span>
            <span role="cell">
              <a href={vmAddress(row.namespace, row.name)} title={row.name}>{row.name}</a>
            </span>
            <span role="cell" title={row.namespace}>{row.namespace}</span>
            <span role="cell">
              <Status text={row.status} tone={row.tone} />
            </span>
            <span role="cell">{row.node}</span>
            <span role="cell">{row.address}</span>
            <span role="cell">{row.cpus}</span>
            <span role="cell">{row.memory}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

function sortOf(order: Order | undefined, column: string): 'ascending' | 'descending' | 'none' {
  if (order?.by !== column) return 'none';
  return order.isDescending ? 'descending' : 'ascending';
}
