/** Migrations: where from, where to, how far, and how it went. */
import type { MigrationProgress } from '@podvisor/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { usePoll } from '../live/use-poll.ts';
import { migrationActions, migrationRows, progressOf } from '../model/migrations.ts';
import { vmiPath } from '../model/units.ts';
import { ActionBar } from './action-button.tsx';
import { Freshness, Problem, Status, Table } from './parts.tsx';
import { migrationsText } from '../texts/nodes.ts';

export function MigrationsPage(): JSX.Element {
  const migrations = useCollection(useCollections().migrations);
  const [problem, setProblem] = useState<string>();
  return (
    <>
      <h1>{migrationsText.title}</h1>
      <Freshness snapshot={migrations} what={migrationsText.what} />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <Table headings={migrationsText.headings}>
        {migrationRows(migrations.items).map((row) => (
          <tr key={`${row.namespace}/${row.name}`}>
            <td>
              <a href={`#/vm/${row.namespace}/${row.vm}`}>{row.vm}</a>
            </td>
            <td>
              <Status text={row.phase} tone={row.tone} />
            </td>
            <td>{row.from}</td>
            <td>{row.to}</td>
            <td>{row.phase === 'Running' ? <Figures namespace={row.namespace} vm={row.vm} /> : row.report}</td>
            <td>{row.createdAt}</td>
            <td>
              <ActionBar actions={migrationActions} row={row} onProblem={setProblem} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

const ASK_MS = 1_000;

/** Bytes, rate, what is left: only the source knows, so it is asked. */
function Figures({ namespace, vm }: { namespace: string; vm: string }): JSX.Element {
  const { value } = usePoll<MigrationProgress | undefined>(vmiPath(namespace, vm, 'migrationprogress'), ASK_MS);
  if (value === undefined) return <span class="faint">{migrationsText.noFigures}</span>;
  const { share, words } = progressOf(value);
  return (
    <>
      <progress aria-label={migrationsText.of(vm)} value={share} max={1} /> {words}
    </>
  );
}
