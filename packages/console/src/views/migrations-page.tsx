/** Migrations: where from, where to, how far, and how it went. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { migrationActions, migrationRows } from '../model/migrations.ts';
import { ActionBar } from './action-button.tsx';
import { Freshness, Problem, Status, Table } from './parts.tsx';

export function MigrationsPage(): JSX.Element {
  const migrations = useCollection(useCollections().migrations);
  const [problem, setProblem] = useState<string>();
  return (
    <>
      <h1>Migrations</h1>
      <Freshness snapshot={migrations} what="migrations" />
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <Table headings={['VM', 'Phase', 'From', 'To', 'Report', 'Begun', 'Actions']}>
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
            <td>{row.report}</td>
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
