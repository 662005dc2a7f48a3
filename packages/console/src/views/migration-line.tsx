/** A migration as a line from node to node on which the guest moves, with its figures while it runs and its report after. */
import type { MigrationProgress } from '@podvisor/api';
import type { JSX } from 'preact';
import { usePoll } from '../live/use-poll.ts';
import { type MigrationRow, progressOf } from '../model/migrations.ts';
import { vmiPath } from '../model/units.ts';
import { migrationsText } from '../texts/nodes.ts';

const ASK_MS = 500;

export function MigrationLine({ row }: { row: MigrationRow }): JSX.Element {
  return row.phase === 'Running' ? <Going row={row} /> : <Line row={row} share={row.share} words={row.report} />;
}

/** Bytes, rate, what is left: only the source knows, so it is asked. */
function Going({ row }: { row: MigrationRow }): JSX.Element {
  const { value } = usePoll<MigrationProgress | undefined>(vmiPath(row.namespace, row.vm, 'migrationprogress'), ASK_MS);
  const { share, words } =
    value === undefined ? { share: 0, words: migrationsText.noFigures } : progressOf(value);
  return <Line row={row} share={share} words={words} />;
}

function Line({ row, share, words }: { row: MigrationRow; share: number; words: string }): JSX.Element {
  const percent = Math.round(share * 100);
  return (
    <div class="journey">
      <span>{row.from || migrationsText.unknownNode}</span>
      <span
        class={`track ${row.isOver ? '' : 'going'}`}
        role="progressbar"
        aria-label={migrationsText.of(row.vm)}
        aria-valuenow={percent}
        aria-valuetext={words}
      >
        <span class="moved" style={{ width: `${percent}%` }} />
        <span class={`traveller ${row.tone}`} style={{ left: `${percent}%` }} />
      </span>
      <span>{row.to || migrationsText.unknownNode}</span>
      <span class="words faint">{words}</span>
    </div>
  );
}
