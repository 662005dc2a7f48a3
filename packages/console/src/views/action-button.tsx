/** A button for one action on VMs: greyed with the reason where the user may not, with the command it stands for. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useMay } from '../live/access.ts';
import { send } from '../live/requests.ts';
import type { Action } from '../model/actions.ts';
import type { VmRow } from '../model/rows.ts';

export interface ActionButtonProps {
  readonly action: Action;
  /** Those that it fits; at least one. */
  readonly rows: readonly VmRow[];
  readonly onProblem: (words: string | undefined) => void;
}

export function ActionButton({ action, rows, onProblem }: ActionButtonProps): JSX.Element {
  const may = useMay(action.right(rows[0]?.namespace ?? ''));
  const [isBusy, setBusy] = useState(false);
  const command = rows.map((row) => action.command(row)).join('\n');
  const run = async (): Promise<void> => {
    const names = rows.map(({ name }) => name).join(', ');
    if (action.isGrave && !confirm(`${action.label} ${names}?\n\n${command}`)) return;
    setBusy(true);
    onProblem(undefined);
    const refused: string[] = [];
    for (const row of rows)
      await send(action.request(row)).catch((error: unknown) =>
        refused.push(`${row.name}: ${error instanceof Error ? error.message : String(error)}`),
      );
    setBusy(false);
    if (refused.length > 0) onProblem(refused.join(' · '));
  };
  return (
    <button
      type="button"
      class={action.isGrave ? 'grave' : ''}
      disabled={may !== true || isBusy}
      title={may === false ? `You may not do this in ${rows[0]?.namespace}` : command}
      onClick={() => void run()}
    >
      {action.label}
      {rows.length > 1 ? ` ${rows.length}` : ''}
    </button>
  );
}
