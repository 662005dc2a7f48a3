/** Migrations: where from, where to, how far, and how it went. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { migrationActions, migrationRows } from '../model/migrations.ts';
import { vmAddress } from '../model/route.ts';
import { migrationsText } from '../texts/nodes.ts';
import { ActionBar } from './action-button.tsx';
import { MigrationLine } from './migration-line.tsx';
import { Freshness, Problem, Status, Table, When } from './parts.tsx';

export function MigrationsPage(): JSX.Element {
  return (
    <>
      <h1>{migrationsText.title}</h1>
      <MigrationsTable />
    </>
  );
}

/** `sinceMs`: without those that ended before. */
export function MigrationsTable({ sinceMs = 0 }: { sinceMs?: number }): JSX.Element {
  const migrations = useCollection(useCollections().migrations);
  const [problem, setProblem] = useState<string>();
  const rows = migrationRows(migrations.items).filter(
    ({ isOver, createdAt }) => !isOver || Date.parse(createdAt) >= sinceMs,
  );
  return (
    <>
      <Freshness snapshot={migrations} what={migrationsText.what} />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <Table headings={migrationsText.headings} state={migrations.state}>
        {rows.map((row) => (
          <tr key={`${row.namespace}/${row.name}`}>
            <td>
              <a href={vmAddress(row.namespace, row.vm)}>{row.vm}</a>
            </td>
            <td>
              <Status text={row.phase} tone={row.tone} />
            </td>
            <td>
              <MigrationLine row={row} />
            </td>
            <td>
              <When at={row.createdAt} />
            </td>
            <td>
              <ActionBar actions={migrationActions} row={row} onProblem={setProblem} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
