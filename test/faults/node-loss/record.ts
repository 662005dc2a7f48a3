/**
 * What a long run has seen, a line of JSON for each round, on disk when the round is over: a run that was ended goes on
 * from there, with the draws that it would have had.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Loss } from './losses.ts';

export interface Round {
  readonly seed: number;
  readonly round: number;
  readonly losses: readonly Loss[];
  /** Overlapping runs, acknowledged entries that are lost. */
  readonly problems: readonly string[];
  /** Why the test did not wait any longer. What was seen of problems until then counts; its losses do not. */
  readonly givenUp?: string;
}

export class RunRecord {
  readonly #file: string | undefined;
  readonly #rounds: Round[];

  constructor(file: string | undefined) {
    this.#file = file;
    if (file !== undefined) mkdirSync(dirname(file), { recursive: true });
    const text = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '';
    this.#rounds = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Round);
  }

  get losses(): readonly Loss[] {
    return this.#rounds.flatMap(({ losses }) => losses);
  }

  /** Number of the first round with this seed that was not begun. */
  next(seed: number): number {
    return 1 + Math.max(0, ...this.#rounds.filter((one) => one.seed === seed).map(({ round }) => round));
  }

  add(round: Round): void {
    this.#rounds.push(round);
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(round)}\n`, { flush: true });
  }

  summary(): string {
    const guests = this.losses.flatMap((loss) =>
      loss.guests.map((guest) => ({ ...guest, controllerKilled: loss.controllerKilled })),
    );
    const elsewhere = guests
      .flatMap(({ elsewhereMs, controllerKilled }) => (controllerKilled ? [] : (elsewhereMs ?? [])))
      .toSorted((a, b) => a - b);
    const at = (share: number): string =>
      ((elsewhere[Math.floor((elsewhere.length - 1) * share)] ?? 0) / 1000).toFixed(1);
    const counts = Map.groupBy(this.losses, ({ kind }) => kind);
    const kinds = [...counts].map(([kind, { length }]) => `${kind} ${length}`).join(', ');
    const problems = this.#rounds.flatMap((round) => round.problems);
    return [
      `${this.losses.length} losses and cuts of nodes (${kinds}) in ${this.#rounds.length} rounds, ${guests.length} guests hit, ${guests.filter(({ isNew }) => isNew).length} of them started anew`,
      `rounds that were given up: ${this.#rounds.filter(({ givenUp }) => givenUp !== undefined).length}`,
      `problems (overlapping runs, acknowledged entries that are lost): ${problems.length}`,
      `power lost → Running elsewhere, ${elsewhere.length} guests: median ${at(0.5)} s, longest ${at(1)} s`,
    ].join('\n');
  }
}

/** One line for whoever watches. */
export function told({ round, losses, problems, givenUp }: Round): string {
  const each = losses.map(({ node, kind, seconds, guests }) => {
    const what = guests.map(({ name, extra, isNew, elsewhereMs }) => {
      const how = elsewhereMs === undefined ? (isNew ? 'started anew' : 'went on') : seen(elsewhereMs);
      return `${name}${extra === 'nothing' ? '' : ` (${extra})`} ${how}`;
    });
    return `${node} ${kind}${seconds === undefined ? '' : ` ${seconds} s`}: ${what.join(', ')}`;
  });
  const killed = losses[0]?.controllerKilled === true ? ['virt-controller killed'] : [];
  const end = givenUp === undefined ? [] : [`given up: ${givenUp}`];
  return `round ${round}: ${[...each, ...killed, ...problems, ...end].join('; ')}`;
}

function seen(ms: number): string {
  return `elsewhere after ${(ms / 1000).toFixed(1)} s`;
}
