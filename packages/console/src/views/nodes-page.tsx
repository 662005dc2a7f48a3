/** The nodes, and what runs on each. */
import type { VirtualMachineInstanceMigration } from '@podvisor/api';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { collectionAt, useCollection, useCollections } from '../live/use-collection.ts';
import { drainWords, type NodeRow, nodeActions, nodeRows, type ScheduledPod } from '../model/nodes.ts';
import { vmAddress } from '../model/route.ts';
import { rowsOf } from '../model/rows.ts';
import { vmActions } from '../model/vm-actions.ts';
import { ActionBar, ActionButton } from './action-button.tsx';
import { MigrationsTable } from './migrations-page.tsx';
import { Freshness, Problem, Status, Table } from './parts.tsx';
import { migrationsText, nodesText } from '../texts/nodes.ts';

const migrate = vmActions.filter(({ id }) => id === 'migrate').map((action) => ({ ...action, label: nodesText.moveAway }));

const RECENT_MS = 3_600_000;

export function NodesPage(): JSX.Element {
  const collections = useCollections();
  const nodes = useCollection(collections.nodes);
  const vms = useCollection(collections.vms);
  const vmis = useCollection(collections.vmis);
  // Who may not see all Pods is told what a node has in all.
  const pods = useCollection(collectionAt<ScheduledPod>('/api/v1/pods'));
  const migrations = useCollection(collections.migrations);
  const [openedAtMs] = useState(Date.now);
  const [problem, setProblem] = useState<string>();
  const guests = rowsOf(vms.items, vmis.items);
  const movable = ({ name, isCordoned }: NodeRow) =>
    isCordoned ? guests.filter((row) => row.node === name && migrate.every(({ fits }) => fits(row))) : [];
  return (
    <>
      <h1>{nodesText.title}</h1>
      <Freshness snapshot={nodes} what={nodesText.what} />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <Table headings={nodesText.headings} state={nodes.state}>
        {nodeRows(nodes.items, vmis.items, pods.state === 'live' ? pods.items : undefined).map((row) => (
          <tr key={row.name}>
            <td>{row.name}</td>
            <td>
              <Status text={row.status} tone={row.tone} />
              {row.isCordoned ? ` ${nodesText.cordoned}` : ''}
            </td>
            <td>{row.room}</td>
            <td class="list">
              {row.guests.map(({ namespace, name }) => (
                <a key={`${namespace}/${name}`} href={vmAddress(namespace, name)}>
                  {name}
                </a>
              ))}
            </td>
            <td>
              <ActionBar actions={nodeActions} row={row} onProblem={setProblem} />
              {row.isCordoned ? <Drained row={row} migrations={migrations.items} /> : null}
              {movable(row).length === 0
                ? null
                : migrate.map((action) => (
                    <ActionButton key={action.id} action={action} rows={movable(row)} onProblem={setProblem} />
                  ))}
            </td>
          </tr>
        ))}
      </Table>
      <h2>{migrationsText.recent}</h2>
      <MigrationsTable sinceMs={openedAtMs - RECENT_MS} />
    </>
  );
}

/** How far the guests of a cordoned node have gone. */
function Drained({
  row: { guests },
  migrations,
}: {
  row: NodeRow;
  migrations: ReadonlyMap<string, VirtualMachineInstanceMigration>;
}): JSX.Element {
  const atFirst = useRef(guests.length);
  atFirst.current = Math.max(atFirst.current, guests.length);
  const going = [...migrations.values()].filter(
    ({ metadata, spec, status }) =>
      !['Succeeded', 'Failed'].includes(status?.phase ?? '') &&
      guests.some(({ namespace, name }) => namespace === metadata?.namespace && name === spec.vmiName),
  );
  return (
    <span role="status">
      {atFirst.current === 0 ? null : (
        <progress aria-label={nodesText.gone} value={atFirst.current - guests.length} max={atFirst.current} />
      )}{' '}
      {drainWords(guests.length, atFirst.current, going.length)}
    </span>
  );
}
