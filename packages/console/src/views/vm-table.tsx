/** All VMs, live. Only the rows that can be seen are drawn, so that ten thousand are no more work than thirty. */
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { vmActions } from '../model/vm-actions.ts';
import { filterRows, rowsOf, type VmRow } from '../model/rows.ts';
import { ActionButton } from './action-button.tsx';
import { Freshness, Problem, Status } from './parts.tsx';
import { vmsText } from '../texts/vms.ts';

const ROW_PX = 36;
const AROUND = 8;

export function VmTable(): JSX.Element {
  const collections = useCollections();
  const vms = useCollection(collections.vms);
  const vmis = useCollection(collections.vmis);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string>();
  const all = useMemo(() => rowsOf(vms.items, vmis.items), [vms.items, vmis.items]);
  const rows = useMemo(() => filterRows(all, text), [all, text]);
  const marked = rows.filter(({ key }) => chosen.has(key));
  const toggle = (key: string): void => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    setChosen(next);
  };
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
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <span class="faint" role="status">
          {vmsText.count(rows.length, all.length)}
        </span>
        <a href="#/new">{vmsText.newVm}</a>
        {marked.length === 0
          ? null
          : vmActions
              .filter(({ fits }) => marked.every(fits))
              .map((action) => (
                <ActionButton key={action.id} action={action} rows={marked} onProblem={setProblem} />
              ))}
      </div>
      <Rows rows={rows} chosen={chosen} onToggle={toggle} />
    </>
  );
}

interface RowsProps {
  readonly rows: readonly VmRow[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
}

function Rows({ rows, chosen, onToggle }: RowsProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const height = frame.current?.clientHeight ?? 800;
  const first = Math.max(0, Math.floor(top / ROW_PX) - AROUND);
  const shown = rows.slice(first, first + Math.ceil(height / ROW_PX) + 2 * AROUND);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div
      class="rows"
      ref={frame}
      tabIndex={0}
      role="table"
      aria-label={vmsText.title}
      aria-rowcount={rows.length + 1}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div class="row head" role="row">
        <span role="columnheader">
          <span class="unseen">{vmsText.chosen}</span>
        </span>
        {vmsText.headings.map((title) => (
          <span key={title} role="columnheader">
            {title}
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
              <a href={`#/vm/${row.namespace}/${row.name}`}>{row.name}</a>
            </span>
            <span role="cell">{row.namespace}</span>
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
